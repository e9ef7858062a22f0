import { z } from 'zod';
import * as copiesContract from '#contract/copies.ts';
import { csvOf } from '#contract/csv.ts';
import { labelOf } from '#contract/destination-label.ts';
import { monthField } from '#contract/month.ts';
import * as contract from '#contract/operators.ts';
import { rupeesOf } from '#contract/rates.ts';
import { recountCategories } from '../features/categories/categories.ts';
import { listMessages } from '../features/contact/contact.ts';
import { listCopies } from '../features/copies/decisions.ts';
import { auditLedger, lastAudit } from '../features/earnings/audit.ts';
import { readMonth } from '../features/earnings/earnings.ts';
import { listWithdrawals, listYearlyTotals } from '../features/earnings/review.ts';
import { listWaitingMonths } from '../features/earnings/waiting.ts';
import { closeReport, listReports } from '../features/moderation/review.ts';
import { restoreContent, takeDown } from '../features/moderation/take-down.ts';
import { listLog } from '../features/operators/audit-log.ts';
import { decideCopy } from '../features/operators/copies.ts';
import { inviteOperator, resetFactor } from '../features/operators/factors.ts';
import {
  findPeople,
  idOf,
  listRefusedNames,
  makeResetLinkOf,
  restorePerson,
  setRole,
  suspendPerson,
  verifyEmailOf,
} from '../features/operators/people.ts';
import { releaseMonth, voidMonth } from '../features/operators/releases.ts';
import { completeWithdrawal, rejectWithdrawal } from '../features/operators/withdrawals.ts';
import { findLock } from '../features/payouts/lock.ts';
import { listOperators } from '../features/second-factor/second-factor.ts';
import { auditMedia } from '../features/stored-files/audit.ts';
import {
  type Command,
  type CommandContext,
  type CommandOutput,
  command,
  type FirstCommand,
} from './command.ts';
import { lockOf, payoutCommands } from './payout-commands.ts';
import { asTable } from './print.ts';
import { upkeepCommands } from './upkeep-commands.ts';

const paged = {
  limit: 'how many at most, up to 100; 24 unless told',
  cursor: 'where the page before ended, as it said',
};
/** An operand that is an id. */
const named = (missing: string) => z.object({ id: z.uuid({ error: missing }) });
const aWithdrawal = named('This is not the id of a withdrawal; withdrawals list shows them.');
const aWork = named('This is not the id of a work; copies list shows them.');
const aReport = named('This is not the id of a report; reports list shows them.');
const aMonth = z.object({
  month: monthField,
  reason: contract.because('Please give a reason that the creator will understand.'),
});
const somebody = z.object({ person: z.string().trim().min(1, { error: 'Please say who.' }) });

/** A page of a list, and how to get the next one. */
function page<T>(
  answer: { data: T[]; nextCursor: string | null },
  headings: string[],
  row: (one: T) => (string | number | null)[],
): CommandOutput {
  const more = answer.nextCursor ? `More with --cursor ${answer.nextCursor}\n` : '';
  return { text: asTable(headings, answer.data.map(row)) + more, json: answer };
}

/** Risk marks, with the numbers of the nightly check if known: `same_viewers 19/20`. */
function marksWithEvidence({ marks, evidence }: contract.WithdrawalForReview): string {
  const found = Map.groupBy(evidence, ({ mark }) => mark as string);
  return marks
    .map((mark) => [mark, ...(found.get(mark) ?? []).map((one) => `${one.found}/${one.of}`)].join(' '))
    .join(', ');
}

