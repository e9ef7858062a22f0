import { useSyncExternalStore } from 'react';
import { tasteLimits } from '#contract/taste.ts';
import { storageKeys } from '#web/storage-keys.ts';

export interface MutedPerson {
  _id: string;
  username: string;
}

/** What this device leaves out of ranked lists, the newest first. */
export interface Mutes {
  /** Not interested. */
  reels: string[];
  people: MutedPerson[];
  words: string[];
}

const none: Mutes = { reels: [], people: [], words: [] };
const listeners = new Set<() => void>();
/** What is stored, as it was read last. */
let read = { text: '', mutes: none };
// Used if storage is full or forbidden.
let inMemory: Mutes | undefined;

const isText = (one: unknown): one is string => typeof one === 'string';
const isPerson = (one: unknown): one is MutedPerson => {
  const { _id, username } = (one ?? {}) as Partial<MutedPerson>;
  return isText(_id) && isText(username);
};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A browser may hold data of another version of the site. */
function parsed(text: string): Mutes {
  try {
    const found: Partial<Mutes> | null = JSON.parse(text);
    return {
      reels: listOf(found?.reels).filter(isText),
      people: listOf(found?.people).filter(isPerson),
      words: listOf(found?.words).filter(isText),
    };
  } catch {
    return none;
  }
}

/** The same object as long as nothing changes. */
export function mutes(): Mutes {
  if (inMemory) return inMemory;
  try {
    const text = localStorage.getItem(storageKeys.muted) ?? '';
    if (text !== read.text) read = { text, mutes: parsed(text) };
  } catch {
    // Storage is forbidden: nothing was stored.
  }
  return read.mutes;
}

/** Changes the mutes at once, for every list on the screen. */
export function changeMutes(change: (now: Mutes) => Partial<Mutes>): void {
  const all = { ...mutes(), ...change(mutes()) };
  const kept: Mutes = {
    reels: all.reels.slice(0, tasteLimits.mutedReels),
    people: all.people.slice(0, tasteLimits.mutedPeople),
    words: all.words.slice(0, tasteLimits.mutedWords),
  };
  try {
    localStorage.setItem(storageKeys.muted, JSON.stringify(kept));
    inMemory = undefined;
  } catch {
    // They last as long as the page.
    inMemory = kept;
  }
  for (const listener of listeners) listener();
}

export const muteReel = (id: string) =>
  changeMutes(({ reels }) => ({ reels: [id, ...reels.filter((one) => one !== id)] }));
export const unmuteReel = (id: string) =>
  changeMutes(({ reels }) => ({ reels: reels.filter((one) => one !== id) }));
export const mutePerson = ({ _id, username }: MutedPerson) =>
  changeMutes(({ people }) => ({
    people: [{ _id, username }, ...people.filter((one) => one._id !== _id)],
  }));
export const unmutePerson = (id: string) =>
  changeMutes(({ people }) => ({ people: people.filter((one) => one._id !== id) }));
export const muteWord = (word: string) =>
  changeMutes(({ words }) => ({ words: [word, ...words.filter((one) => !isSameWord(one, word))] }));
export const unmuteWord = (word: string) =>
  changeMutes(({ words }) => ({ words: words.filter((one) => one !== word) }));

/** The words of a text in lower case, with a space around each. */
const wordsOf = (text: string) =>
  ` ${text
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')} `;
/** Whether it has a letter or a digit. */
export const isWord = (text: string): boolean => wordsOf(text).trim() !== '';
const isSameWord = (one: string, other: string): boolean => wordsOf(one) === wordsOf(other);

interface Shown {
  _id: string;
  userId: string;
  caption: string;
}

/** Whether this device leaves a reel out. Muted words are sought in its caption as a whole, in whatever case. */
export function isMuted({ _id, userId, caption }: Shown, { reels, people, words }: Mutes): boolean {
  if (reels.includes(_id) || people.some((one) => one._id === userId)) return true;
  const said = wordsOf(caption);
  return words.some((word) => isWord(word) && said.includes(wordsOf(word)));
}

function subscribe(listener: () => void): () => void {
  const fromOtherTab = ({ key }: StorageEvent) => {
    if (key === storageKeys.muted || key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', fromOtherTab);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', fromOtherTab);
  };
}

export const useMutes = (): Mutes => useSyncExternalStore(subscribe, mutes, () => none);
