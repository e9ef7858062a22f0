import { z } from 'zod';
import { copy } from './copies.ts';
import { asciiDigits } from './digits.ts';
import { endpoint, ok } from './endpoint.ts';
import { id, monthField, nextCursor, page, time, uuid } from './fields.ts';
import { invalid } from './invalid.ts';
import { payoutState, payoutStep } from './payouts.ts';

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
  /** In paise, rounded down once. */
  paise: z.int(),
  /** The same amount in rupees with two decimals. */
  rupees: z.string(),
};

export const withdrawalState = z.enum(['pending', 'completed', 'rejected']);

export const withdrawal = z.object({
  _id: id,
  userId: id,
  month,
  monthLabel: z.string(),
  /** Of its own month. */
  coins: z.int(),
  /** Months that were too small to be paid alone and are paid with it, oldest first. */
  carried: z.array(z.object({ month, monthLabel: z.string(), coins: z.int() })),
  ...worth,
  /** The amount under the name that the request uses. */
  totalRupee: z.string(),
  status: withdrawalState,
  /** The same in finer states: what a pending one waits for, and where its payment is. */
  payout: payoutState,
  /** How its payment went, oldest step first. */
  steps: z.array(payoutStep),
  /** The payer's reference, if it is completed. */
  reference: z.string().nullable(),
  /** The reason, if it was rejected by an operator. */
  reason: z.string().nullable(),
  createdAt: time,
  /** Since when nothing stood in the way of paying it; null while it waits, and for old ones. */
  readyAt: time.nullable(),
  decidedAt: time.nullable(),
});
export type Withdrawal = z.infer<typeof withdrawal>;

/** The state of a month: current, over and being counted, withdrawable, too small, or the state of its withdrawal. */
export const monthState = z.enum([
  'current',
  'counting',
  'withdrawable',
  'too_little',
  'pending',
  'completed',
]);
export type MonthState = z.infer<typeof monthState>;

/** What an operator decided about a month after it was closed. */
const monthDecision = z.object({
  /**
   * About its views. `void`: nothing is paid for them; coins that they earned already are taken back. `own`: of a work that was taken for
   * a copy and is the creator's own; its coins are those that the month would have paid for the work.
   */
  act: z.enum(['released', 'void', 'own']),
  /** The month of the views. */
  month,
  /** The month in which the coins count or are taken back. */
  countsIn: month,
  views: z.int(),
  coins: z.int(),
  reason: z.string(),
  decidedAt: time,
});
export type MonthDecision = z.infer<typeof monthDecision>;

const decided = {
  /** What was decided about its views, and about views of other months whose coins count in it; oldest first. */
  decisions: z.array(monthDecision),
  /** Coins of void views that are still to be taken back after this month, from later ones. */
  missingCoins: z.int(),
};

export const historyRecord = z.object({
  userId: id,
  /** `October 2026` (specification §3). */
  month: z.string(),
  /** `2026-10` */
  monthKey: month,
  ...counts,
  /** Watched views over what the month pays; they are paid once an operator releases them. */
  waitingViews: z.int(),
  ...decided,
  totalCoins: z.int(),
  ...worth,
  state: monthState,
  /** Whether it is closed and its result is written; until then these numbers are an estimate, and it cannot be withdrawn. */
  counted: z.boolean(),
  /** The state of its withdrawal as in withdraw-status; absent if there is none, or if it was rejected. */
  status: z.enum(['pending', 'completed']).optional(),
  /** The state of its last withdrawal in finer states; absent if there was none. */
  payout: payoutState.optional(),
  withdrawable: z.boolean(),
  /** What a request for this month pays: its own amount with that of the months it carries. */
  payablePaise: z.int(),
  payableRupees: z.string(),
  /** Earlier months that were too small to be paid alone and would be paid with this one. */
  carries: z.array(month),
  /** The month whose request pays this one, too. */
  carriedBy: month.nullable(),
  /** Why the last request for this month was rejected, as long as it can be requested again. */
  rejection: z.string().nullable(),
});
export type HistoryRecord = z.infer<typeof historyRecord>;

