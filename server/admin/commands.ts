import { z } from 'zod';
import * as cases from '#contract/cases.ts';
import * as copiesContract from '#contract/copies.ts';
import { csvOf } from '#contract/csv.ts';
import { rupeesOf } from '#contract/earning-rules.ts';
import { monthField } from '#contract/fields.ts';
import { monthLabel } from '#contract/month.ts';
import * as contract from '#contract/operators.ts';
import { logAct } from '../features/audit-log/audit-log.ts';
import { auditLedger, lastAudit } from '../features/earnings/audit.ts';
import { setMonthLimits } from '../features/months/limits.ts';
import { readMonth } from '../features/months/month-worth.ts';
import { inviteOperator, resetFactor } from '../features/operators/factors.ts';
import { idOf, listRefusedNames, makeResetLinkOf, verifyEmailOf } from '../features/operators/people.ts';
import { listOperators } from '../features/second-factor/second-factor.ts';
import { auditMedia } from '../features/stored-files/audit.ts';
import { listYearlyTotals } from '../features/withdrawals/review.ts';
import {
  type Command,
  type CommandContext,
  type CommandOutput,
  command,
  type FirstCommand,
} from './command.ts';
import { commandOf } from './from-contract.ts';
import { lockNotice, payoutCommands } from './payout-commands.ts';
import { asTable } from './print.ts';
import { upkeepCommands } from './upkeep-commands.ts';

const somebody = z.object({ person: z.string().trim().min(1, { error: 'Please say who.' }) });
const person = { field: 'id', as: 'person' };
const whose = { field: 'userId', as: 'of' };

const views = z.coerce
  .number({ error: 'Please give a number of views.' })
  .int({ error: 'Please give a number of views.' })
  .min(0, { error: 'Please give a number of views.' })
  .max(1_000_000, { error: 'Please give at most 1,000,000 views.' });

const withdrawals: Command[] = [
  commandOf('withdrawals list', contract.listWithdrawals, {
    columns: [
      ...['_id', 'month', 'rupees', 'status', 'username', 'name', 'createdAt', 'destination'],
      ...['waitingViews', 'waitingCoins', 'marks', 'evidence'],
    ],
    before: lockNotice,
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
      const rows = all.map((total) =>
        columns.map((column) => ({ ...total, year: `${year}-${year + 1}` })[column]),
      );
      return { text: csvOf([columns, ...rows]), json: { data: all } };
    },
  }),
  commandOf('withdrawals complete', contract.completeWithdrawal),
  commandOf('withdrawals reject', contract.rejectWithdrawal),
  commandOf('months waiting', contract.listWaitingMonths),
  commandOf('months release', contract.releaseMonth, { operands: ['month'], person: whose }),
  commandOf('months void', contract.voidMonth, { operands: ['month'], person: whose }),
  command({
    name: 'months limits',
    about:
      'Set how many views an established account lets pay, from a month on that has not begun: of each creator that it watched, and of all together.',
    needsCode: 'always',
    operands: ['month'],
    options: { each: 'views of each creator', all: 'views of all creators together' },
    input: z.object({ month: monthField, each: views, all: views }),
    async run({ db, clock, config, operator }, { month: given, each, all }) {
      const limits = { month: readMonth(given), viewsPerCreator: each, viewsInAll: all };
      await setMonthLimits({ db, clock, config }, limits, (trx, now) =>
        logAct(
          trx,
          operator,
          { act: 'month.limits', target: { kind: 'month', id: limits.month }, details: { each, all } },
          now,
        ),
      );
      const text = `From ${monthLabel(limits.month)} on an established account lets ${each} views of each creator pay, and ${all} in all.\n`;
      return { text, json: { data: limits } };
    },
  }),
];

const reports: Command[] = [
  commandOf('reports list', cases.listCases, {
    columns: [
      ...['_id', 'dueAt', 'kind', 'targetId', 'reasons', 'reports', 'owner', 'words', 'state', 'edits'],
      ...['claim', 'closedAt', 'closedBy'],
    ],
  }),
  commandOf('reports show', cases.showCase),
  commandOf('reports versions', contract.listVersions),
  commandOf('reports take-up', cases.takeUpCase),
  commandOf('reports release', cases.releaseCase),
  commandOf('reports note', cases.noteOnCase),
  commandOf('reports order', cases.enterOrder, { operands: ['target'] }),
  commandOf('reports take-down', contract.takeDown, { operands: ['target'] }),
  commandOf('reports restore', contract.restoreContent, { operands: ['target'] }),
  commandOf('reports label', contract.labelContent, { operands: ['target'] }),
  commandOf('reports unlabel', contract.unlabelContent, { operands: ['target'] }),
  commandOf('reports close', cases.closeCase),
  commandOf('reports answer', cases.answerAppeal),
  commandOf('reports unmerge', cases.unmergeCase),
];

