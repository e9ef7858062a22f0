import { readFileSync } from 'node:fs';
import { z } from 'zod';
import * as contract from '#contract/batches.ts';
import { withReason } from '#contract/operators.ts';
import { payerFields } from '#contract/payout-file.ts';
import * as sinceRestore from '#contract/since-restore.ts';
import type { OperatorAccount } from '../features/operators/operators.ts';
import {
  approveBatch,
  cancelBatch,
  listBatches,
  makeBatch,
  sendBatch,
  showBatch,
} from '../features/payouts/batches.ts';
import { findLock } from '../features/payouts/lock.ts';
import { readAnswers } from '../features/payouts/payers/file.ts';
import { recordPayments } from '../features/payouts/record.ts';
import { identifyPayment, reconcileSinceRestore, showLock } from '../features/payouts/since-restore.ts';
import { type Command, type CommandContext, type CommandOutput, command, UsageError } from './command.ts';
import { asTable } from './print.ts';

const aBatch = z.object({ id: z.uuid({ error: 'This is not the id of a batch; payouts list shows them.' }) });
const sayTrue = z
  .enum(['true', 'false'], { error: 'again is true or false.' })
  .default('false')
  .transform((said) => said === 'true');

const ids = z
  .string()
  .transform((said) => said.split(',').map((one) => one.trim()))
  .pipe(contract.makeBatch.body.shape.withdrawals.unwrap())
  .optional();
/** What an operator who approves payments may say about the views that wait in their months. */
const aboutWaiting = {
  waiting:
    'release or void: what becomes of the views that wait in the months of these withdrawals; nothing unless told',
  reason: 'for that, which their creators read',
  of: 'only of these withdrawals of the batch, their ids between commas',
};

/** Each act on payments belongs to an account: `needsCode` asks for its code. */
function accountOf({ operator: { id, name } }: CommandContext): OperatorAccount {
  if (id === null) throw new UsageError('Payments are made by an operator with an account: --as <username>.');
  return { id, name };
}

const asText = (batch: contract.WholeBatch): CommandOutput => ({
  text: `Batch ${batch._id}: ${batch.state}, ₹${batch.rupees}, ${batch.payer}.\n${asTable(
    ['payment', 'withdrawal', 'rupees', 'state', 'to', 'reference', 'reason', 'marks'],
    batch.payments.map((one) => [
      one._id,
      one.withdrawalId,
      one.rupees,
      one.state,
      one.to,
      one.reference,
      one.reason,
      one.marks.join(', '),
    ]),
  )}`,
  json: batch,
});