/** One kind of content or engagement in a month: `count` of it earned `coins`. */
const line = z.object({
  /**
   * `released`: coins of an earlier month's views that waited, and were released in this one. `own_works`: coins of earlier months for
   * works that were found in this one to be no copies. `taken_back`: coins of void views, below zero.
   */
  kind: z.enum(['reels', 'posts', 'stories', 'views', 'likes', 'released', 'own_works', 'taken_back']),
  count: z.int(),
  /** How many of these pay: no month pays for more publications than its rules say. */
  paid: z.int(),
  /** Coins for each published item; null for views and likes. */
  coinsEach: z.int().nullable(),
  /** Number of views or likes for one coin; null for published items. */
  perCoin: z.int().nullable(),
  coins: z.int(),
  /** Remainder after the last whole coin. */
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
      /** The coins of these add up to `coins`. */
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
      /** When the creator requested a review of pending views in the current month; null if not. */
      lookAskedAt: time.nullable(),
      balance: z.object({
        /** The sum of all months that can be withdrawn now. */
        availablePaise: z.int(),
        /** The sum of withdrawals that are neither paid nor rejected. */
        pendingPaise: z.int(),
        paidPaise: z.int(),
      }),
    }),
  }),
  errors: ['not_yours'],
});

export const askForLook = endpoint({
  method: 'POST',
  path: '/api/user-earnings/look',
  summary:
    'Ask operators to look at the views of your finished months that wait; once in a calendar month, sent again it is the same request',
  tag,
  access: 'person',
  limit: { perPerson: 30 },
  body: z.object({ userId: id }),
  response: ok({ data: z.object({ askedAt: time }) }),
  errors: ['not_yours', 'nothing_waits'],
});

export const getWithdrawStatus = endpoint({
  method: 'GET',
  path: '/api/user-earnings/withdraw-status/:userId',
  summary:
    'How the withdrawal of each month stands; a month that was rejected or cancelled can be asked for again and is absent',
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
    /** Rupees as displayed to the person: of the month alone, or with what it carries, which is paid. The server computes both itself. */
    totalRupee: z.union([z.number(), z.string().trim().overwrite(asciiDigits).max(40)]).refine(isRupees, {
      error: invalid('rupees'),
    }),
    userName: z.string().max(200).nullish(),
  }),
  response: ok({ data: withdrawal, message: z.string() }),
  errors: [
    'not_yours',
    'suspended',
    'month_not_over',
    'month_not_counted',
    'below_minimum',
    'amount_differs',
    'too_many_cancellations',
  ],
});

export const cancelWithdrawal = endpoint({
  method: 'POST',
  path: '/api/user-earnings/cancel',
  summary:
    'Cancel your withdrawal of a month, as long as no payment of it was sent; the month can be asked for again. Needs a confirmation. Sent twice it is the same',
  tag,
  access: 'person',
  limit: { perPerson: 30 },
  body: z.object({ month: monthField }),
  response: ok({ data: withdrawal }),
  errors: ['confirmation_required', 'already_sent', 'payouts_locked'],
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

/** Why a view or like did not count. */
const uncountedReason = z.enum([
  'not_watched',
  'repeated',
  'own',
  'bot',
  'over_limit',
  'too_late',
  'copy',
  'deleted',
  'taken_back',
]);

const uncounted = z.array(z.object({ reason: uncountedReason, count: z.int() }));

const item = z.object({
  kind: z.enum(['reel', 'post', 'story']),
  _id: id,
  caption: z.string(),
  publishedAt: time,
  deletedAt: time.nullable(),
  /** A copy of an earlier work earns nothing: the same file, or a changed one. */
  duplicate: z.boolean(),
  /** What it was taken for, if it is a duplicate, and what a person said of it. */
  copy: copy.nullable(),
  /** Why its publication earns nothing, other than as a duplicate: too short, one picture, or over what a month pays. */
  unpaid: z.enum(['too_short', 'still', 'over_month']).nullable(),
  /** Coins for its publication in this month. */
  publishedCoins: z.int(),
  /** How often a reel was shown in this month, and how many of these views were watched (both 0 for others). */
  shown: z.int(),
  watched: z.int(),
  /** Counted views of a reel, or likes of a post, in this month. */
  counted: z.int(),
  /** Whole coins from these, and the remainder. */
  countedCoins: z.int(),
  leftOver: z.int(),
  coins: z.int(),
  uncounted,
});
export type EarningItem = z.infer<typeof item>;

/** The sum of the items' remainders, and the coins it makes. */
const pooled = z.object({ count: z.int(), coins: z.int(), leftOver: z.int() });

const notPaid = z.object({ count: z.int(), coins: z.int() });

const monthTotal = {
  userId: id,
  month,
  monthLabel: z.string(),
  totalCoins: z.int(),
  coinsPerRupee: z.int(),
  /** Coins that are less than a paisa; they are not paid. */
  unpaidCoins: z.int(),
  ...worth,
  state: monthState,
  /** As in the history. */
  counted: z.boolean(),
  /** The coins of these add up to `totalCoins`. */
  lines: z.array(line),
  ...decided,
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
      /** The coins of all items on all pages and of both pools, less what does not pay, and with what was released and taken back add up to `totalCoins`. */
      items: z.array(item),
      pooledViews: pooled,
      pooledLikes: pooled,
      /** Views and likes over what the month pays, with the coins that they would be. */
      unpaidViews: notPaid,
      unpaidLikes: notPaid,
    }),
    nextCursor,
  }),
  errors: ['not_yours', 'bad_cursor'],
});