const withdrawals: Command[] = [
  command({
    name: 'withdrawals list',
    about: 'Withdrawals, newest first, with what is worth a look before paying.',
    options: { state: 'pending, completed or rejected', month: 'only of this month, as YYYY-MM', ...paged },
    input: contract.listWithdrawals.query,
    async run(context, query) {
      const locked = (await findLock(context.db)) ? await lockOf(context) : '';
      const shown = page(
        await listWithdrawals({ ...context, ...(await context.keys()) }, query),
        ['id', 'month', 'rupees', 'state', 'username', 'name', 'asked', 'paid to', 'waiting', 'look at'],
        (one) => [
          one._id,
          one.month,
          one.rupees,
          one.status,
          one.username,
          one.name,
          one.createdAt,
          one.destination && labelOf(one.destination),
          one.waitingViews > 0 ? `${one.waitingViews} views, ${one.waitingCoins} coins` : null,
          marksWithEvidence(one),
        ],
      );
      return { ...shown, text: locked + shown.text };
    },
  }),
  command({
    name: 'withdrawals totals',
    about: 'What was paid to each creator in a financial year, April to March, as CSV.',
    options: { year: 'in which the financial year begins, as YYYY' },
    input: contract.listYearlyTotals.params,
    async run(context, { year }) {
      const all: contract.YearlyTotal[] = [];
      let cursor: string | undefined;
      do {
        const { data, nextCursor } = await listYearlyTotals(context, year, { limit: 100, cursor });
        all.push(...data);
        cursor = nextCursor ?? undefined;
      } while (cursor);
      const columns = ['year', 'userId', 'username', 'name', 'payments', 'rupees'] as const;
      const rows = all.map((one) =>
        columns.map((column) => ({ ...one, year: `${year}-${year + 1}` })[column]),
      );
      return { text: csvOf([columns, ...rows]), json: { data: all } };
    },
  }),
  command({
    name: 'withdrawals complete',
    about: 'Note that a withdrawal has been paid. The same again changes nothing.',
    operands: ['id'],
    options: {
      reference: 'of the payment, which its creator reads',
      waiting: 'release or void: what becomes of the views that wait in its months; nothing unless told',
      reason: 'for that, which its creator reads',
    },
    needsCode: 'always',
    input: aWithdrawal.extend(contract.completeWithdrawal.body.shape).refine(...contract.withReason),
    async run(context, { id, ...said }) {
      const inside = { ...context, ...(await context.keys()) };
      const paid = await completeWithdrawal(inside, context.operator, id, said);
      return { text: `Paid: ₹${paid.rupees} for ${paid.monthLabel}, as ${paid.reference}.\n`, json: paid };
    },
  }),
  command({
    name: 'withdrawals reject',
    about: 'Reject a withdrawal; its month can be asked for again. The same again changes nothing.',
    operands: ['id'],
    options: {
      reason: 'which its creator reads',
      waiting:
        'release or void: what becomes of the views that wait in its months; void_paid: those that pay are void, too; nothing unless told',
    },
    needsCode: 'always',
    input: aWithdrawal.extend(contract.rejectWithdrawal.body.shape),
    async run(context, { id, ...said }) {
      const inside = { ...context, ...(await context.keys()) };
      const rejected = await rejectWithdrawal(inside, context.operator, id, said);
      return { text: `Rejected: ₹${rejected.rupees} for ${rejected.monthLabel}.\n`, json: rejected };
    },
  }),
  command({
    name: 'months waiting',
    about: 'Finished months in which views wait, newest first, and how many established accounts watched.',
    options: paged,
    input: contract.listWaitingMonths.query,
    run: async (context, query) =>
      page(
        await listWaitingMonths(context, query),
        ['month', 'person', 'username', 'watched', 'paid', 'waiting', 'coins', 'established', 'look asked'],
        (one) => [
          one.month,
          one.userId,
          one.username,
          one.watched,
          one.paid,
          one.waiting,
          one.coins,
          one.established,
          one.lookAskedAt,
        ],
      ),
  }),
  command({
    name: 'months release',
    about: 'Release the views of a finished month that wait; their coins count in the month that is running.',
    operands: ['month'],
    options: { of: 'whose; of everybody unless told', reason: 'which the creator reads' },
    needsCode: 'always',
    input: aMonth.extend({ of: z.string().trim().min(1).optional() }),
    async run(context, { month, of, reason }) {
      const which = { month: readMonth(month), creatorId: of && (await idOf(context.db, of)), reason };
      const inside = { ...context, ...(await context.keys()) };
      const released = await releaseMonth(inside, context.operator, which);
      const lines = released.map(
        ({ userId, views, coins, countsIn }) =>
          `${userId}: ${views} views, ${coins} coins, in ${countsIn}.\n`,
      );
      return { text: lines.join('') || 'Nothing was released.\n', json: { data: released } };
    },
  }),
  command({
    name: 'months void',
    about:
      'Declare views of a finished month void: nothing is paid for them, and what was released or paid is taken back.',
    operands: ['month'],
    options: {
      of: 'whose',
      what: 'waiting: those over the limit, which wait or were released, unless told; paid: those that pay',
      reason: 'which their creator reads',
    },
    needsCode: 'always',
    input: aMonth.extend({
      of: z.string({ error: 'Please say whose month, with --of.' }).trim().min(1),
      what: contract.voidedViews.default('waiting'),
    }),
    async run(context, { month, of, what, reason }) {
      const which = { month: readMonth(month), creatorId: await idOf(context.db, of), what, reason };
      const inside = { ...context, ...(await context.keys()) };
      const declared = await voidMonth(inside, context.operator, which);
      const text = declared
        ? `${declared.userId}: ${declared.views} views are void, ${declared.coins} coins are taken back in ${declared.countsIn}.\n`
        : 'Nothing was void.\n';
      return { text, json: { data: declared ?? null } };
    },
  }),
];

