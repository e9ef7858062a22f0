import { getActivity } from '#contract/activity.ts';
import {
  getHistory,
  getMonth,
  getWithdrawals,
  getWithdrawStatus,
  getYesterday,
  type HistoryRecord,
  type MonthLine,
  updateStatus,
} from '#contract/earnings.ts';
import { getDestination } from '#contract/payouts.ts';
import { answerCalls } from './answers.ts';
import { zoya } from './things.ts';

export const thisMonth = '2026-11';
export const activity = {
  userId: zoya._id,
  month: thisMonth,
  monthLabel: 'November 2026',
  scrolls: 0,
  reelLikes: 0,
  photoLikes: 1,
  activeHours: 0,
  coins: 1,
  coinsPerRupee: 5000,
  paise: 0,
  rupees: '0.00',
  asOf: '2026-11-03T06:30:00Z',
};
export const linesOf = (reels: number, views: number): MonthLine[] => [
  ...(['reels', 'posts', 'stories'] as const).map((kind, place) => {
    const coinsEach = [5, 2, 1][place] ?? 0;
    const count = kind === 'reels' ? reels : 0;
    return { kind, count, paid: count, coinsEach, perCoin: null, coins: count * coinsEach, leftOver: 0 };
  }),
  ...(['views', 'likes'] as const).map((kind) => {
    const count = kind === 'views' ? views : 0;
    const coins = Math.floor(count / 10);
    return { kind, count, paid: count, coinsEach: null, perCoin: 10, coins, leftOver: count % 10 };
  }),
];

/** Answers what the earning pages ask of a month and of all. */
export function answerEarnings(months: HistoryRecord[], lines = linesOf(0, 0)) {
  const server = answerCalls();
  const totalCoins = months.reduce((sum, one) => sum + one.totalCoins, 0);
  const totalPaise = Math.floor(totalCoins / 5);
  const coins = lines.reduce((sum, line) => sum + line.coins, 0);
  const ofMonth = {
    userId: zoya._id,
    month: thisMonth,
    monthLabel: 'November 2026',
    paise: Math.floor(coins / 5),
    rupees: '0',
    lines,
  };
  server.on(getActivity, { data: activity });
  server.on(getYesterday, {
    data: { day: '2026-11-14', shown: 300, watched: 214, counted: 214, viewCoins: 21 },
  });
  const details = {
    ...ofMonth,
    totalCoins: coins,
    coinsPerRupee: 500,
    unpaidCoins: 0,
    state: 'current' as const,
    counted: true,
    decisions: [],
    missingCoins: 0,
    items: [],
    pooledViews: { count: 0, coins: 0, leftOver: 0 },
    pooledLikes: { count: 0, coins: 0, leftOver: 0 },
    unpaidViews: { count: 0, coins: 0 },
    unpaidLikes: { count: 0, coins: 0 },
  };
  server.on(getMonth, { data: details, nextCursor: null });
  const own = {
    data: { ...ofMonth, coins, breakdown: { reels: 0, posts: 0, stories: 0, views: 0, likes: 0 } },
  };
  server.on(updateStatus, own);
  const history = {
    data: {
      data: months,
      totalCoins,
      totalPaise,
      totalRupees: (totalPaise / 100).toFixed(2),
      lookAskedAt: null,
      balance: { availablePaise: 0, pendingPaise: 0, paidPaise: 0 },
    },
  };
  server.on(getHistory, history);
  server.on(getWithdrawStatus, { data: {} });
  server.on(getWithdrawals, { data: [], nextCursor: null });
  server.on(getDestination, { data: null, unreadable: false });
  return { ...server, history, details, own };
}
