import { z } from 'zod';
import { acts } from './acts.ts';
import { differenceKinds } from './audit-differences.ts';
import { categoryGroups } from './categories.ts';
import { withdrawal, withdrawalState } from './earnings.ts';
import { endpoint, ok } from './endpoint.ts';
import { dayField, id, monthField, nextCursor, page, requiredText, text, time, uuid } from './fields.ts';
import { financialYearField } from './financial-year.ts';
import { invalid } from './invalid.ts';
import { maskedDestination } from './payouts.ts';
import { reportKinds } from './reports.ts';
import { retention } from './retention.ts';
import { roles } from './roles.ts';
import { canFollow, type SiteRule, siteRuleNames, suspensionDaysAtMost, workLabels } from './site-rules.ts';

const tag = 'Operators';
const byId = z.object({ id });

/** The longest reason of an operator. */
export const reasonAtMost = 500;

/** A text from an operator that other people read. */
export const because = (missing: string) => requiredText(reasonAtMost, missing);

/** Signs of fraud in the finished month of a creator. */
export const monthMark = z.enum([
  // Five viewers, or five networks, made most of the watched views.
  'few_viewers',
  'few_networks',
  // Of the established accounts that watched the creator, most were created on one day.
  'accounts_of_one_day',
  // Five accounts gave most of the likes.
  'few_likers',
]);
export type MonthMark = z.infer<typeof monthMark>;

/** A sign with its evidence: so many of so many views, accounts or likes. */
const foundMark = z.object({ mark: monthMark, found: z.int(), of: z.int() });
export type FoundMark = z.infer<typeof foundMark>;

/** Risk marks of a withdrawal, for operators; none of them decides anything automatically. */
export const riskMark = z.enum([
  ...monthMark.options,
  'account_gone',
  'suspended',
  'new_account',
  'far_over_usual',
  // An operator recorded an earlier payment of it as failed or returned: a further one pays it again.
  'retried',
  // What a payout waits for.
  'no_destination',
  // It cannot be read any more, since the keys of the site were lost: ask the person to enter it again.
  'unreadable_destination',
  // It was saved in a script that the payer does not take.
  'name_not_taken',
  'address_not_verified',
  'on_hold',
  // Several accounts are paid at one destination.
  'shared_destination',
]);
export type RiskMark = z.infer<typeof riskMark>;

export const withdrawalForReview = withdrawal.extend({
  /** Empty if the account was deleted. */
  name: z.string(),
  username: z.string(),
  email: z.string(),
  /** Since when the account exists, and since when it is suspended; null if it was deleted, or is not suspended. */
  joinedAt: time.nullable(),
  suspendedAt: time.nullable(),
  /** Where a pending one is to be paid, masked. */
  destination: maskedDestination.nullable(),
  marks: z.array(riskMark),
  /** What the marks of its months, and of those that it carries, are drawn from. */
  evidence: z.array(foundMark.extend({ month: monthField })),
  /** Views that wait in its month and in those that it carries, and the coins that they would pay if released. */
  waitingViews: z.int(),
  waitingCoins: z.int(),
});
export type WithdrawalForReview = z.infer<typeof withdrawalForReview>;

export const listWithdrawals = endpoint({
  method: 'GET',
  path: '/api/operator/withdrawals',
  summary:
    'Withdrawals of every creator, each with what is worth a look before it is paid: pending ones oldest first, all others newest first',
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 600 },
  query: page.extend({
    state: z.enum(withdrawalState.options, { error: invalid('state') }).optional(),
    month: monthField.optional(),
  }),
  response: ok({ data: z.array(withdrawalForReview), nextCursor }),
  errors: ['bad_cursor'],
});

/** What was paid to one creator in a financial year. */
const yearlyTotal = z.object({
  userId: id,
  /** Empty if the account was deleted. */
  name: z.string(),
  username: z.string(),
  payments: z.int(),
  paidPaise: z.int(),
  rupees: z.string(),
});
export type YearlyTotal = z.infer<typeof yearlyTotal>;