const reports: Command[] = [
  command({
    name: 'reports list',
    about: 'What people reported and nobody has answered, newest first.',
    options: { which: 'open, or all with those closed', ...paged },
    input: contract.listReports.query,
    run: async ({ db }, query) =>
      page(
        await listReports(db, query),
        ['id', 'what', 'state', 'reason', 'said', 'owner', 'its words', 'reporter', 'reported', 'closed'],
        (one) => [
          one._id,
          `${one.kind}:${one.targetId}`,
          one.state,
          one.reason,
          one.text,
          one.owner,
          one.words,
          one.reporter,
          one.createdAt,
          one.closedAt,
        ],
      ),
  }),
  command({
    name: 'reports take-down',
    about: 'Hide a reel, post or story from all but its owner, or delete a comment; its reports are closed.',
    operands: ['target'],
    options: { reason: 'which its owner reads' },
    needsCode: 'always',
    input: contract.takeDown.body,
    async run(context, { target, reason }) {
      const { changed: _, ...done } = await takeDown(context, context.operator, target, reason);
      return { text: `Taken down: ${done.kind}:${done._id}, because: ${done.takenDown}\n`, json: done };
    },
  }),
  command({
    name: 'reports restore',
    about: 'Make public again what was taken down.',
    operands: ['target'],
    needsCode: 'always',
    input: contract.restoreContent.body,
    async run(context, { target }) {
      const { changed: _, ...done } = await restoreContent(context, context.operator, target);
      return { text: `Public again: ${done.kind}:${done._id}.\n`, json: done };
    },
  }),
  command({
    name: 'reports close',
    about: 'Close a report and leave what it is about as it is.',
    operands: ['id'],
    needsCode: 'always',
    input: aReport,
    async run(context, { id }) {
      const done = await closeReport(context, context.operator, id);
      return { text: `Closed since ${done.closedAt}.\n`, json: done };
    },
  }),
];

const copies: Command[] = [
  command({
    name: 'copies list',
    about: 'Works that were taken for copies and that a person is to look at, newest first.',
    options: { which: 'open, or all with those decided', ...paged },
    input: copiesContract.listCopies.query,
    run: async (context, query) =>
      page(
        await listCopies(context, query),
        ['id', 'kind', 'by', 'taken for', 'of', 'said', 'waits', 'verdict', 'reason', 'asked'],
        (one) => [
          one._id,
          one.kind,
          one.username,
          one.of && `${one.of.kind}:${one.of._id}`,
          one.of?.username ?? null,
          one.words,
          one.withheld ? 'hidden' : null,
          one.verdict,
          one.reason,
          one.askedAt,
        ],
      ),
  }),
  command({
    name: 'copies decide',
    about: 'Say whether a work is a copy. One of its own counts from now on. The same again changes nothing.',
    operands: ['id'],
    options: { verdict: 'copy or own', reason: 'which its creator reads' },
    needsCode: 'always',
    input: aWork.extend(copiesContract.decideCopy.body.shape),
    async run(context, { id, verdict, reason }) {
      const inside = { ...context, ...(await context.keys()) };
      const done = await decideCopy(inside, context.operator, id, { verdict, reason });
      const what = done.verdict === 'own' ? 'a work of its own, which counts from now on' : 'a copy';
      return { text: `${done.kind}:${done._id} is ${what}.\n`, json: done };
    },
  }),
];

function told({ changed: _, ...person }: contract.PersonForOperators & { changed?: boolean }): CommandOutput {
  const standing = person.suspendedAt ? `suspended since ${person.suspendedAt}` : 'not suspended';
  return { text: `@${person.username}: ${person.role}, ${standing}.\n`, json: person };
}

/** How to set up an operator's second factor. */
const enrolment = (code: string) =>
  `Enrolment code, good once and for a day: ${code}\nHand it to nobody but this operator, who logs in and enters it on the page Settings.\n`;

function roleCommand(name: string, about: string, role: 'person' | 'operator'): Command {
  return command({
    name,
    about,
    needsCode: role === 'operator' ? 'after the first operator' : 'always',
    operands: ['person'],
    input: somebody,
    async run(context, { person }) {
      const id = await idOf(context.db, person);
      const inside = { ...context, ...(await context.keys()) };
      const { enrolment: code, ...changed } = await setRole(inside, context.operator, id, role);
      const { text, json } = told(changed);
      return { text: code ? text + enrolment(code) : text, json: { ...(json as object), enrolment: code } };
    },
  });
}

