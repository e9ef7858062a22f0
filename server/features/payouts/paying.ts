import type { Transaction } from 'kysely';
import type { Destination } from '#contract/payouts.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { LostKeyError } from '#server/platform/keyring/keyring.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { recordPayment } from '../earnings/payments.ts';
import { lockWithdrawal } from '../earnings/review.ts';
import { logAct } from '../operators/audit-log.ts';
import {
  type AttemptRow,
  bindingOf,
  findAttempt,
  isWithPayer,
  takeDueAttempt,
  updateAttempt,
} from './attempts.ts';
import { type ApiPayer, type PayerRecord, PayerRefused } from './payers/payer.ts';

/*
 * Paying by the API of a payer (docs/decisions/0068-razorpayx.md). Each step can be killed and done again: the payer's idempotency key
 * is the attempt's id, it is looked for before it is asked to pay, and that it is asked is written down before.
 */
export type PayingContext = Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>;

type Warn = (error: unknown, which: { attempt: string }) => void;
type Looked = 'paid' | 'not_paid' | 'open' | 'unknown' | 'refused' | 'done';

const minute = 60 * 1000;
const day = 24 * 60 * minute;
/** Longer than one try may take. After this time another worker goes on where a killed one was. */
const tryFor = 5 * minute;
/** Between two looks at one attempt: twice as long each time. */
const [firstPause, longestPause] = [minute, 60 * minute];
/** For so long after it was paid, what came back is noticed without a webhook too. */
const watchFor = 90 * day;
/** After this time a payment that the payer does not find, and refuses, never reached it, as it says itself. */
const lostAfter = 60 * minute;

/** Takes the attempt whose payer is to be asked first; undefined where none is due. */
export function takeNext(
  { db, clock }: Context<'db' | 'clock'>,
  payer: Pick<ApiPayer, 'name'>,
): Promise<AttemptRow | undefined> {
  const now = clock();
  return takeDueAttempt(db, payer.name, now, new Date(now.getTime() + tryFor));
}

/** Pays an attempt, or finds out where it is. What its payer does not say now is asked again later. */
export async function payOne(
  context: PayingContext,
  payer: ApiPayer,
  attempt: AttemptRow,
  warn: Warn,
): Promise<Looked> {
  try {
    if (attempt.state !== 'paid' && !isWithPayer(attempt)) {
      await change(context, attempt, () => ({ look_at: null }));
      return 'done';
    }
    const record = await recordAt(context, payer, attempt);
    return record ? await noteRecord(context, payer, record, warn) : 'done';
  } catch (error) {
    warn(error, { attempt: attempt.id });
    if (error instanceof Unpayable) {
      await noteNotPaid(context, payer, attempt.id, error.message);
      return 'not_paid';
    }
    const now = context.clock();
    const refused = error instanceof PayerRefused || error instanceof LostKeyError;
    await change(context, attempt, (row) => ({
      state: row.called_at ? 'unknown' : row.state,
      payer_note: noteOf(error),
      look_at: nextLook(row, now),
    }));
    return refused ? 'refused' : 'unknown';
  }
}

/** Nothing was asked of the payer, and nothing can be. */
class Unpayable extends Error {
  override name = 'Unpayable';
}

/** The payer's record of an attempt, which it is asked to pay if it has none; undefined if it is not to be paid any more. */
async function recordAt(
  context: PayingContext,
  payer: ApiPayer,
  attempt: AttemptRow,
): Promise<PayerRecord | undefined> {
  if (attempt.payer_id) return await payer.look(attempt.payer_id);
  const found = await payer.find(attempt.id);
  if (found) return found;
  const to = attempt.payer_account ?? (await register(context, payer, attempt));
  const before = await beginCall(context, attempt, to);
  if (!before) return undefined;
  try {
    return await payer.pay({ id: attempt.id, paise: attempt.paise, withdrawal: attempt.withdrawal_id }, to);
  } catch (error) {
    if (error instanceof PayerRefused) {
      // This call did nothing. One of before that was not answered may still have.
      const since = before.called_at;
      const isLost = !since || context.clock().getTime() - since.getTime() >= lostAfter;
      await change(context, attempt, (row) => ({
        called_at: isLost ? null : since,
        state: isLost && row.state === 'unknown' ? 'sent' : row.state,
      }));
    }
    throw error;
  }
}

async function register(context: PayingContext, payer: ApiPayer, attempt: AttemptRow): Promise<string> {
  if (!attempt.destination) throw new Unpayable('Where to pay is not known any more');
  try {
    const destination: Destination = JSON.parse(
      await context.keyring.decrypt(attempt.destination, bindingOf(attempt.creator_id)),
    );
    return await payer.register(attempt.creator_id, destination);
  } catch (error) {
    if (error instanceof PayerRefused && error.isFinal) throw new Unpayable(error.message);
    throw error;
  }
}