export const listYearlyTotals = endpoint({
  method: 'GET',
  path: '/api/operator/withdrawals/totals/:year',
  summary:
    'What was paid to each creator in the financial year that begins in April of this year; who was paid last comes first',
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 600 },
  params: z.object({ year: financialYearField }),
  query: page,
  response: ok({ data: z.array(yearlyTotal), nextCursor }),
  errors: ['bad_cursor'],
});

const waitingIs = invalid('waiting');

/** Views that can be declared void: those above the limit of their month, which wait or were released, or those that pay. */
export const voidedViews = z.enum(['waiting', 'paid'], { error: invalid('voided') });

/** A decision about pending views needs a reason. */
export const withReason = [
  ({ waiting, reason }: { waiting?: unknown; reason?: string | undefined }) =>
    !waiting || reason !== undefined,
  { error: invalid('reason_creator'), path: ['reason'] },
] as [
  (given: { waiting?: unknown; reason?: string | undefined }) => boolean,
  { error: string; path: string[] },
];

/** What becomes of the views that wait in the months of a withdrawal, said in the act that decides it. */
export const aboutWaiting = {
  waiting: z
    .enum(['release', 'void'], { error: waitingIs })
    .optional()
    .describe(
      'What becomes of the views that wait in its month and in those that it carries; nothing unless told',
    ),
  reason: because(invalid('reason_creator')).optional().describe('For that, which its creator reads'),
};

export const completeWithdrawal = endpoint({
  method: 'POST',
  path: '/api/operator/withdrawals/complete/:id',
  summary:
    'Note that a withdrawal has been paid, under the reference of the payment; sent twice it is paid once',
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 240 },
  params: byId,
  body: z
    .object({
      reference: requiredText(100, invalid('reference')).describe('Of the payment, which its creator reads'),
      ...aboutWaiting,
    })
    .refine(...withReason),
  response: ok({ data: withdrawal }),
  errors: [
    'not_found',
    'withdrawal_decided',
    'person_suspended',
    'payout_waits',
    'payout_open',
    'payment_told',
    'own_withdrawal',
    'new_operator',
    'second_operator',
    'reference_used',
    'payouts_locked',
    'confirmation_required',
  ],
});

export const rejectWithdrawal = endpoint({
  method: 'POST',
  path: '/api/operator/withdrawals/reject/:id',
  summary: 'Reject a withdrawal with a reason that its creator reads; the month can be asked for again',
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 240 },
  params: byId,
  body: z.object({
    reason: because(invalid('reason_creator')).describe('Its creator reads it'),
    waiting: z
      .enum(['release', 'void', 'void_paid'], { error: waitingIs })
      .optional()
      .describe(
        'What becomes of the views that wait in its month and in those that it carries; void_paid: those that pay are void, too, so that asking again pays nothing for them',
      ),
  }),
  response: ok({ data: withdrawal }),
  errors: [
    'not_found',
    'second_operator',
    'withdrawal_decided',
    'payout_open',
    'payouts_locked',
    'own_withdrawal',
    'confirmation_required',
  ],
});

/** Pending views of a creator's finished month, with the figures that an operator needs to decide about them. */
const waitingMonth = z.object({
  userId: id,
  /** Empty if the account was deleted. */
  name: z.string(),
  username: z.string(),
  month: z.string(),
  monthLabel: z.string(),
  /** Watched views, those of them that pay, and those that wait, with the coins that these are worth. */
  watched: z.int(),
  paid: z.int(),
  waiting: z.int(),
  coins: z.int(),
  /** Established accounts that watched the creator, and how many views they let pay together. */
  established: z.int(),
  accountViews: z.int(),
  /** When the creator last asked for a review after that month; null if never. */
  lookAskedAt: time.nullable(),
});
export type WaitingMonth = z.infer<typeof waitingMonth>;

export const listWaitingMonths = endpoint({
  method: 'GET',
  path: '/api/operator/months/waiting',
  summary:
    'Finished months in which views wait, newest first; a page may hold fewer than asked for although the list continues',
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 240 },
  query: page,
  response: ok({ data: z.array(waitingMonth), nextCursor }),
  errors: ['bad_cursor'],
});

const decidedMonth = z.object({
  userId: id,
  month: z.string(),
  monthLabel: z.string(),
  views: z.int(),
  coins: z.int(),
  /** The month in which the coins count, or are taken back. */
  countsIn: z.string(),
});
export type DecidedMonth = z.infer<typeof decidedMonth>;

