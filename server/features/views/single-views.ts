import type { Transaction } from 'kysely';
import { rules } from '#contract/earning-rules.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { countViewRows } from '../month-counts/months.ts';
import { countViewers } from './established.ts';
import { countOfNetworks } from './single-views.queries.ts';

export { addToNetworkDays, deleteNetworkDays } from './single-views.queries.ts';

interface View {
  creatorId: string;
  /** YYYY-MM-DD */
  day: string;
  /** In hex. */
  network: string;
  signedIn: boolean;
}

const monthOf = ({ creatorId, day }: View) => `${creatorId} ${day.slice(0, 7)}`;
const networkOf = ({ network, day }: View) => `${network} ${day}`;

/**
 * Those of these views that get no row of their own, because the creator's month or the network's day has enough of them (decisions §4). Two
 * servers at the same moment may store a batch more.
 */
export async function beyondSingleViews<Kind extends View>(
  trx: Transaction<Tables>,
  views: readonly Kind[],
): Promise<Set<Kind>> {
  const signedOut = views.filter(({ signedIn }) => !signedIn);
  if (signedOut.length === 0) return new Set();
  const room = new Map([...(await roomOfMonths(trx, signedOut)), ...(await roomOfNetworks(trx, signedOut))]);
  return new Set(
    signedOut.filter((view) => {
      const counters = [monthOf(view), networkOf(view)];
      if (counters.some((counter) => (room.get(counter) ?? 0) <= 0)) return true;
      for (const counter of counters) room.set(counter, (room.get(counter) ?? 0) - 1);
      return false;
    }),
  );
}

/** How many more rows the months of these views have room for. */
async function roomOfMonths(trx: Transaction<Tables>, views: readonly View[]): Promise<[string, number][]> {
  const { ofCreator, forEachAccount } = rules.singleViews;
  const months = [...Map.groupBy(views, monthOf)].map(([key, [first, ...others]]) => ({
    key,
    creatorId: first?.creatorId ?? '',
    month: first?.day.slice(0, 7) ?? '',
    many: 1 + others.length,
  }));
  const rows = await countViewRows(trx, months);
  const room: [string, number][] = [];
  for (const [index, { key, many, ...month }] of months.entries()) {
    const stored = rows[index] ?? 0;
    const missing = stored + many - ofCreator;
    const accounts = missing > 0 ? await countViewers(trx, month, Math.ceil(missing / forEachAccount)) : 0;
    room.push([key, ofCreator + forEachAccount * accounts - stored]);
  }
  return room;
}

/** The same for the networks on the days of these views. */
async function roomOfNetworks(trx: Transaction<Tables>, views: readonly View[]): Promise<[string, number][]> {
  const days = [...Map.groupBy(views, networkOf)].flatMap(([key, [first]]) =>
    first ? [{ ...first, key }] : [],
  );
  const stored = await countOfNetworks(trx, days);
  return days.map(({ key }, index) => [key, rules.singleViews.ofNetwork - (stored[index] ?? 0)]);
}
