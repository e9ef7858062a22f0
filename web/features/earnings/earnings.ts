import { queryOptions } from '@tanstack/react-query';
import { getActivity } from '#contract/activity.ts';
import type { MonthCounts } from '#contract/earning-rules.ts';
import {
  getHistory,
  getMonth,
  getStatement,
  getWithdrawals,
  getWithdrawStatus,
  getYesterday,
  type MonthLine,
  updateStatus,
  type Withdrawal,
} from '#contract/earnings.ts';
import { call } from '#web/api.ts';

/** The counts of a month and their worth, from the server's record. */
export interface MonthRecord {
  /** YYYY-MM */
  month: string;
  lines: MonthLine[];
  coins: number;
  paise: number;
}

// Earnings are reloaded at every visit; cached data is shown meanwhile.
const fresh = { staleTime: 0 };

/** This month's activity. It also gives the current month in the server's time zone. */
export const activityOptions = (userId: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['activity-earned', userId],
    queryFn: async ({ signal }) => (await call(getActivity, { params: { userId } }, { signal })).data,
  });

/**
 * This month's coins. If there are any, the client sends `update-status` (specification §7); the server ignores the
 * values and answers with its own record, which is shown.
 */
export const thisMonthOptions = (userId: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['month-earned', userId],
    queryFn: async ({ signal }) => {
      const [{ data: activity }, { data: yesterday }] = await Promise.all([
        call(getActivity, { params: { userId } }, { signal }),
        call(getYesterday, {}, { signal }),
      ]);
      const { month } = activity;
      const input = { params: { userId, month }, query: { limit: 1 } };
      const { data } = await call(getMonth, input, { signal });
      let record: MonthRecord = { month, lines: data.lines, coins: data.totalCoins, paise: data.paise };
      if (record.coins > 0) {
        const body = { userId, month, coins: record.coins, breakdown: countsOf(data.lines) };
        const { data: own } = await call(updateStatus, { body }, { signal });
        record = { month, lines: own.lines, coins: own.coins, paise: own.paise };
      }
      return { ...record, activityCoins: activity.coins, yesterday };
    },
  });

/** Whether a line has coins of other months. */
export const isOfOthers = (kind: MonthLine['kind']): kind is 'released' | 'own_works' | 'taken_back' =>
  kind === 'released' || kind === 'own_works' || kind === 'taken_back';

function countsOf(lines: readonly MonthLine[]): MonthCounts {
  const counts: MonthCounts = { reels: 0, posts: 0, stories: 0, views: 0, likes: 0 };
  for (const { kind, count } of lines) if (!isOfOthers(kind)) counts[kind] = count;
  return counts;
}

/** All months with the state of their withdrawals and the withdrawals' steps, loaded together. */
export const historyOptions = (userId: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['earning-history', userId],
    queryFn: async ({ signal }) => {
      const params = { userId };
      const [history, statuses, withdrawals] = await Promise.all([
        call(getHistory, { params }, { signal }),
        call(getWithdrawStatus, { params }, { signal }),
        allWithdrawals(userId, signal),
      ]);
      return { ...history.data, months: history.data.data, statuses: statuses.data, withdrawals };
    },
  });

/** All pages of withdrawals; there are only a few a year. */
async function allWithdrawals(userId: string, signal: AbortSignal): Promise<Withdrawal[]> {
  const all: Withdrawal[] = [];
  let cursor: string | null = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: 100, ...(cursor ? { cursor } : {}) };
    const page: { data: Withdrawal[]; nextCursor: string | null } = await call(
      getWithdrawals,
      { params: { userId }, query },
      { signal },
    );
    all.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor);
  return all;
}

export const statementOptions = (userId: string, month: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['statement', userId, month],
    queryFn: async ({ signal }) => (await call(getStatement, { params: { userId, month } }, { signal })).data,
  });

/** The first moment of a month (YYYY-MM) in UTC, as texts need it: `{month, date, month}`. */
export const asDate = (month: string) => new Date(`${month}-01T00:00:00Z`);

/** The month of a time, YYYY-MM, in the time zone of the site. */
export const monthIn = (timeZone: string, at: Date): string =>
  // Swedish writes dates in this way.
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit' }).format(at);