export const releaseMonth = endpoint({
  method: 'POST',
  path: '/api/operator/months/release',
  summary:
    'Release the views of a finished month that wait, of one creator or of all; their coins count in the month that is running. Sent twice it releases once',
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 240 },
  body: z.object({
    month: monthField,
    userId: id.optional().describe("Whose; everybody's where it is absent"),
    reason: because(invalid('reason_creator')).describe('The creators read it'),
  }),
  seconds: 5 * 60,
  response: ok({ data: z.array(decidedMonth) }),
  errors: ['own_withdrawal', 'confirmation_required'],
});

export const voidMonth = endpoint({
  method: 'POST',
  path: '/api/operator/months/void',
  summary:
    "Declare views of a creator's finished month void: nothing is paid for them, and coins that they earned already are taken back. Sent twice it is done once. It is a proposal, which a second operator approves; a command on the server does it at once",
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 240 },
  body: z.object({
    month: monthField,
    userId: id.describe('Whose'),
    what: voidedViews
      .default('waiting')
      .describe('Those over the limit, which wait or were released, or those that pay'),
    reason: because(invalid('reason_creator')).describe('Their creator reads it'),
  }),
  response: ok({
    /** Null where there are none, or for a proposal. */
    data: decidedMonth.nullable(),
    /** The proposal that a second operator approves; null if it was done. */
    proposal: id.nullable(),
  }),
  errors: ['not_found', 'own_withdrawal', 'new_operator', 'payouts_locked', 'confirmation_required'],
});

const earlierVersion = z.object({
  _id: id,
  kind: z.enum(['reel', 'post']),
  caption: z.string(),
  /** Of a photo. */
  description: z.string(),
  /** Credit and category ids of a reel. */
  creadit: z.string(),
  category: z.array(z.string()),
  /** The second of the chosen cover of a reel; null for the picture of its publication. */
  coverSecond: z.number().nullable(),
  /** When it was edited to something else. */
  replacedAt: time,
});
export type EarlierVersion = z.infer<typeof earlierVersion>;

export const listVersions = endpoint({
  method: 'GET',
  path: '/api/operator/reports/versions/:id',
  summary: `What a reel or a photo said before its owner edited it, newest first: edits of the last ${retention.versionDays} days, also of what was deleted since`,
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 600 },
  params: byId,
  query: page,
  response: ok({ data: z.array(earlierVersion), nextCursor }),
  errors: ['bad_cursor', 'not_allowed'],
});

/** The rule of the site by which something is taken from a person, who reads it. */
const rule = z
  .enum(siteRuleNames, { error: invalid('rule', { rules: siteRuleNames.join(', ') }) })
  .describe('The broken rule, which the person reads');

/** The target of an action: the id of a case, or the content as `kind:id`. */
export const target = z
  .string({ error: invalid('target') })
  .regex(new RegExp(`^(?:(?:${reportKinds.join('|')}):)?${uuid}$`), {
    error: invalid('target_kind', { kinds: reportKinds.join(', ') }),
  });

/** So many undecided cases are merged into one at most: an act on it is for all their works, which its operator is shown before. */
export const mergedAtMost = 100;

/** What an operator has been shown of a merge, which an act is for too. */
export const shownMerged = z
  .array(id)
  .describe('Cases merged into it that you have seen: refused if the act is for others too');
const ruled = {
  target,
  rule,
  reason: because(invalid('reason_owner')).describe('Its owner reads it'),
  merged: shownMerged.max(mergedAtMost).optional(),
};
const canAct = ['not_found', 'invalid_input', 'own_work', 'not_allowed'] as const;

/** Common fields of the moderation calls that change public content. */
const moderates = {
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 240 },
  changesLists: true,
} as const;

const moderated = z.object({
  kind: z.enum(reportKinds),
  _id: id,
  /** Reason of the take-down, or that it waits for an operator; null if it is public. */
  takenDown: z.string().nullable(),
});
export type Moderated = z.infer<typeof moderated>;

const labelled = z.object({
  kind: z.enum(reportKinds),
  _id: id,
  label: z.enum(workLabels).nullable(),
});
export type Labelled = z.infer<typeof labelled>;

