import { z } from 'zod';
import { appealAnswers, decisionActs } from './decisions.ts';
import { endpoint, ok } from './endpoint.ts';
import { sentence } from './failure.ts';
import { id, nextCursor, page, requiredText, time } from './fields.ts';
import { invalid } from './invalid.ts';
import { limits } from './limits.ts';
import { because, loggedAct, mergedAtMost, shownMerged, target } from './operators.ts';
import { reportKinds, reportReasons } from './reports.ts';
import { canFollow, type SiteRule, siteRuleNames, workLabels } from './site-rules.ts';
import { countedTo } from './today.ts';

/*
 * A case: all reports of one thing until operators have decided about it. Its id is that of its first report.
 */

const tag = 'Operators';
const byId = z.object({ id });

/** Why there is a case: what people report, an order of a court or an authority, which an operator enters, or the appeal of a person. */
export const caseReasons = [...reportReasons, 'order', 'appeal'] as const;
export type CaseReason = (typeof caseReasons)[number];

/** Reports with a deadline by law, which are never muted. */
export const neverMuted: readonly CaseReason[] = ['intimate', 'child_safety', 'order'];

/** What people report, or the appeal of a person against a decision. Here for the console's own script: that of every page has `reports.ts`. */
export const caseKinds = [...reportKinds, 'appeal'] as const;
export type CaseKind = (typeof caseKinds)[number];

/** By the letters of what was reported: Latin ones, Devanagari, or others and none. */
export const caseLanguages = ['en', 'hi', 'other'] as const;
export type CaseLanguage = (typeof caseLanguages)[number];

/** `open`: undecided, the queue. `mine`: those that the operator has claimed. `muted`: only people whose reports are muted have reported it. */
export const caseStates = ['open', 'mine', 'muted', 'decided'] as const;
export type CaseState = (typeof caseStates)[number];

/** The longest note of an operator on a case. */
export const noteAtMost = 2000;

/** How long a claim lasts, unless it is made again. */
export const claimMinutes = 30;

/** The current state of the reported thing. */
const reportedState = z.enum(['public', 'hidden', 'taken_down', 'gone']);

const claim = z.object({ by: z.string(), mine: z.boolean(), until: time });

export const listedCase = z.object({
  _id: id,
  kind: z.enum(caseKinds),
  /** What the case is about in the end: of an appeal what was decided about, otherwise the same as `kind`. */
  about: z.enum(reportKinds),
  /** Null if the reader may not see what shows a child, and the case is about that. */
  targetId: id.nullable(),
  language: z.enum(caseLanguages),
  reasons: z.array(z.enum(caseReasons)),
  /** How many reports it has. */
  reports: z.int(),
  /** Username of the owner, as it was when it was reported; empty if `targetId` is null. */
  owner: z.string(),
  /** The reported text, as it was: a caption, comment or name; empty for what may show a child, until `lookAtCase`. */
  words: z.string(),
  state: reportedState,
  /** What it is labelled as; null if it is not. */
  label: z.enum(workLabels).nullable(),
  /** How often its owner edited it in the last 180 days. */
  edits: z.int(),
  openedAt: time,
  /** When it must be decided: the earliest deadline of its reports. */
  dueAt: time,
  takenUpAt: time.nullable(),
  /** Which operator has claimed the case, and until when; null if it is not claimed. */
  claim: claim.nullable(),
  closedAt: time.nullable(),
  /** Name of the operator who decided it. */
  closedBy: z.string().nullable(),
  /** The case into which it is merged, and with which it is decided; null if it is decided by itself. */
  mergedInto: id.nullable(),
});
export type ListedCase = z.infer<typeof listedCase>;

const caseFilters = {
  kind: z.enum(caseKinds, { error: invalid('report_kind', { kinds: caseKinds.join(', ') }) }).optional(),
  language: z.enum(caseLanguages, { error: invalid('case_language') }).optional(),
};

export const listCases = endpoint({
  method: 'GET',
  path: '/api/operator/reports',
  summary:
    'Cases: what was reported, all reports of one thing together. Those that must be decided first come first; of decided ones those that were decided last',
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 600 },
  query: page.extend({
    state: z.enum(caseStates, { error: invalid('case_state') }).default('open'),
    ...caseFilters,
  }),
  response: ok({ data: z.array(listedCase), nextCursor }),
  errors: ['bad_cursor'],
});

export const countCases = endpoint({
  method: 'GET',
  path: '/api/operator/reports/counts',
  summary: `How many undecided cases each filter of the list has: kinds in the given language, languages of the given kind, states by both. Counts stop at ${countedTo}: whatever is more is ${countedTo + 1}`,
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 600 },
  query: z.object(caseFilters),
  response: ok({
    data: z.object({
      state: z.object({ open: z.int(), mine: z.int(), muted: z.int() }),
      kind: z.record(z.enum(caseKinds), z.int()),
      language: z.record(z.enum(caseLanguages), z.int()),
    }),
  }),
});
export type CaseCounts = z.output<typeof countCases.response>['data'];

