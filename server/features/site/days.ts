import type { FigurePeriod, FiguresOfTime } from '#contract/figures.ts';
import { dayAfter, dayBefore, dayOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { totalBytes } from '../stored-files/stored-files.ts';
import * as queries from './days.queries.ts';

/** How many days one statement counts: the first count of a large site is in pieces. */
const atOnce = 31;

/**
 * Counts the figures of today, and of the days since the last count. A view is reported some minutes after its showing, so the day before the
 * last counted one is counted again. Storage is measured at the first count of a day.
 */
export async function countSiteDays({
  db,
  clock,
  config: { timeZone },
}: Context<'db' | 'clock' | 'config'>): Promise<void> {
  const now = clock();
  const today = dayOf(now, timeZone);
  await inTransaction(db, async (trx) => {
    await queries.beginCounting(trx);
    const counted = await queries.countedDays(trx);
    const first = counted?.first ?? (await queries.firstDay(trx, timeZone));
    if (!first) return;
    let from = counted && counted.last > first ? dayBefore(counted.last) : first;
    while (from <= today) {
      const last = dayAfter(from, atOnce - 1);
      const to = last < today ? last : today;
      await queries.countDays(trx, { from, to, timeZone, now });
      from = dayAfter(to, 1);
    }
    if (counted?.last !== today || !counted.hasBytes)
      await queries.setBytes(trx, today, await totalBytes(trx));
  });
}

const days = 30;
const months = 12;

/** The figures of 30 days or 12 months, oldest first. They are read from the counted days alone. */
export async function figuresOfSite(
  { db, clock, config: { timeZone } }: Context<'db' | 'clock' | 'config'>,
  period: FigurePeriod,
): Promise<{ data: FiguresOfTime[]; countedAt: string | null }> {
  const today = dayOf(clock(), timeZone);
  const rows = await queries.listDays(
    db,
    period === 'days' ? dayAfter(today, 1 - days) : firstOfMonths(today),
  );
  const sums = new Map<string, FiguresOfTime>();
  for (const row of rows) {
    const at = period === 'days' ? row.day : row.day.slice(0, 7);
    const sum = sums.get(at);
    sums.set(at, {
      at,
      signUps: (sum?.signUps ?? 0) + row.sign_ups,
      uploads: (sum?.uploads ?? 0) + row.uploads,
      shown: (sum?.shown ?? 0) + row.shown,
      watched: (sum?.watched ?? 0) + row.watched,
      earnedPaise: (sum?.earnedPaise ?? 0) + row.earned_paise,
      paidPaise: (sum?.paidPaise ?? 0) + row.paid_paise,
      storedBytes: row.stored_bytes ?? sum?.storedBytes ?? null,
    });
  }
  return { data: [...sums.values()], countedAt: rows.at(-1)?.counted_at.toISOString() ?? null };
}

/** The first day of the months that end with the one of this day. */
function firstOfMonths(today: string): string {
  const [year = 0, month = 0] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - months, 1)).toISOString().slice(0, 10);
}