export const takeDown = endpoint({
  method: 'POST',
  path: '/api/operator/reports/take-down',
  summary:
    'Take down what breaks a rule of the site: hidden from all but its owner, who is notified of the rule and the reason; a comment is deleted. Its case is decided. This `copy` hides one work, and the earliest copy by somebody else then counts as the original. This `content` makes everything that looks like it wait for an operator (`copies`)',
  ...moderates,
  body: z
    .object({ ...ruled, what: z.enum(['copy', 'content'], { error: invalid('take_down_what') }) })
    .refine(({ rule, what }: { rule: SiteRule; what: 'copy' | 'content' }) => canFollow(rule, what), {
      error: invalid('rule_what'),
      path: ['what'],
    }),
  response: ok({ data: moderated }),
  errors: [...canAct, 'month_settled', 'case_claimed', 'case_decided'],
});
export type TakeDownForm = z.output<(typeof takeDown)['body']>;

export const restoreContent = endpoint({
  method: 'POST',
  path: '/api/operator/reports/restore',
  summary:
    'Make public again what was taken down, and the copies of it that wait. If its owner deleted it, only these and new copies can be public again',
  ...moderates,
  body: z.object({ target }),
  response: ok({ data: moderated }),
  errors: [...canAct, 'month_settled'],
});

export const labelContent = endpoint({
  method: 'POST',
  path: '/api/operator/reports/label',
  summary:
    'Label a reel or a photo by a rule of the site: it stays public, and all who see it read that it may be disturbing, or that it was made or altered by a machine. Its owner is notified of the rule and the reason. Its case is decided',
  ...moderates,
  body: z.object(ruled).refine(({ rule }: { rule: SiteRule }) => canFollow(rule, 'label'), {
    error: invalid('rule_what'),
    path: ['rule'],
  }),
  response: ok({ data: labelled }),
  errors: [...canAct, 'case_claimed', 'case_decided'],
});
export type LabelForm = z.output<(typeof labelContent)['body']>;

export const unlabelContent = endpoint({
  method: 'POST',
  path: '/api/operator/reports/unlabel',
  summary: 'Take the label from a reel or a photo',
  ...moderates,
  body: z.object({ target }),
  response: ok({ data: labelled }),
  errors: ['not_found', 'invalid_input', 'own_work'],
});

export const personForOperators = z.object({
  _id: id,
  name: z.string(),
  username: z.string(),
  email: z.string(),
  role: z.enum(roles),
  /** Whether this operator may see what shows a child. */
  childSafety: z.boolean(),
  suspendedAt: time.nullable(),
  /** Until when their reports are muted, or were; null if never, or if an operator ended it. */
  reportsMutedUntil: time.nullable(),
  reelCount: z.int(),
  postCount: z.int(),
  createdAt: time,
});
export type PersonForOperators = z.infer<typeof personForOperators>;

export const findPeople = endpoint({
  method: 'GET',
  path: '/api/operator/people',
  summary:
    'People, newest first; by a part of their name, username or e-mail address, by one or two letters with which a name or username begins, or by id; suspended ones too',
  tag,
  access: 'operator',
  role: 'any',
  limit: { perPerson: 600 },
  query: page.extend({
    q: requiredText(100, invalid('whom')).optional(),
  }),
  response: ok({ data: z.array(personForOperators), nextCursor }),
  errors: ['bad_cursor'],
});

const daysIs = { error: invalid('days', { most: suspensionDaysAtMost }) };

export const suspendPerson = endpoint({
  method: 'POST',
  path: '/api/operator/people/suspend/:id',
  summary:
    'Suspend an account for days: signed out at once, and nothing of it is public. Its owner gets the rule and the reason by mail. Its case is decided. Without an end it is a proposal, which a second operator approves; a command on the server does it at once',
  ...moderates,
  params: byId,
  body: z.object({
    rule,
    days: z.coerce
      .number(daysIs)
      .int(daysIs)
      .min(1, daysIs)
      .max(suspensionDaysAtMost, daysIs)
      .optional()
      .describe('After so many days it ends by itself; absent: it has no end'),
    reason: because(invalid('reason_owner')).describe('The person reads it'),
  }),
  response: ok({
    data: personForOperators,
    /** The proposal that a second operator approves; null if it was done, or if the account is suspended without an end. */
    proposal: id.nullable(),
  }),
  errors: ['not_found', 'is_operator', 'own_work', 'not_allowed', 'case_claimed', 'new_operator'],
});
export type SuspendForm = z.output<(typeof suspendPerson)['body']>;

