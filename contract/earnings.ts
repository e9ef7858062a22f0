import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, nextCursor, page, time } from './fields.ts';
import { monthField } from './month.ts';

const tag = 'Earnings';
const ofUser = z.object({ userId: id });
const ofMonth = z.object({ userId: id, month: monthField });
/** `YYYY-MM` */
const month = z.string();

const counts = {
  reels: z.int(),
  posts: z.int(),
  stories: z.int(),
  /** Counted views of the creator's reels. */
  views: z.int(),
  /** Likes received on the creator's posts. */
  likes: z.int(),
};

const worth = {
  /** Integer paise, rounded down once. */
  paise: z.int(),
  /** The same as rupees with two decimals. */
  rupees: z.string(),
};

export const withdrawalState = z.enum(['pending', 'completed', 'rejected']);

export const withdrawal = z.object({
  _id: id,
  userId: id,
  month,
  monthLabel: z.string(),
  coins: z.int(),
  ...worth,
  /** The amount as the request names it. */
  totalRupee: z.string(),
  status: withdrawalState,
  /** The payer's, of a completed one. */
  reference: z.string().nullable(),
  /** Why, of a rejected one. */
  reason: z.string().nullable(),
  createdAt: time,
  decidedAt: time.nullable(),
});
export type Withdrawal = z.infer<typeof withdrawal>;

/** Where a month stands on its way to money. */
export const monthState = z.enum(['current', 'withdrawable', 'too_little', 'pending', 'completed']);
export type MonthState = z.infer<typeof monthState>;

export const historyRecord = z.object({
  userId: id,
  /** `October 2026` (specification §3). */
  month: z.string(),
  /** `2026-10` */
  monthKey: month,
  ...counts,
  totalCoins: z.int(),
  ...worth,
  state: monthState,
  withdrawable: z.boolean(),
  /** Why the last request for this month was rejected, while it can be asked for again. */
  rejection: z.string().nullable(),
});
export type HistoryRecord = z.infer<typeof historyRecord>;

/** One kind of thing that earned in a month: `count` of it brought `coins`. */
const line = z.object({
  kind: z.enum(['reels', 'posts', 'stories', 'views', 'likes']),
  count: z.int(),
  /** What each brings, for what is published; null for what is counted in tens. */
  coinsEach: z.int().nullable(),
  /** How many make one coin, for views and likes; null for what is published. */
  perCoin: z.int().nullable(),
  coins: z.int(),
  /** What is left after the last whole coin. */
  leftOver: z.int(),
});
export type MonthLine = z.infer<typeof line>;

export const totalViewsByUser = endpoint({
  method: 'GET',
  path: '/api/reel/totalViewsByUser/:userId',
  summary: 'Counted views of all your reels, ever',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  params: ofUser,
  response: ok({ totalViews: z.int() }),
  errors: ['not_yours'],
});

export const likedPostsCount = endpoint({
  method: 'GET',
  path: '/api/post/likedPosts/count/:userId',
  summary: 'Counted likes of all your posts, ever',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  params: ofUser,
  response: ok({ totalLikedPosts: z.int() }),
  errors: ['not_yours'],
});

export const updateStatus = endpoint({
  method: 'POST',
  path: '/api/user-earnings/update-status',
  summary: "The server's own record of a month; nothing of what the client says it earned is stored",
  tag,
  access: 'person',
  limit: { perPerson: 120 },
  body: z.object({
    userId: id,
    month: monthField,
    coins: z.unknown().optional(),
    breakdown: z.unknown().optional(),
  }),
  response: ok({
    data: z.object({
      userId: id,
      month,
      monthLabel: z.string(),
      coins: z.int(),
      breakdown: z.object(counts),
      ...worth,
      /** These add up to `coins`. */
      lines: z.array(line),
    }),
  }),
  errors: ['not_yours'],
});

export const getHistory = endpoint({
  method: 'GET',
  path: '/api/user-earnings/history/:userId',
  summary: 'Every month in which you earned something, newest first, and all of them together',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  params: ofUser,
  response: ok({
    data: z.object({
      data: z.array(historyRecord),
      totalCoins: z.int(),
      totalPaise: z.int(),
      totalRupees: z.string(),
    }),
  }),
  errors: ['not_yours'],
});

