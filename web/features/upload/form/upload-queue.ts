/** What an item of the queue holds: leaving the page would lose a chosen file; an upload continues by itself. */
export type ItemState = 'nothing' | 'file' | 'transfer';

export interface QueueItem {
  id: number;
  /** The file, where it was chosen or dropped together with others; undefined where the form still has to ask for one. */
  initialFile: File | undefined;
  state: ItemState;
}

/** The files to be published, each in a form of its own. Only one form shows its fields. */
export interface UploadQueue {
  items: QueueItem[];
  openId: number | undefined;
  nextId: number;
}

export type QueueAction =
  | { type: 'add'; files: File[] }
  | { type: 'setState'; id: number; state: ItemState }
  | { type: 'open'; id: number | undefined }
  /** The file was published, or the person removed it. */
  | { type: 'remove'; id: number };

const newItem = (id: number, initialFile?: File): QueueItem => ({ id, initialFile, state: 'nothing' });

export const initialQueue: UploadQueue = { items: [newItem(0)], openId: 0, nextId: 1 };

export function queueReducer(queue: UploadQueue, action: QueueAction): UploadQueue {
  const { items, openId, nextId } = queue;
  if (action.type === 'open') return { ...queue, openId: action.id };
  if (action.type === 'add') {
    const added = action.files.map((file, index) => newItem(nextId + index, file));
    return { ...queue, items: [...items, ...added], nextId: nextId + added.length };
  }
  const { id } = action;
  if (action.type === 'setState') {
    const changed = items.map((item) => (item.id === id ? { ...item, state: action.state } : item));
    // While one file uploads, the next form opens. If the upload fails, its own form opens again.
    if (action.state === 'transfer' && openId === id && changed.length > 1)
      return { ...queue, items: changed, openId: firstIdle(changed) };
    return { ...queue, items: changed, openId: openId ?? (action.state === 'transfer' ? undefined : id) };
  }
  const left = items.filter((item) => item.id !== id);
  // After the last one an empty form is shown, as at the beginning.
  if (left.length === 0) return { items: [newItem(nextId)], openId: nextId, nextId: nextId + 1 };
  return {
    ...queue,
    items: left,
    openId: openId === id || left.length === 1 ? (firstIdle(left) ?? left[0]?.id) : openId,
  };
}

const firstIdle = (items: QueueItem[]) => items.find(({ state }) => state !== 'transfer')?.id;