export const restorePerson = endpoint({
  method: 'POST',
  path: '/api/operator/people/restore/:id',
  summary: 'End a suspension: what was public is public again, and its owner can log in',
  ...moderates,
  params: byId,
  response: ok({ data: personForOperators }),
  errors: ['not_found'],
});

/** For how many days a person's reports can be muted. */
export const muteDays = [7, 30] as const;

const muteDaysIs = { error: invalid('mute_days') };

export const muteReports = endpoint({
  method: 'POST',
  path: '/api/operator/people/mute/:id',
  summary:
    'Mute the reports of a person who floods the queue: they are accepted as before and the person is not told, but cases that nobody else has reported are only in the list `muted`. Not what has a deadline by law: intimate pictures, a child in danger. It ends by itself; no effect while it lasts',
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 60 },
  params: byId,
  body: z.object({
    days: z.coerce
      .number(muteDaysIs)
      .refine((days) => muteDays.some((one) => one === days), muteDaysIs)
      .describe('7 or 30'),
    reason: because(invalid('reason_log')).describe('For the log'),
    dismiss: z
      .boolean()
      .default(false)
      .describe(
        'Also decide, with this reason, that nothing is to be done in undecided cases that nobody else has reported',
      ),
  }),
  response: ok({ data: personForOperators }),
  errors: ['not_found', 'invalid_input'],
});

export const unmuteReports = endpoint({
  method: 'POST',
  path: '/api/operator/people/unmute/:id',
  summary: "End the mute of a person's reports: their undecided cases are in the queue again",
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 60 },
  params: byId,
  response: ok({ data: personForOperators }),
  errors: ['not_found'],
});

export const setRole = endpoint({
  method: 'POST',
  path: '/api/operator/people/role/:id',
  summary:
    'Make somebody an operator of a role, give an operator another role, or make them an ordinary person again; all operators are notified, and the last administrator stays',
  tag,
  access: 'operator',
  role: 'administrator',
  limit: { perPerson: 240 },
  params: byId,
  body: z.object({
    role: z.enum(roles, { error: invalid('role') }),
    childSafety: z
      .boolean()
      .default(false)
      .describe('Whether this operator may see and decide what may show a child'),
  }),
  response: ok({
    data: personForOperators,
    /** A new operator sets up the second factor by it, on the page Settings; good once, for a day. */
    enrolment: z.string().nullable(),
  }),
  errors: ['not_found', 'person_suspended', 'last_operator', 'confirmation_required'],
});

const keptMessage = z.object({
  _id: id,
  kind: z.enum(['contact', 'feedback']),
  /** The sender's account, if they were signed in and it still exists. */
  userId: id.nullable(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  text: z.string(),
  createdAt: time,
});
export type StoredMessage = z.infer<typeof keptMessage>;

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/operator/messages',
  summary: 'What people wrote to the operators, newest first: messages, or feedback',
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 600 },
  query: page.extend({
    kind: z.enum(['contact', 'feedback'], { error: invalid('kind') }).default('contact'),
  }),
  response: ok({ data: z.array(keptMessage), nextCursor }),
  errors: ['bad_cursor'],
});

const difference = z.object({
  what: z.enum(differenceKinds),
  id: z.string(),
  month: z.string().nullable(),
  figure: z.string(),
  recorded: z.union([z.string(), z.number()]),
  derived: z.union([z.string(), z.number()]),
});

export const getAudit = endpoint({
  method: 'GET',
  path: '/api/operator/ledger/audit',
  summary: 'Derive every month, withdrawal and balance again from the events, and name each difference',
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 20 },
  seconds: 20 * 60,
  response: ok({
    data: z.object({
      months: z.int(),
      withdrawals: z.int(),
      differences: z.array(difference),
      /** Withdrawals that were paid again after an operator recorded a payment as failed or returned: the newest hundred. */
      paidAgain: z.array(
        z.object({ withdrawalId: id, userId: id, month: monthField, paise: z.int(), at: time }),
      ),
    }),
  }),
});

