import { readFileSync } from 'node:fs';
import { z } from 'zod';
import * as contract from '#contract/batches.ts';
import { invalid } from '#contract/invalid.ts';
import { payerFields } from '#contract/payout-file.ts';
import { sentenceOf } from '#contract/sentences.ts';
import * as sinceRestore from '#contract/since-restore.ts';
import { accountOf } from '../features/operators/operators.ts';
import { readAnswers } from '../features/payer-services/file.ts';
import { recordPayments } from '../features/payers/record.ts';
import { findLock } from '../features/payers/shown-lock.ts';
import { reconcileSinceRestore, showLock } from '../features/payers/since-restore.ts';
import { type Command, type CommandContext, command, sentenceIn, UsageError } from './command.ts';
import { commandOf } from './from-contract.ts';
import { asTable } from './print.ts';

const sayTrue = z
  .enum(['true', 'false'], { error: invalid('again') })
  .default('false')
  .transform((said) => said === 'true');

/** For lists of what is to be paid, while payouts are locked. */
export const lockNotice = async (desk: CommandContext): Promise<string> =>
  (await findLock(desk.db)) ? await lockOf(desk) : '';

export const payoutCommands: Command[] = [
  commandOf('payouts list', contract.listBatches, {
    columns: ['_id', 'state', 'rupees', 'payer', 'madeAt', 'endedAt'],
    before: lockNotice,
  }),
  commandOf('payouts show', contract.showBatch),
  commandOf('payouts make', contract.makeBatch),
  commandOf('payouts approve', contract.approveBatch),
  commandOf('payouts send', contract.sendBatch, {
    about: `The file has the cells of PAYOUT_FILE_TEMPLATE, which may be ${payerFields.map((field) => `{${field}}`).join(' ')}.`,
    text: ({ file }) => (file ? String(file) : undefined),
  }),
  commandOf('payouts cancel', contract.cancelBatch),
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
        const compared = await reconcileSinceRestore(inside, accountOf(context.operator), given);
        const { noted, unchanged, lock } = compared;
        return {
          text: `${noted} noted, ${unchanged} unchanged, ${lock?.unmatched ?? 0} without a match.\n${await lockOf(context)}`,
          json: compared,
          failed: lock !== null,
        };
      }
      if (!file) throw new UsageError('Please say which file, as --file.');
      const payments = rowsOf(file, contract.recordPayments.body.shape.payments.element);
      const results = await recordPayments(inside, accountOf(context.operator), payments);
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
  commandOf('payouts name', sinceRestore.namePayment, {
    operands: ['payment'],
    person: { field: 'userId', as: 'of' },
  }),
];

/** Whether payouts are locked, which payments have no match, and what to do. */
async function lockOf(context: Pick<CommandContext, 'db'>): Promise<string> {
  const { lock, unmatched } = await showLock(context);
  if (!lock) return `${sentenceOf({ code: 'payouts_locked', params: { what: 'open' } })}\n`;
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
  return rows.map((row, index) => {
    const checked = schema.safeParse(row);
    if (checked.success) return checked.data;
    throw new UsageError(`Row ${index + 1} of ${path}: ${sentenceIn(checked.error)}`);
  });
}
