/* For how many days a browser is somebody's own: `ownBrowserDays` in contract/earning-rules.ts. */
import { dayOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { upsertBrowser } from './own-browsers.queries.ts';

/** Rows that this process has already written; the oldest are dropped. */
const maxKnown = 100_000;

/** Takes the hash of a browser (`browserOf`) in which a person is signed in. */
export type RecordBrowser = (personId: string, browser: Buffer) => Promise<void>;

/** Stores in which browsers people are signed in, once a day, so that views of their own reels there can be recognized. */
export function rememberBrowsers({ db, clock, config }: Context<'db' | 'clock' | 'config'>): RecordBrowser {
  const written = new Set<string>();
  return async (personId, browser) => {
    const day = dayOf(clock(), config.timeZone);
    const key = `${day} ${personId} ${browser.toString('hex')}`;
    if (written.has(key)) return;
    await upsertBrowser(db, { personId, day, at: clock(), browser });
    written.add(key);
    const [oldest] = written;
    if (written.size > maxKnown && oldest !== undefined) written.delete(oldest);
  };
}