/** Writes down that the payer is asked now, and returns what was known before; undefined if it ended meanwhile. */
async function beginCall(
  context: PayingContext,
  attempt: AttemptRow,
  to: string,
): Promise<AttemptRow | undefined> {
  let before: AttemptRow | undefined;
  await change(context, attempt, (row) => {
    if (!isWithPayer(row)) return undefined;
    before = row;
    return { called_at: context.clock(), payer_account: row.payer_account ?? to };
  });
  return before;
}

/** Changes an attempt as it is now, in a transaction of its own. */
async function change(
  { db }: Context<'db'>,
  { id, withdrawal_id }: AttemptRow,
  to: (row: AttemptRow) => Parameters<typeof updateAttempt>[2] | undefined,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockWithdrawal(trx, withdrawal_id);
    const row = await findAttempt(trx, id);
    const values = row && to(row);
    if (values) await updateAttempt(trx, id, values);
  });
}

/**
 * Notes what a payer says of a payment, as it was asked or told it by itself, in any order and any number of times: what is final
 * stays, and only what was paid may come back.
 */
export async function noteRecord(
  context: PayingContext,
  payer: Pick<ApiPayer, 'name'>,
  record: PayerRecord,
  warn: Warn,
): Promise<Looked> {
  const attempt = record.attemptId ? await findAttempt(context.db, record.attemptId) : undefined;
  if (!attempt || attempt.payer !== payer.name) return 'done';
  const isAnother = attempt.payer_id !== null && attempt.payer_id !== record.id;
  if (isAnother || attempt.paise !== record.paise) {
    warn(new Error('the payer has another payment under this id'), { attempt: attempt.id });
    await change(context, attempt, (row) => ({
      look_at: nextLook(row, context.clock()),
      payer_note: 'The payer has another payment under this id: ask it about both.',
    }));
    return 'refused';
  }
  await change(context, attempt, (row) => {
    if (!isWithPayer(row)) return { look_at: nextLook(row, context.clock()) };
    const isNew = row.payer_id === null;
    return {
      payer_id: record.id,
      called_at: null,
      state: 'sent',
      payer_note: `${record.status}: ${record.why}`,
      ...(isNew ? { looks: 0 } : {}),
      look_at: nextLook(isNew ? { ...row, looks: 0 } : row, context.clock()),
    };
  });
  if (record.state === 'paid') await notePaid(context, payer, attempt.id, record);
  if (record.state === 'not_paid') await noteNotPaid(context, payer, attempt.id, record.why);
  return record.state;
}

async function notePaid(
  context: PayingContext,
  payer: Pick<ApiPayer, 'name'>,
  id: string,
  record: PayerRecord,
): Promise<void> {
  const { reference } = record;
  // Without a number of the bank, and where a bank gave it twice, the payer's own id says which payment it was.
  const references = reference ? [reference, `${reference} ${record.id}`] : [record.id];
  for (const one of references) {
    const isUsed = await noted(context, payer, id, { state: 'paid', reference: one });
    if (!isUsed) return;
  }
}

/** Of what was noted as paid, this says that it came back. */
async function noteNotPaid(
  context: PayingContext,
  payer: Pick<ApiPayer, 'name'>,
  id: string,
  reason: string,
): Promise<void> {
  await noted(context, payer, id, { state: 'returned', reason });
}

/** Returns whether the reference is one of another payment. */
async function noted(
  context: PayingContext,
  payer: Pick<ApiPayer, 'name'>,
  id: string,
  outcome: { state: 'paid'; reference: string } | { state: 'returned'; reason: string },
): Promise<boolean> {
  const done = async (trx: Transaction<Tables>, attempt: AttemptRow, now: Date) => {
    const look_at = outcome.state === 'paid' ? new Date(now.getTime() + longestPause) : null;
    await updateAttempt(trx, id, { look_at, looks: 0, payer_note: null });
    const { state, ...said } = outcome;
    const isPaid = state === 'paid';
    const act = isPaid ? 'withdrawal.complete' : attempt.state === 'failed' ? 'payout.fail' : 'payout.return';
    const target = { kind: 'withdrawal', id: attempt.withdrawal_id };
    const details = { attempt: id, paise: attempt.paise, ...said };
    await logAct(trx, { id: null, name: payer.name }, { act, target, details }, now);
  };
  try {
    await recordPayment(context, id, outcome, { operatorId: null, done });
    return false;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // What ended another way stays: the payer's older words come late.
    if (error.code === 'payment_ended' || error.code === 'withdrawal_decided') return false;
    if (error.code === 'reference_used') return true;
    throw error;
  }
}

/** Null where nothing is expected any more. */
function nextLook({ looks, ...row }: AttemptRow, now: Date): Date | null {
  const { state, paid_at } = row;
  if (state === 'paid')
    return paid_at && now.getTime() - paid_at.getTime() < watchFor ? new Date(now.getTime() + day) : null;
  if (!isWithPayer(row)) return null;
  const pause = Math.min(firstPause * 2 ** Math.max(0, looks - 1), longestPause);
  return new Date(now.getTime() + pause);
}

function noteOf(error: unknown): string {
  if (error instanceof LostKeyError) return 'Where to pay cannot be decrypted: bring back the keys';
  return error instanceof Error ? error.message : String(error);
}
