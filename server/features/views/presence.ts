import type { Transaction } from 'kysely';
import { dayOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { isClosed, preventClosing } from '../earnings/closing.ts';
import { addToMonths, subtractFromMonth } from '../earnings/months.ts';
import { isTakenBack } from '../earnings/publication-month.ts';
import * as queries from './presence.queries.ts';
import { storedHash } from './viewers.ts';
import { addToReelMonths, hasReels } from './views.queries.ts';

export { lockPresence } from './presence.queries.ts';

/** Rows that this process has already written; the oldest are dropped. */
const maxKnown = 100_000;

/** Stores in which networks and browsers people are signed in, so that views of their own reels can be recognized. */
export function openPresence({ db, clock, config, keyring }: Context<'db' | 'clock' | 'config' | 'keyring'>) {
  const written = new Set<string>();

  /** Writes once a day. */
  async function once(key: string, write: () => Promise<void>): Promise<void> {
    if (written.has(key)) return;
    await write();
    written.add(key);
    const [oldest] = written;
    if (written.size > maxKnown && oldest !== undefined) written.delete(oldest);
  }

  const today = () => dayOf(clock(), config.timeZone);
  return {
    /** Takes the hash of a network, by `addressOf`; stores it hashed with the key of the month. */
    recordNetwork: async (personId: string, hash: Buffer): Promise<void> => {
      const day = today();
      await once(`${day} ${personId} ${hash.toString('hex')}`, async () => {
        const month = day.slice(0, 7);
        const stored = storedHash(await keyring.monthKey(month), hash);
        const network = stored.toString('hex');
        await inTransaction(db, async (given) => {
          const trx = await preventClosing(given);
          await queries.lockPresence(trx, personId);
          const isCreator = await hasReels(trx, personId);
          if (isCreator) await queries.lockOwnNetworks(trx, [personId], 'exclusive');
          await queries.lockNetworks(trx, [network], 'exclusive');
          const isFirst = await queries.insertNetwork(trx, { personId, day, network: stored });
          if (await isClosed(trx, month)) return;
          await countHeldViews(trx, { network, month }, config.timeZone);
          if (isCreator && isFirst)
            await holdOwnViews(trx, { creatorId: personId, day, network }, config.timeZone);
        });
      });
    },
    recordBrowser: async (personId: string, browser: Buffer): Promise<void> => {
      const day = today();
      await once(`${day} ${personId} ${browser.toString('hex')}`, () =>
        queries.upsertBrowser(db, { personId, day, at: clock(), browser }),
      );
    },
  };
}
export type Presence = ReturnType<typeof openPresence>;

/**
 * Counts the held views of creators from a network that no longer counts as their own, since enough others were seen there: in their
 * original month and days. If a reel was deleted in the meantime, they are treated like the counted views of that reel.
 */
async function countHeldViews(
  trx: Transaction<Tables>,
  { network, month }: { network: string; month: string },
  timeZone: string,
): Promise<void> {
  const reels = await queries.lockCountableReels(trx, network);
  if (reels.length === 0) return;
  const freed = await queries.moveHeldViews(
    trx,
    network,
    reels.map(({ id }) => id),
  );
  await addToReelMonths(
    trx,
    freed.flatMap(({ views, ...reel }) => [
      { ...reel, month, verdict: 'own', views: -views },
      { ...reel, month, verdict: 'counted', views },
    ]),
  );
  const ofCreators = Map.groupBy(withoutTakenBack(reels, freed, timeZone), ({ creatorId }) => creatorId);
  await addToMonths(
    trx,
    [...ofCreators].map(([creatorId, each]) => ({
      creatorId,
      month,
      views: each.reduce((sum, { views }) => sum + views, 0),
    })),
  );
}

/**
 * Holds the views that were counted earlier on the day of a creator's first signed-in call from a network, unless enough others were seen
 * there: a creator may watch without a login and log in later.
 */
async function holdOwnViews(
  trx: Transaction<Tables>,
  own: { creatorId: string; day: string; network: string },
  timeZone: string,
): Promise<void> {
  const { creatorId, day } = own;
  const month = day.slice(0, 7);
  const reels = await queries.lockWatchedReels(trx, own);
  if (reels.length === 0) return;
  const view = { creatorId, day, browser: undefined, address: own.network };
  if ((await queries.findShared(trx, [view])).size > 0) return;
  const moved = await queries.holdWatchedViews(trx, own);
  await addToReelMonths(
    trx,
    moved.flatMap(({ reelId, views }) => [
      { reelId, creatorId, month, verdict: 'counted', views: -views },
      { reelId, creatorId, month, verdict: 'own', views },
    ]),
  );
  const views = withoutTakenBack(reels, moved, timeZone).reduce((sum, { views }) => sum + views, 0);
  if (views > 0) await subtractFromMonth(trx, { creatorId, month, views });
}

/** Without those of reels whose deletion has taken back all their views. */
function withoutTakenBack<T extends { reelId: string }>(
  reels: readonly queries.LockedReel[],
  views: readonly T[],
  timeZone: string,
): T[] {
  const gone = new Set(reels.filter((reel) => isTakenBack(reel, timeZone)).map(({ id }) => id));
  return views.filter(({ reelId }) => !gone.has(reelId));
}
