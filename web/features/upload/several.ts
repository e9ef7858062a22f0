/** What a form holds: leaving would lose a file; a transfer goes on by itself. */
export type Holding = 'nothing' | 'file' | 'transfer';

export interface Entry {
  id: number;
  /** It came together with others; undefined where it is still to be picked. */
  given: File | undefined;
  holding: Holding;
}

/** Files that are to be published, each in a form of its own, and the one whose words are shown. */
export interface Several {
  entries: Entry[];
  shown: number | undefined;
  nextId: number;
}

export type Change =
  | { type: 'add'; files: File[] }
  | { type: 'hold'; id: number; holding: Holding }
  | { type: 'show'; id: number | undefined }
  /** Published, or not wanted any more. */
  | { type: 'end'; id: number };

const blank = (id: number, given?: File): Entry => ({ id, given, holding: 'nothing' });

export const one: Several = { entries: [blank(0)], shown: 0, nextId: 1 };

export function changed(now: Several, change: Change): Several {
  const { entries, shown, nextId } = now;
  if (change.type === 'show') return { ...now, shown: change.id };
  if (change.type === 'add') {
    const added = change.files.map((file, index) => blank(nextId + index, file));
    return { ...now, entries: [...entries, ...added], nextId: nextId + added.length };
  }
  const { id } = change;
  if (change.type === 'hold') {
    const held = entries.map((entry) => (entry.id === id ? { ...entry, holding: change.holding } : entry));
    // While it travels there is time for the words of the next one; where it comes back it is shown again.
    if (change.holding === 'transfer' && shown === id && held.length > 1)
      return { ...now, entries: held, shown: idle(held) };
    return { ...now, entries: held, shown: shown ?? (change.holding === 'transfer' ? undefined : id) };
  }
  const left = entries.filter((entry) => entry.id !== id);
  // The last one leaves a form as it was at first.
  if (left.length === 0) return { entries: [blank(nextId)], shown: nextId, nextId: nextId + 1 };
  return {
    ...now,
    entries: left,
    shown: shown === id || left.length === 1 ? (idle(left) ?? left[0]?.id) : shown,
  };
}

const idle = (entries: Entry[]) => entries.find(({ holding }) => holding !== 'transfer')?.id;