export const payoutCommands: Command[] = [
  command({
    name: 'payouts list',
    about: 'Batches of payments, newest first.',
    options: { limit: 'how many at most, up to 100; 24 unless told', cursor: 'where the page before ended' },
    input: contract.listBatches.query,
    async run({ db }, query) {
      const answer = await listBatches(db, query);
      const more = answer.nextCursor ? `More with --cursor ${answer.nextCursor}\n` : '';
      const rows = answer.data.map((one) => [
        one._id,
        one.state,
        one.rupees,
        one.payer,
        one.madeAt,
        one.endedAt,
      ]);
      const locked = answer.lock ? await lockOf({ db }) : '';
      return {
        text: locked + asTable(['id', 'state', 'rupees', 'payer', 'made', 'ended'], rows) + more,
        json: answer,
      };
    },
  }),
  command({
    name: 'payouts show',
    about: 'A batch with its payments, each with the risk marks of its withdrawal.',
    operands: ['id'],
    input: aBatch,
    async run(context, { id }) {
      const inside = { ...context, ...(await context.keys()) };
      return asText(await showBatch(inside, id));
    },
  }),
  command({
    name: 'payouts make',
    about: 'Make a batch of the withdrawals that can be paid, oldest first; your own are left out.',
    options: {
      month: 'only of this month, as YYYY-MM',
      withdrawals: 'only these, their ids between commas',
      ...aboutWaiting,
    },
    needsCode: 'always',
    input: z.object({ ...contract.makeBatch.body.shape, withdrawals: ids, of: ids }).refine(...withReason),
    async run(context, which) {
      const inside = { ...context, ...(await context.keys()) };
      return asText(await makeBatch(inside, accountOf(context), which));
    },
  }),
  command({
    name: 'payouts approve',
    about: 'Approve a batch that another operator made. The same again changes nothing.',
    operands: ['id'],
    options: aboutWaiting,
    needsCode: 'always',
    input: aBatch.extend({ ...contract.approveBatch.body.shape, of: ids }).refine(...withReason),
    async run(context, { id, ...said }) {
      const inside = { ...context, ...(await context.keys()) };
      return asText(await approveBatch(inside, accountOf(context), id, said));
    },
  }),
  command({
    name: 'payouts send',
    about: `Give a batch to its payer: the file of it, once, or the payments to RazorpayX. A template of your own (PAYOUT_FILE_TEMPLATE) may have the cells ${payerFields.map((one) => `{${one}}`).join(' ')}.`,
    operands: ['id'],
    options: {
      again:
        'true: the same payments once more, because that file was lost; RazorpayX is asked now about what it has not answered',
    },
    needsCode: 'always',
    input: aBatch.extend({ again: sayTrue }),
    async run(context, { id, again }) {
      const inside = { ...context, ...(await context.keys()) };
      const { data, file } = await sendBatch(inside, accountOf(context), { id, again });
      return { ...asText(data), ...(file ? { text: file } : {}), json: { data, file } };
    },
  }),
  command({
    name: 'payouts cancel',
    about: 'Cancel a batch that was not sent. The same again changes nothing.',
    operands: ['id'],
    needsCode: 'always',
    input: aBatch,
    async run(context, { id }) {
      const inside = { ...context, ...(await context.keys()) };
      return asText(await cancelBatch(inside, accountOf(context), id));
    },
  }),
  command({
    name: 'payouts reconcile',
    about:
      'Note what the payer says of payments. The same again changes nothing; exit code 1 means that some were refused. After a restore payouts are locked until this has compared all that was paid since.',
    options: {
      file: 'CSV with the columns id (of the payment), state (paid, failed or returned), reference and reason; after a restore also withdrawal and rupees, and without state the file of a batch as it was sent',
      complete: 'true: with the files until now that is all that was paid since the restored snapshot',
      none: 'true: nothing was paid and no file was handed out since the restored snapshot',
    },
    needsCode: 'always',
    input: z.object({ file: z.string().optional(), complete: sayTrue, none: sayTrue }),
    async run(context, { file, complete, none }) {
      const inside = { ...context, ...(await context.keys()) };
      if (await findLock(context.db)) {
        if (none && (file || complete)) throw new UsageError('--none true stands alone.');
        const payments = file ? rowsOf(file, sinceRestore.recordedPayment) : [];
        const given = { payments, complete, none };
        const compared = await reconcileSinceRestore(inside, accountOf(context), given);
        const { noted, unchanged, lock } = compared;
        return {
          text: `${noted} noted, ${unchanged} unchanged, ${lock?.unmatched ?? 0} without a match.\n${await lockOf(context)}`,
          json: compared,
          failed: lock !== null,
        };
      }
      if (!file) throw new UsageError('Please say which file, as --file.');
      const payments = rowsOf(file, contract.recordPayments.body.shape.payments.element);
      const results = await recordPayments(inside, accountOf(context), payments);
      const refused = results.filter(({ result }) => result === 'refused');
      const count = (wanted: string) => results.filter(({ result }) => result === wanted).length;
      const lines = refused.map(({ _id, error }) => `${_id}: ${error}\n`);
      return {
        text: `${count('noted')} noted, ${count('unchanged')} unchanged, ${refused.length} refused.\n${lines.join('')}`,
        json: { data: results },
        failed: refused.length > 0,
      };
    },
  }),
  command({
    name: 'payouts name',
    about:
      'After a restore: say what a payment is that matched nothing. Payouts stay locked until all of them have a name.',
    operands: ['payment'],
    options: {
      withdrawal: 'the withdrawal that it paid',
      of: 'the person whose month it paid; the request for it was lost and is made again',
      month: 'that month, as YYYY-MM',
      other: 'what it is, if it paid no withdrawal',
    },
    needsCode: 'always',
    input: z.object({
      payment: z.string(),
      withdrawal: z.uuid({ error: 'This is not the id of a withdrawal.' }).optional(),
      of: z.uuid({ error: 'This is not the id of a person.' }).optional(),
      month: z.string().optional(),
      other: z.string().trim().min(1).max(500).optional(),
    }),
    async run(context, { payment, withdrawal, of, month, other }) {
      const inside = { ...context, ...(await context.keys()) };
      const named = sinceRestore.namePayment.body.safeParse({
        payment,
        withdrawal,
        userId: of,
        month,
        other,
      });
      if (!named.success)
        throw new UsageError('Please say one of --withdrawal, --of with --month, and --other.');
      const shown = await identifyPayment(inside, accountOf(context), named.data);
      return { text: `${payment} has a name.\n${await lockOf(context)}`, json: { payment, ...shown } };
    },
  }),
];

/** Whether payouts are locked, which payments have no match, and what to do. */
export async function lockOf(context: Pick<CommandContext, 'db'>): Promise<string> {
  const { lock, unmatched } = await showLock(context);
  if (!lock) return 'Payouts are not locked.\n';
  if (unmatched.length === 0)
    return `Payouts are locked: give all that was paid since ${lock.since} by payouts reconcile --file, the last file with --complete true; or say --none true.\n`;
  const table = asTable(
    ['payment', 'why'],
    unmatched.map(({ payment, why }) => [payment, why]),
  );
  return `Payouts are locked. Say by payouts name what these payments are:\n${table}`;
}

/** All rows of a file, or one sentence about the wrong one: then none is stored. */
function rowsOf<S extends z.ZodType>(path: string, schema: S): z.output<S>[] {
  let rows: unknown[];
  try {
    rows = readAnswers(readFileSync(path));
  } catch (error) {
    throw new UsageError(`The file ${path} cannot be read: ${(error as Error).message}.`);
  }
  return rows.map((row, place) => {
    const checked = schema.safeParse(row);
    if (checked.success) return checked.data;
    throw new UsageError(`Row ${place + 1} of ${path}: ${checked.error.issues[0]?.message}`);
  });
}