export const getWithdrawStatus = endpoint({
  method: 'GET',
  path: '/api/user-earnings/withdraw-status/:userId',
  summary:
    'How the withdrawal of each month stands; a month that was rejected can be asked for again and is absent',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  params: ofUser,
  response: ok({ data: z.record(month, z.enum(['pending', 'completed'])) }),
  errors: ['not_yours'],
});

export const requestWithdrawal = endpoint({
  method: 'POST',
  path: '/api/user-earnings/request',
  summary: 'Ask for the money of a finished month; sent twice it is the same withdrawal',
  tag,
  access: 'person',
  limit: { perPerson: 120 },
  body: z.object({
    userId: id,
    month: monthField,
    /** Rupees, as the record of the month says them; the server computes the amount itself and compares. */
    totalRupee: z.union([z.number(), z.string().trim().max(40)]).refine(isRupees, {
      error: 'Please give totalRupee as an amount in rupees, such as 12.50.',
    }),
    userName: z.string().max(200).nullish(),
  }),
  response: ok({ data: withdrawal, message: z.string() }),
  errors: ['not_yours', 'suspended', 'month_not_over', 'below_minimum', 'amount_differs'],
});

function isRupees(amount: number | string): boolean {
  return /^\d{1,16}(\.\d{1,20})?$/.test(String(amount));
}

export const getWithdrawals = endpoint({
  method: 'GET',
  path: '/api/user-earnings/allrequests/:userId',
  summary: 'Your withdrawals, newest first',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  params: ofUser,
  query: page,
  response: ok({ data: z.array(withdrawal), nextCursor }),
  errors: ['not_yours', 'bad_cursor'],
});

/** Why a view or a like brought nothing. */
const uncountedReason = z.enum(['repeated', 'own', 'bot', 'over_limit', 'copy', 'deleted', 'taken_back']);

const item = z.object({
  kind: z.enum(['reel', 'post', 'story']),
  _id: id,
  caption: z.string(),
  publishedAt: time,
  deletedAt: time.nullable(),
  /** A copy of a file published before: it earns nothing. */
  duplicate: z.boolean(),
  /** Coins for publishing it in this month. */
  publishedCoins: z.int(),
  /** Counted views of a reel, or likes of a post, in this month. */
  counted: z.int(),
  /** Whole coins that these made by themselves, and what was left of them. */
  countedCoins: z.int(),
  leftOver: z.int(),
  coins: z.int(),
  uncounted: z.array(z.object({ reason: uncountedReason, count: z.int() })),
});
export type EarningItem = z.infer<typeof item>;

/** What the items left over, put together: their tens make coins too. */
const pooled = z.object({ count: z.int(), coins: z.int(), leftOver: z.int() });

const monthTotal = {
  userId: id,
  month,
  monthLabel: z.string(),
  totalCoins: z.int(),
  coinsPerRupee: z.int(),
  /** Coins that make no whole paisa; they are not paid. */
  unpaidCoins: z.int(),
  ...worth,
  state: monthState,
  /** These add up to `totalCoins`. */
  lines: z.array(line),
};

export const getMonth = endpoint({
  method: 'GET',
  path: '/api/user-earnings/month/:userId/:month',
  summary: 'Where each coin of a month came from, down to the reel, and why views did not count',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  params: ofMonth,
  query: page,
  response: ok({
    data: z.object({
      ...monthTotal,
      /** The coins of all items, over all pages, and those of both pools add up to `totalCoins`. */
      items: z.array(item),
      pooledViews: pooled,
      pooledLikes: pooled,
    }),
    nextCursor,
  }),
  errors: ['not_yours', 'bad_cursor'],
});

export const getStatement = endpoint({
  method: 'GET',
  path: '/api/user-earnings/statement/:userId/:month',
  summary: 'A month as a statement: what was earned, what was asked for, what was paid',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  params: ofMonth,
  response: ok({
    data: z.object({
      ...monthTotal,
      name: z.string(),
      timeZone: z.string(),
      withdrawals: z.array(withdrawal),
      /** Steps of the ledger, oldest first; `balancePaise` after each is what is still owed. */
      postings: z.array(
        z.object({
          withdrawalId: id,
          step: z.enum(['requested', 'completed', 'rejected']),
          paise: z.int(),
          balancePaise: z.int(),
          postedAt: time,
        }),
      ),
      owedPaise: z.int(),
      paidPaise: z.int(),
      issuedAt: time,
    }),
  }),
  errors: ['not_yours'],
});