const copies: Command[] = [
  commandOf('copies list', copiesContract.listCopies, {
    columns: [
      ...['_id', 'kind', 'username', 'of', 'words', 'waiting', 'verdict', 'reason', 'askedAt', 'decidedAt'],
    ],
  }),
  commandOf('copies decide', copiesContract.decideCopy),
];

/** How to set up an operator's second factor. */
const enrolment = (code: string) =>
  `Enrolment code, good once and for a day: ${code}\nHand it to nobody but this operator, who logs in and enters it on the page Settings.\n`;

const people: Command[] = [
  commandOf('people find', contract.findPeople, { operands: ['q'] }),
  commandOf('people suspend', contract.suspendPerson, { person }),
  commandOf('people restore', contract.restorePerson, { person }),
  commandOf('people mute', contract.muteReports, { person }),
  commandOf('people unmute', contract.unmuteReports, { person }),
  command({
    name: 'people names',
    about:
      'Accounts with usernames or names that nobody could choose any more: they keep them until you act.',
    input: z.object({}),
    async run({ db }) {
      const data = await listRefusedNames(db);
      const rows = data.map((person) => [
        person._id,
        person.username,
        person.name,
        person.field,
        person.problem,
      ]);
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
  commandOf('people make-operator', contract.setRole, {
    person,
    defaults: { role: 'administrator' },
    needsCode: 'after the first operator',
  }),
  commandOf('people remove-operator', contract.setRole, { person, fixed: { role: 'person' } }),
];

const operators: Command[] = [
  command({
    name: 'operators list',
    about: 'The operators, the role of each, and since when each has a second factor.',
    input: z.object({}),
    async run({ db }) {
      const data = (await listOperators(db)).map(({ enrolled_at: at, ...operator }) => ({
        ...operator,
        enrolledAt: at?.toISOString() ?? null,
      }));
      const rows = data.map((operator) => [
        operator.id,
        operator.username,
        operator.role,
        operator.enrolledAt ?? 'none',
      ]);
      return { text: asTable(['id', 'username', 'role', 'second factor'], rows), json: { data } };
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

async function audit({ db, config, keys }: CommandContext): Promise<CommandOutput> {
  const { keyring } = await keys();
  const result = await auditLedger({ db, config, keyring });
  const { differences, months, withdrawals: count, paidAgain } = result;
  const sum = `${months} months and ${count} withdrawals were derived again; ${differences.length} figures differ.\n`;
  const table = asTable(
    ['what', 'id', 'month', 'figure', 'recorded', 'derived'],
    differences.map((row) => [row.what, row.id, row.month, row.figure, row.recorded, row.derived]),
  );
  const again = paidAgain.map(
    (withdrawal) =>
      `Paid again on ${withdrawal.at}, after an operator noted a payment of it as failed or returned: withdrawal ${withdrawal.withdrawalId}, ${withdrawal.month}, ₹${rupeesOf(withdrawal.paise)}.\n`,
  );
  const failed = differences.length > 0;
  return { text: `${failed ? table : ''}${again.join('')}${sum}`, json: result, failed };
}

async function filesAudit({ db, storage, clock }: CommandContext): Promise<CommandOutput> {
  const result = await auditMedia({ db, storage: await storage(), clock });
  const { differences, rows, files } = result;
  const sum = `${rows} references and ${files} files were compared; ${differences.length} differ.\n`;
  const table = asTable(
    ['what', 'file', 'row', 'recorded', 'found'],
    differences.map((row) => [row.what, row.file, row.row, row.recorded, row.found]),
  );
  const failed = differences.length > 0;
  return { text: failed ? table + sum : sum, json: result, failed };
}

/** Every command, in the order in which help lists them. */
export const commands: readonly (Command | FirstCommand)[] = [
  ...withdrawals,
  ...payoutCommands,
  ...reports,
  ...copies,
  ...people,
  ...operators,
  commandOf('messages list', contract.listMessages, { fixed: { kind: 'contact' } }),
  commandOf('feedback list', contract.listMessages, { fixed: { kind: 'feedback' } }),
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
  commandOf('categories list', contract.listCategories),
  commandOf('log list', contract.listLog, {
    columns: ['createdAt', 'operator', 'act', 'targetKind', 'targetId', 'details'],
  }),
  ...upkeepCommands,
];