export const getLastAudit = endpoint({
  method: 'GET',
  path: '/api/operator/ledger/last-audit',
  summary: 'What the last nightly audit found, for a watchman: an alarm where anything differs or it is old',
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 600 },
  response: ok({
    /** Null before the first audit. */
    data: z
      .object({
        at: time,
        ageSeconds: z.int(),
        months: z.int(),
        withdrawals: z.int(),
        /** Number of differences; `/api/operator/ledger/differences` lists them. */
        differences: z.int(),
      })
      .nullable(),
  }),
});

export const getMediaAudit = endpoint({
  method: 'GET',
  path: '/api/operator/media/audit',
  summary:
    "Compare what living rows refer to with the files that are stored, and name each that is missing, of another size, or nobody's",
  tag,
  access: 'operator',
  role: 'administrator',
  limit: { perPerson: 20 },
  seconds: 20 * 60,
  response: ok({
    data: z.object({
      /** Numbers of checked references from rows to files, and of checked files. */
      rows: z.int(),
      files: z.int(),
      differences: z.array(
        z.object({
          what: z.enum(['missing', 'size', 'stray']),
          file: z.string(),
          /** The row that refers to the file, as `kind:id`. */
          row: z.string().nullable(),
          /** Sizes in bytes. */
          recorded: z.int().nullable(),
          found: z.int().nullable(),
        }),
      ),
    }),
  }),
});

export const listCategories = endpoint({
  method: 'GET',
  path: '/api/operator/categories',
  summary: 'The categories, how many reels each shows, and how many it should',
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 600 },
  response: ok({
    data: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        group: z.enum(categoryGroups),
        /** The displayed count. */
        count: z.int(),
        /** The fresh count. */
        reels: z.int(),
      }),
    ),
  }),
});

export const loggedAct = z.object({
  _id: id,
  /** Null for a command on the server that named no account. */
  operatorId: id.nullable(),
  operator: z.string(),
  act: z.string(),
  targetKind: z.string(),
  targetId: z.string(),
  details: z.record(z.string(), z.unknown()),
  createdAt: time,
});
export type LoggedAct = z.infer<typeof loggedAct>;

/** What an act is about, in words: the thing of a case as it was reported, another one as it is. */
const namedThing = z.object({
  kind: z.enum([...reportKinds, 'appeal']),
  /** A caption, comment or name. */
  words: z.string(),
  /** Username of its owner; empty if the account was deleted. */
  owner: z.string(),
});
export type NamedThing = z.infer<typeof namedThing>;

const namedAct = loggedAct.extend({
  /** Null for what has no words, what was deleted, what may show a child if the reader may not see that, and all but people for who may not read cases. */
  thing: namedThing.nullable(),
});
export type NamedAct = z.infer<typeof namedAct>;

export const listLog = endpoint({
  method: 'GET',
  path: '/api/operator/log',
  summary: 'What operators did, newest first; by operator, act, target and days',
  tag,
  access: 'operator',
  role: 'any',
  limit: { perPerson: 600 },
  query: page.extend({
    operator: text(100).optional().describe('Name of the operator, as in the log'),
    act: z.enum(acts, { error: invalid('logged_act') }).optional(),
    about: text(300).optional().describe('About what: a username, an id, or kind:id as in the log'),
    from: dayField.optional().describe('First day, as YYYY-MM-DD'),
    to: dayField.optional().describe('Last day, as YYYY-MM-DD'),
  }),
  response: ok({ data: z.array(namedAct), nextCursor }),
  errors: ['bad_cursor', 'not_found'],
});

export const showAct = endpoint({
  method: 'GET',
  path: '/api/operator/log/:id',
  summary: 'One act of the log, and the newest acts on the same target',
  tag,
  access: 'operator',
  role: 'any',
  limit: { perPerson: 600 },
  params: byId,
  response: ok({ data: namedAct.extend({ history: z.array(loggedAct) }) }),
  errors: ['not_found'],
});
export type ActCase = z.output<typeof showAct.response>['data'];
