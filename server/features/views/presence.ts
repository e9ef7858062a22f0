import { dayOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import * as queries from './presence.queries.ts';
import { storedMark } from './viewers.ts';

/** Marks that this process has written already; the oldest are dropped. */
const maxKnown = 100_000;

/** Remembers in which networks and browsers people are signed in, so that their views of their own reels are known. */
export function openPresence({ db, clock, config, keyring }: Context<'db' | 'clock' | 'config' | 'keyring'>) {
  const written = new Set<string>();

  /** Writes a mark once a day. */
  async function once(key: string, write: () => Promise<void>): Promise<void> {
    if (written.has(key)) return;
    await write();
    written.add(key);
    const [oldest] = written;
    if (written.size > maxKnown && oldest !== undefined) written.delete(oldest);
  }

  const today = () => dayOf(clock(), config.timeZone);
  return {
    /** Takes the hash of a network, by `addressOf`. What is stored is its mark of the month. */
    noteNetwork: async (personId: string, hash: Buffer): Promise<void> => {
      const day = today();
      await once(`${day} ${personId} ${hash.toString('hex')}`, async () => {
        const network = storedMark(await keyring.monthKey(day.slice(0, 7)), hash);
        await queries.insertNetwork(db, { personId, day, network });
      });
    },
    noteBrowser: async (personId: string, browser: Buffer): Promise<void> => {
      const day = today();
      await once(`${day} ${personId} ${browser.toString('hex')}`, () =>
        queries.upsertBrowser(db, { personId, day, browser }),
      );
    },
  };
}
export type Presence = ReturnType<typeof openPresence>;
