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
import { readAnswers } from '../features/payouts/payers/file.ts';
import { recordPayments } from '../features/payouts/record.ts';
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
      return {
        text: asTable(['id', 'state', 'rupees', 'payer', 'made', 'ended'], rows) + more,
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
      'Note what the payer says of payments. The same again changes nothing; exit code 1 means that some were refused.',
    options: {
      file: 'CSV with the columns id (of the payment), state (paid, failed or returned), reference and reason',
    },
    needsCode: 'always',
    input: z.object({ file: z.string({ error: 'Please say which file, as --file.' }) }),
    async run(context, { file }) {
      const inside = { ...context, ...(await context.keys()) };
      const payments = answersOf(file);
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
];

/** All rows of a file, or one sentence that says which of them is wrong: then none is noted. */
function answersOf(path: string): contract.PaymentOutcome[] {
  let rows: unknown[];
  try {
    rows = readAnswers(readFileSync(path));
  } catch (error) {
    throw new UsageError(`The file ${path} cannot be read: ${(error as Error).message}.`);
  }
  const { element } = contract.recordPayments.body.shape.payments;
  return rows.map((row, place) => {
    const checked = element.safeParse(row);
    if (checked.success) return checked.data;
    throw new UsageError(`Row ${place + 1} of ${path}: ${checked.error.issues[0]?.message}`);
  });
}
