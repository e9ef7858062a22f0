import { saveWatched, tasteLimits, type WatchedReel } from '#contract/taste.ts';
import { call } from '#web/api.ts';
import { queryClient } from '#web/query-client.ts';
import { storageKeys } from '#web/storage-keys.ts';
import { currentToken } from '../session/session.ts';
import { tasteQuery } from './taste-query.ts';

/** Watched reels are sent in batches of this size, and when the page is left. */
const batchSize = 5;

// Used if storage is full or forbidden.
let inMemory: WatchedReel[] | undefined;
/** What was not sent yet, and for whom. */
let pending = new Map<string, boolean>();
let pendingFor: string | null = null;

const isWatched = (one: Partial<WatchedReel> | null): one is WatchedReel =>
  typeof one?._id === 'string' && typeof one.toEnd === 'boolean';

/** The reels that were watched in this visit, newest first. They stay in this tab. */
export function visited(): WatchedReel[] {
  if (inMemory) return inMemory;
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKeys.visit) ?? '[]');
    // A browser may hold data of another version of the site.
    return Array.isArray(stored) ? stored.filter(isWatched) : [];
  } catch {
    return [];
  }
}

function storeVisit(all: WatchedReel[]): void {
  const watched = all.slice(0, tasteLimits.visit);
  try {
    sessionStorage.setItem(storageKeys.visit, JSON.stringify(watched));
    inMemory = undefined;
  } catch {
    // It lasts as long as the page.
    inMemory = watched;
  }
}

/** Remembers a reel that was watched in this visit; for a person whose taste is on, the server too. */
export async function noteWatched(id: string, toEnd: boolean): Promise<void> {
  const before = visited();
  const watched = { _id: id, toEnd: toEnd || before.some((one) => one._id === id && one.toEnd) };
  storeVisit([watched, ...before.filter((one) => one._id !== id)]);
  const token = currentToken();
  if (token === null || !(await isOn())) return;
  if (pendingFor !== token) pending = new Map();
  pendingFor = token;
  pending.set(id, watched.toEnd);
  document.addEventListener('visibilitychange', sendWhenHidden);
  // The last one may still be watched to its end.
  if (pending.size > batchSize) await sendWatched();
}

/** Whether the person has switched their taste on; if that is not known, nothing is sent. */
async function isOn(): Promise<boolean> {
  const taste = await queryClient()
    .fetchQuery({ ...tasteQuery(), staleTime: 10 * 60_000 })
    .catch(() => undefined);
  return typeof taste?.since === 'string';
}

/** A hidden page may never become visible again. */
function sendWhenHidden(): void {
  if (document.visibilityState === 'hidden') void sendWatched();
}

async function sendWatched(): Promise<void> {
  const taken = pending;
  pending = new Map();
  if (taken.size === 0 || pendingFor !== currentToken()) return;
  const watched = [...taken].map(([_id, toEnd]) => ({ _id, toEnd })).reverse();
  try {
    const { kept } = await call(saveWatched, { body: { watched } }, { keepalive: true });
    // It was switched off elsewhere.
    if (kept) return;
    pending = new Map();
    await queryClient().invalidateQueries(tasteQuery());
  } catch {
    // They are sent with the next ones, unless those are as many as may be sent.
    pending = new Map([...taken, ...pending].slice(-tasteLimits.visit));
  }
}

/** Forgets what was watched in this visit: one reel, or all. */
export function forgetVisit(id?: string): void {
  storeVisit(id === undefined ? [] : visited().filter((one) => one._id !== id));
  if (id === undefined) pending = new Map();
  else pending.delete(id);
}