const reportOfCase = z.object({
  _id: id,
  reason: z.enum(caseReasons),
  text: z.string(),
  /** How a visitor wants to be answered; empty if they do not, or for a signed-in person. */
  contact: z.string(),
  /** Username of the reporting person; empty for a visitor, or if the account was deleted. */
  reporter: z.string(),
  reporterId: id.nullable(),
  createdAt: time,
});

/** How many reports and acts a case shows at most, the newest. */
export const shownOfCase = 100;

/** What was decided against the person: in this case, or in the one that this is the appeal of. */
const decisionOfCase = z.object({
  rule: z.enum(siteRuleNames),
  act: z.enum(decisionActs),
  until: time.nullable(),
  reason: z.string(),
  /** Name of the operator; empty for a command on the server, or if the account was deleted. */
  by: z.string(),
  decidedAt: time,
  endedAt: time.nullable(),
  /** The case that was decided so, and the appeal against that; null if there is none, or not any more. */
  caseId: id.nullable(),
  appealId: id.nullable(),
  answer: z.enum(appealAnswers).nullable(),
  answerReason: z.string().nullable(),
});
export type DecisionOfCase = z.infer<typeof decisionOfCase>;

/** The files of the evidence. */
const evidenceParts = ['picture', 'video'] as const;

const evidence = {
  /** The reported text, as it was: a caption, comment or name. */
  words: z.string(),
  /** A further reported text: the description of a photo. */
  more: z.string(),
  /** Addresses of `showEvidence` for its picture and video; empty if it has none, or if it was deleted. */
  picture: z.string(),
  video: z.string(),
  /** Address of the page that shows it to everybody; empty if none does. */
  page: z.string(),
};

const shownCase = listedCase.extend({
  targetId: id,
  ownerId: id,
  decision: decisionOfCase.nullable(),
  /** Empty for what may show a child, until `lookAtCase`. */
  ...evidence,
  /** The cases that are merged into it, at most `mergedAtMost`. */
  merged: z.array(listedCase),
  /** The newest reports. */
  reported: z.array(reportOfCase),
  /** The newest acts of operators on the case and on what it is about, notes among them. */
  history: z.array(loggedAct),
});
export type ShownCase = z.infer<typeof shownCase>;

export const showCase = endpoint({
  method: 'GET',
  path: '/api/operator/reports/:id',
  summary:
    'A case with the evidence as it was when it was reported, its reports, and what operators did and noted',
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 600 },
  params: byId,
  response: ok({ data: shownCase }),
  errors: ['not_found', 'own_work', 'not_allowed'],
});

export const lookAtCase = endpoint({
  method: 'POST',
  path: '/api/operator/reports/look/:id',
  summary:
    'Look at the evidence of a case, which for what may show a child nothing else returns; each look is logged',
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 240 },
  params: byId,
  response: ok({ data: z.object(evidence) }),
  errors: ['not_found', 'own_work', 'not_allowed'],
});

export const showEvidence = endpoint({
  method: 'GET',
  path: '/api/operator/reports/evidence/:id/:part',
  summary:
    'The picture or the video of a case, also while it is hidden from everybody; of what may show a child each is a look, which is logged',
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 600 },
  params: byId.extend({ part: z.enum(evidenceParts) }),
  response: { mediaType: 'application/octet-stream' },
  errors: ['not_found', 'own_work', 'not_allowed'],
});

export const takeUpCase = endpoint({
  method: 'POST',
  path: '/api/operator/reports/take-up/:id',
  summary: `Claim a case for ${claimMinutes} minutes: no other operator can decide it in that time, and its reporters see that it is in work. Sent again, the time begins anew`,
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 240 },
  params: byId,
  response: ok({ data: z.object({ _id: id, takenUpAt: time, claim }) }),
  errors: ['not_found', 'own_work', 'not_allowed', 'own_decision', 'case_claimed', 'case_decided'],
});

export const releaseCase = endpoint({
  method: 'POST',
  path: '/api/operator/reports/release/:id',
  summary: 'End your claim on a case. No effect if you have none',
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 240 },
  params: byId,
  response: ok({ data: z.object({ _id: id }) }),
  errors: ['not_found'],
});

export const noteOnCase = endpoint({
  method: 'POST',
  path: '/api/operator/reports/note/:id',
  summary: 'Write a note on a case, which operators read; it stays in their log',
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 240 },
  params: byId,
  body: z.object({ text: requiredText(noteAtMost, invalid('note')).describe('Only operators read it') }),
  response: ok({ data: z.object({ _id: id }) }),
  errors: ['not_found'],
});

export const closeCase = endpoint({
  method: 'POST',
  path: '/api/operator/reports/close/:id',
  summary: 'Decide a case without taking anything down',
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 240 },
  params: byId,
  body: z.object({ reason: because(invalid('reason_log')).describe('For the log') }),
  response: ok({ data: z.object({ _id: id, closedAt: time }) }),
  errors: ['not_found', 'invalid_input', 'own_work', 'not_allowed', 'case_claimed', 'case_decided'],
});