const people: Command[] = [
  command({
    name: 'people find',
    about: 'People by a part of name, username or e-mail address, or by id; suspended ones too.',
    operands: ['q'],
    options: paged,
    input: contract.findPeople.query,
    run: async ({ db }, query) =>
      page(
        await findPeople(db, query),
        ['id', 'username', 'name', 'email', 'role', 'suspended', 'reels', 'posts', 'joined'],
        (one) => [
          one._id,
          one.username,
          one.name,
          one.email,
          one.role,
          one.suspendedAt,
          one.reelCount,
          one.postCount,
          one.createdAt,
        ],
      ),
  }),
  command({
    name: 'people suspend',
    about: 'Suspend an account, by id or username: signed out at once, and nothing of it is public.',
    operands: ['person'],
    options: { reason: 'for the log' },
    needsCode: 'always',
    input: somebody.extend(contract.suspendPerson.body.shape),
    run: async (context, { person, reason }) =>
      told(
        await suspendPerson(
          { ...context, ...(await context.keys()) },
          context.operator,
          await idOf(context.db, person),
          reason,
        ),
      ),
  }),
  command({
    name: 'people restore',
    about: 'End a suspension.',
    operands: ['person'],
    needsCode: 'always',
    input: somebody,
    run: async (context, { person }) =>
      told(
        await restorePerson(
          { ...context, ...(await context.keys()) },
          context.operator,
          await idOf(context.db, person),
        ),
      ),
  }),
  command({
    name: 'people names',
    about:
      'Accounts with usernames or names that nobody could choose any more: they keep them until you act.',
    input: z.object({}),
    async run({ db }) {
      const data = await listRefusedNames(db);
      const rows = data.map((one) => [one._id, one.username, one.name, one.field, one.problem]);
      return { text: asTable(['id', 'username', 'name', 'which', 'why'], rows), json: { data } };
    },
  }),
  command({
    name: 'people verify-email',
    about: 'Mark the address of an account as verified, where you know whose it is; the person is told.',
    needsCode: 'always',
    operands: ['person'],
    input: somebody,
    async run({ db, clock, config, operator, keys }, { person }) {
      const context = { db, clock, config, ...(await keys()) };
      const { changed, ...verified } = await verifyEmailOf(context, operator, await idOf(db, person));
      const what = changed ? 'is verified now' : 'was verified already';
      return { text: `@${verified.username}: ${verified.email} ${what}.\n`, json: verified };
    },
  }),
  command({
    name: 'people reset-link',
    about:
      'A one-time link by which somebody chooses a new password: it ends all sessions and changes that wait; the person is told.',
    needsCode: 'always',
    operands: ['person'],
    input: somebody,
    async run({ db, clock, config, operator, keys }, { person }) {
      const context = { db, clock, outbox: (await keys()).outbox };
      const secret = await makeResetLinkOf(context, operator, await idOf(db, person));
      const link = `${config.origin ?? ''}/ResetPassword#${secret}`;
      const where = config.origin ? '' : ' It stands behind the address of your site.';
      const text = `${link}\nGood once, for an hour.${where} Hand it to nobody but the owner of the account.\n`;
      return { text, json: { link } };
    },
  }),
  roleCommand('people make-operator', 'Make somebody an operator.', 'operator'),
  roleCommand('people remove-operator', 'Make an operator an ordinary person again.', 'person'),
];

const operators: Command[] = [
  command({
    name: 'operators list',
    about: 'The operators, and since when each has a second factor.',
    input: z.object({}),
    async run({ db }) {
      const data = (await listOperators(db)).map(({ id, username, enrolled_at: at }) => ({
        id,
        username,
        enrolledAt: at?.toISOString() ?? null,
      }));
      const rows = data.map((one) => [one.id, one.username, one.enrolledAt ?? 'none']);
      return { text: asTable(['id', 'username', 'second factor'], rows), json: { data } };
    },
  }),
  command({
    name: 'operators enrol',
    about: 'A one-time code by which an operator without a second factor sets one up.',
    operands: ['person'],
    input: somebody,
    async run({ db, clock, operator }, { person }) {
      const code = await inviteOperator({ db, clock }, operator, await idOf(db, person));
      return { text: enrolment(code), json: { enrolment: code } };
    },
  }),
  command({
    name: 'operators reset-factor',
    about:
      'Take away the second factor that an operator has lost; all operators are told. A new code to enrol is shown.',
    operands: ['person'],
    input: somebody,
    async run({ db, clock, operator, keys }, { person }) {
      const id = await idOf(db, person);
      const code = await resetFactor({ db, clock, outbox: (await keys()).outbox }, operator, id);
      return { text: enrolment(code), json: { enrolment: code } };
    },
  }),
];

