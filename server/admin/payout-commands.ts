import { readFileSync } from 'node:fs';
import { z } from 'zod';
import * as contract from '#contract/batches.ts';
import { payerFields } from '#contract/payout-file.ts';
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
import { apiPayerOf } from '../features/payouts/payers/payers.ts';
import { recordPayments } from '../features/payouts/record.ts';
import {
  type Comparison,
  compareRecord,
  liftLock,
  listUnmatched,
  type Name,
  namePayment,
  type RecordedPayment,
  recordedPayment,
  recordOf,
  Unmatched,
} from '../features/payouts/since-restore.ts';
import { type Command, type CommandContext, type CommandOutput, command, UsageError } from './command.ts';
import { asTable } from './print.ts';

const aBatch = z.object({ id: z.uuid({ error: 'This is not the id of a batch; payouts list shows them.' }) });
const sayTrue = z
  .enum(['true', 'false'], { error: 'again is true or false.' })
  .default('false')
  .transform((said) => said === 'true');

/** Each act about payments is one of an account: `needsCode` asks for it. */
function accountOf({ operator: { id, name } }: CommandContext): OperatorAccount {
  if (id === null) throw new UsageError('Payments are made by an operator with an account: --as <username>.');
  return { id, name };
}

const asText = (batch: contract.WholeBatch): CommandOutput => ({
  text: `Batch ${batch._id}: ${batch.state}, ₹${batch.rupees}, ${batch.payer}.\n${asTable(
    ['payment', 'withdrawal', 'rupees', 'state', 'to', 'reference', 'reason'],
    batch.payments.map((one) => [
      one._id,
      one.withdrawalId,
      one.rupees,
      one.state,
      one.to,
      one.reference,
      one.reason,
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
    about: 'A batch with its payments.',
    operands: ['id'],
    input: aBatch,
    run: async ({ db }, { id }) => asText(await showBatch(db, id)),
  }),
  command({
    name: 'payouts make',
    about: 'Make a batch of the withdrawals that can be paid, oldest first; your own are left out.',
    options: {
      month: 'only of this month, as YYYY-MM',
      withdrawals: 'only these, their ids between commas',
      again: 'true: also those that a version before batches exported, because the payer did not pay them',
    },
    needsCode: 'always',
    input: contract.makeBatch.body.extend({
      withdrawals: z
        .string()
        .transform((ids) => ids.split(',').map((one) => one.trim()))
        .pipe(contract.makeBatch.body.shape.withdrawals.unwrap())
        .optional(),
      again: sayTrue,
    }),
    async run(context, which) {
      const inside = { ...context, ...(await context.keys()) };
      return asText(await makeBatch(inside, accountOf(context), which));
    },
  }),
  command({
    name: 'payouts approve',
    about: 'Approve a batch that another operator made. The same again changes nothing.',
    operands: ['id'],
    needsCode: 'always',
    input: aBatch,
    async run(context, { id }) {
      const inside = { ...context, ...(await context.keys()) };
      return asText(await approveBatch(inside, accountOf(context), id));
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
        return await reconcileRestored(inside, { file, complete, none });
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
      const names: Name[] = [
        ...(withdrawal ? [{ withdrawal }] : []),
        ...(of && month ? [{ person: of, month }] : []),
        ...(other ? [{ other }] : []),
      ];
      const [name] = names;
      if (!name || names.length > 1)
        throw new UsageError('Please say one of --withdrawal, --of with --month, and --other.');
      await namePayment(inside, accountOf(context), payment, name).catch((error: unknown) => {
        throw error instanceof Unmatched ? new UsageError(error.message) : error;
      });
      return { text: `${payment} has a name.\n${await lockOf(context)}`, json: { payment, ...name } };
    },
  }),
];

/** The clocks of a payer and of this machine may differ. */
const hour = 60 * 60 * 1000;

/** Compares what was paid since the snapshot, and lifts the lock where an operator says that this is all. */
async function reconcileRestored(
  context: CommandContext & Awaited<ReturnType<CommandContext['keys']>>,
  { file, complete, none }: { file?: string | undefined; complete: boolean; none: boolean },
): Promise<CommandOutput> {
  const operator = accountOf(context);
  const compared = { noted: 0, unchanged: 0, unmatched: [] as Comparison['unmatched'] };
  const compare = async (record: RecordedPayment[]) => {
    const { noted, unchanged, unmatched } = await compareRecord(context, operator, record);
    compared.noted += noted;
    compared.unchanged += unchanged;
    compared.unmatched.push(...unmatched);
  };
  const payer = apiPayerOf(context.config.payouts);
  const lock = await findLock(context.db);
  if (payer && lock)
    for await (const page of payer.listSince(new Date(lock.since.getTime() - hour)))
      await compare(recordOf(payer, page));
  if (file) await compare(rowsOf(file, recordedPayment));
  const counts = `${compared.noted} noted, ${compared.unchanged} unchanged, ${compared.unmatched.length} without a match.\n`;
  const open = (await listUnmatched(context.db, 1)).length > 0;
  const isDone = (complete || none) && !open;
  if (isDone) await liftLock(context, operator, none ? 'none' : 'compared');
  return {
    text: `${file || payer ? counts : ''}${await lockOf(context)}`,
    json: { ...compared, locked: !isDone },
    failed: !isDone,
  };
}

/** Whether payouts are locked, what was paid without a match, and what to do. */
export async function lockOf({ db }: Pick<CommandContext, 'db'>): Promise<string> {
  const lock = await findLock(db);
  if (!lock) return 'Payouts are not locked.\n';
  const rows = await listUnmatched(db, 100);
  if (rows.length === 0)
    return `Payouts are locked: give all that was paid since ${lock.since.toISOString()} by payouts reconcile --file, the last file with --complete true; or say --none true.\n`;
  const table = asTable(
    ['payment', 'why'],
    rows.map(({ key, why }) => [key, why]),
  );
  return `Payouts are locked. Say by payouts name what these payments are:\n${table}`;
}

/** All rows of a file, or one sentence that says which of them is wrong: then none is noted. */
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