/** How many cases one request names at most. */
export const casesAtOnce = 50;

const caseIds = z
  .array(id, { error: invalid('case_ids', { most: casesAtOnce }) })
  .min(1, { error: invalid('case_ids', { most: casesAtOnce }) })
  .max(casesAtOnce, { error: invalid('case_ids', { most: casesAtOnce }) });

/** Acts on many cases at once: dismiss them, or take down what they are about by one rule. */
export const actsOnMany = ['close', 'take-down'] as const;

const decidedOne = z.object({
  _id: id,
  /** Whether it is decided now; false also for what is hidden already, so that nothing was done. */
  decided: z.boolean(),
  /** Why it could not be decided; null if it could. */
  refusal: sentence.nullable(),
  /** Of a take-down: the cases merged into it whose works are taken down too. */
  merged: z.array(id),
});
export type DecidedOne = z.infer<typeof decidedOne>;

export const decideCases = endpoint({
  method: 'POST',
  path: '/api/operator/reports/decide-many',
  summary: `Decide up to ${casesAtOnce} cases, each by itself as a single decision would: \`close\`, or \`take-down\` with one rule. The answer says case by case what has happened, or with \`preview\` what would happen. Sent again, it decides nothing twice`,
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 120 },
  changesLists: true,
  body: z
    .object({
      ids: caseIds,
      act: z.enum(actsOnMany, { error: invalid('act_on_many') }),
      what: z
        .enum(['copy', 'content'], { error: invalid('take_down_what') })
        .optional()
        .describe('Of a take-down'),
      rule: z
        .enum(siteRuleNames, { error: invalid('rule', { rules: siteRuleNames.join(', ') }) })
        .optional()
        .describe('Of a take-down: the broken rule'),
      reason: because(invalid('reason_log')).describe('For the log; of a take-down their owners read it'),
      merged: shownMerged.max(mergedAtMost * casesAtOnce).optional(),
      preview: z.boolean().default(false).describe('Only say what would happen'),
    })
    .refine(
      ({
        act,
        rule,
        what,
      }: {
        act: string;
        rule?: SiteRule | undefined;
        what?: 'copy' | 'content' | undefined;
      }) => act === 'close' || (rule && what && canFollow(rule, what)),
      { error: invalid('rule_what'), path: ['what'] },
    ),
  response: ok({ data: z.array(decidedOne) }),
  errors: ['invalid_input'],
});
export type DecideForm = z.output<(typeof decideCases)['body']>;

export const mergeCases = endpoint({
  method: 'POST',
  path: '/api/operator/reports/merge/:id',
  summary: `Merge undecided cases about one matter into this one, up to ${mergedAtMost} in all: they leave the queue and are decided with it; a take-down or a label is for all their works, and what stays public after that is in the queue again. Reports that come later join them. Appeals are never merged. Cases that are merged into it already stay so`,
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 60 },
  params: byId,
  body: z.object({
    ids: caseIds.describe('The cases that are merged into it'),
    reason: because(invalid('reason_log')).describe('For the log'),
  }),
  response: ok({ data: z.object({ _id: id, merged: z.array(id) }) }),
  errors: ['not_found', 'invalid_input', 'own_work', 'not_allowed', 'case_claimed', 'case_decided'],
});

export const unmergeCase = endpoint({
  method: 'POST',
  path: '/api/operator/reports/unmerge/:id',
  summary:
    'Undo the merge of a case, while it is undecided: it is in the queue again, with its own reports. No effect if it is not merged',
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 60 },
  params: byId,
  response: ok({ data: z.object({ _id: id }) }),
  errors: ['not_found', 'own_work', 'not_allowed', 'case_decided'],
});

export const answerAppeal = endpoint({
  method: 'POST',
  path: '/api/operator/reports/answer/:id',
  summary:
    'Answer the appeal of a person: `upheld` leaves the decision as it is, `reversed` undoes it. The person is notified. Who decided first does not answer, unless there is no other operator',
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 240 },
  changesLists: true,
  params: byId,
  body: z.object({
    answer: z.enum(appealAnswers, { error: invalid('answer') }),
    reason: because(invalid('reason_owner')).describe('The person reads it'),
  }),
  response: ok({ data: z.object({ _id: id, answer: z.enum(appealAnswers) }) }),
  errors: [
    'not_found',
    'own_work',
    'not_allowed',
    'own_decision',
    'case_claimed',
    'case_decided',
    'month_settled',
  ],
});

export const enterOrder = endpoint({
  method: 'POST',
  path: '/api/operator/orders',
  summary:
    'Enter an order of a court or an authority about content or a person, which came by letter or mail: a case with its own deadline',
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 60 },
  body: z.object({
    target,
    text: requiredText(limits.message, invalid('order')).describe('Who orders what, and its reference'),
  }),
  response: ok({ data: z.object({ _id: id }) }),
  errors: ['not_found', 'invalid_input'],
});