function messagesCommand(name: string, about: string, kind: 'contact' | 'feedback'): Command {
  return command({
    name,
    about,
    options: paged,
    input: contract.listMessages.query.omit({ kind: true }),
    run: async ({ db }, query) =>
      page(
        await listMessages(db, { ...query, kind }),
        ['id', 'sent', 'name', 'email', 'phone', 'text'],
        (one) => [one._id, one.createdAt, one.name, one.email, one.phone, one.text],
      ),
  });
}

async function audit({ db, config, keys }: CommandContext): Promise<CommandOutput> {
  const { keyring } = await keys();
  const found = await auditLedger({ db, config, keyring });
  const { differences, months, withdrawals: count, paidAgain } = found;
  const sum = `${months} months and ${count} withdrawals were derived again; ${differences.length} figures differ.\n`;
  const table = asTable(
    ['what', 'id', 'month', 'figure', 'recorded', 'derived'],
    differences.map((one) => [one.what, one.id, one.month, one.figure, one.recorded, one.derived]),
  );
  const again = paidAgain.map(
    (one) =>
      `Paid again on ${one.at}, after an operator noted a payment of it as failed or returned: withdrawal ${one.withdrawalId}, ${one.month}, ₹${rupeesOf(one.paise)}.\n`,
  );
  const failed = differences.length > 0;
  return { text: `${failed ? table : ''}${again.join('')}${sum}`, json: found, failed };
}

async function filesAudit({ db, storage, clock }: CommandContext): Promise<CommandOutput> {
  const found = await auditMedia({ db, storage: await storage(), clock });
  const { differences, rows, files } = found;
  const sum = `${rows} references and ${files} files were compared; ${differences.length} differ.\n`;
  const table = asTable(
    ['what', 'file', 'row', 'recorded', 'found'],
    differences.map((one) => [one.what, one.file, one.row, one.recorded, one.found]),
  );
  const failed = differences.length > 0;
  return { text: failed ? table + sum : sum, json: found, failed };
}

/** Every command, in the order in which help lists them. */
export const commands: readonly (Command | FirstCommand)[] = [
  ...withdrawals,
  ...payoutCommands,
  ...reports,
  ...copies,
  ...people,
  ...operators,
  messagesCommand('messages list', 'What people wrote by the contact form, newest first.', 'contact'),
  messagesCommand('feedback list', 'What people wrote by the feedback form, newest first.', 'feedback'),
  command({
    name: 'ledger audit',
    about: 'Derive every month, withdrawal and balance again; the exit code is 1 where any differs.',
    input: z.object({}),
    run: audit,
  }),
  command({
    name: 'ledger last-audit',
    about: 'What the last nightly audit found; the exit code is 1 where figures differed, or there was none.',
    input: z.object({}),
    async run({ db, clock }) {
      const last = await lastAudit({ db, clock });
      if (!last) return { text: 'There has been no audit yet.\n', json: null, failed: true };
      const { at, months, withdrawals: count, differences } = last;
      const text = `${at}: ${months} months and ${count} withdrawals; ${differences} figures differed.\n`;
      return { text, json: last, failed: differences > 0 };
    },
  }),
  command({
    name: 'media audit',
    about:
      "Compare rows with stored files; the exit code is 1 where any is missing, of another size or nobody's.",
    input: z.object({}),
    run: filesAudit,
  }),
  command({
    name: 'categories list',
    about: 'The categories, how many reels each shows, and how many it should.',
    input: z.object({}),
    async run({ db }) {
      const data = await recountCategories(db);
      const rows = data.map((one) => [one.id, one.name, one.group, one.count, one.reels]);
      return { text: asTable(['id', 'name', 'group', 'shown', 'counted again'], rows), json: { data } };
    },
  }),
  command({
    name: 'log list',
    about: 'What operators did, newest first.',
    options: paged,
    input: contract.listLog.query,
    run: async ({ db }, query) =>
      page(await listLog(db, query), ['when', 'operator', 'act', 'target', 'details'], (one) => [
        one.createdAt,
        one.operator,
        one.act,
        `${one.targetKind}:${one.targetId}`,
        JSON.stringify(one.details),
      ]),
  }),
  ...upkeepCommands,
];