const reelViews = {
  /** How often a reel was shown. */
  shown: z.int(),
  /** How many of these views were watched. */
  watched: z.int(),
  /** How many of the watched ones count for coins; a month may pay fewer (decisions §4). */
  counted: z.int(),
};

export const getReelViews = endpoint({
  method: 'GET',
  path: '/api/user-earnings/reel-views',
  summary: 'How often some of your reels were shown, watched and counted, since their publication',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  query: z.object({
    ids: z
      .string()
      .regex(new RegExp(`^${uuid}(,${uuid}){0,99}$`, 'i'), { error: invalid('reel_ids') })
      .describe('Ids of at most 100 reels, separated by commas'),
  }),
  response: ok({ data: z.array(z.object({ _id: id, ...reelViews })) }),
  errors: ['invalid_input'],
});

export const getYesterday = endpoint({
  method: 'GET',
  path: '/api/user-earnings/yesterday',
  summary:
    'How often your reels were shown, watched and counted on the day before today, in the business time zone',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  response: ok({
    data: z.object({
      day: z.iso.date(),
      ...reelViews,
      /** Coins of its counted views, without the remainder. */
      viewCoins: z.int(),
    }),
  }),
});

export const getReelEarnings = endpoint({
  method: 'GET',
  path: '/api/user-earnings/reel/:id',
  summary:
    'What one of your reels earned: its views from showing to coin, why others did not count, and its days',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  params: z.object({ id }),
  response: ok({
    data: z.object({
      ...reelViews,
      /** Coins of its counted views, if its months pay them all, and without the remainders that they share. */
      viewCoins: z.int(),
      uncounted,
      /** Days with views, oldest first; at most 92. Days are of the business time zone. */
      days: z.array(z.object({ day: z.iso.date(), ...reelViews })),
    }),
  }),
  errors: ['not_found'],
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
      /**
       * What was paid to the creator in each financial year that has a payment, newest first, all months together; a payment belongs
       * to the day on which it was noted as completed. `year` is the one in which the financial year begins.
       */
      years: z.array(z.object({ year: z.int(), payments: z.int(), paidPaise: z.int() })),
      withdrawals: z.array(withdrawal),
      /** Ledger transactions, oldest first, each with the balance that is owed after it. */
      postings: z.array(
        z.object({
          withdrawalId: id,
          step: z.enum(['requested', 'completed', 'rejected', 'returned']),
          paise: z.int(),
          balancePaise: z.int(),
          /** Of a payment its reference, of what was rejected or came back the reason. */
          note: z.string().nullable(),
          /** Of a payment: its destination, masked; null if it is unknown, for example after a payment by hand. */
          paidTo: z.string().nullable(),
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
