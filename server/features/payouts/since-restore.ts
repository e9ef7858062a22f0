import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { z } from 'zod';
import { rupeesOf } from '#contract/rates.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { recordPayment } from '../earnings/payments.ts';
import { tellPayment } from '../earnings/payout-notices.ts';
import { lockWithdrawal, mustBeOfAnother } from '../earnings/review.ts';
import { withdraw } from '../earnings/withdrawals.ts';
import { logAct } from '../operators/audit-log.ts';
import type { OperatorAccount } from '../operators/operators.ts';
import {
  type AttemptRow,
  attemptsOf,
  endAttempt,
  findAttempt,
  findByReference,
  insertAttempts,
  isWithPayer,
  updateAttempt,
} from './attempts.ts';
import { lockBatches } from './batches.queries.ts';
import * as queries from './lock.queries.ts';
import { findLock, type PayoutLock } from './lock.ts';
import type { ApiPayer, PayerRecord } from './payers/payer.ts';
import { logged } from './record.ts';

/*
 * Compares what a payer has paid since the snapshot with what was restored (docs/decisions/0069-after-a-restore.md). Nothing is guessed:
 * what matches no withdrawal keeps the lock until an operator says what it is.
 */
type Reconciling = Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>;

const paise = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,2})?$/, { error: 'rupees is an amount such as 12.50.' })
  .transform((rupees) => {
    const [whole = '', part = ''] = rupees.split('.');
    return Number(whole) * 100 + Number(part.padEnd(2, '0'));
  });
const uuid = (what: string) => z.uuid({ error: `${what} is not an id of Jhalak's.` });

/** One payment as the payer's record has it. A file that was handed out says nothing of how its payments ended: they are `sent`. */
export const recordedPayment = z
  .object({
    id: uuid('id').optional(),
    withdrawal: uuid('withdrawal').optional(),
    rupees: paise.optional(),
    state: z
      .enum(['sent', 'paid', 'failed', 'returned'], { error: 'state is sent, paid, failed or returned.' })
      .default('sent'),
    reference: z.string().max(100).optional(),
    reason: z.string().max(500).optional(),
  })
  .refine(({ id, reference }) => id ?? reference, {
    error: 'A payment needs its id, or the reference of the payer.',
  })
  .refine(({ state, reference }) => state !== 'paid' || reference, {
    error: "Please give the payer's reference.",
  })
  .transform(({ rupees, ...payment }) => ({ ...payment, paise: rupees }));
/** `payer`, `payerId`: it is of the record of a payer with an API, and its id there. */
export type RecordedPayment = z.output<typeof recordedPayment> & { payer?: string; payerId?: string };

/** What a payer with an API has of payments of this site, as its record; the same site may pay others by the same account. */
export const recordOf = (payer: Pick<ApiPayer, 'name'>, records: readonly PayerRecord[]): RecordedPayment[] =>
  records.flatMap(({ attemptId, ...record }): RecordedPayment[] => {
    if (!z.uuid().safeParse(attemptId).success) return [];
    const common = {
      id: attemptId ?? undefined,
      paise: record.paise,
      payer: payer.name,
      payerId: record.id,
    };
    if (record.state === 'open') return [{ ...common, state: 'sent' as const }];
    if (record.state === 'paid')
      return [{ ...common, state: 'paid' as const, reference: record.reference ?? record.id }];
    return [{ ...common, state: 'returned' as const, reason: record.why }];
  });

/** Why a payment matches nothing; for operators. */
export class Unmatched extends Error {}

export interface Comparison {
  noted: number;
  unchanged: number;
  /** Of this record. */
  unmatched: { key: string; why: string }[];
}

/** Notes all that a payer's record says; the same again changes nothing. */
export async function compareRecord(
  context: Reconciling,
  operator: OperatorAccount,
  record: readonly RecordedPayment[],
): Promise<Comparison> {
  await mustBeLocked(context);
  const done: Comparison = { noted: 0, unchanged: 0, unmatched: [] };
  // What failed first: the next payment of the same withdrawal came after it.
  const order = (payment: RecordedPayment) => ['failed', 'returned', 'paid', 'sent'].indexOf(payment.state);
  for (const payment of record.toSorted((one, other) => order(one) - order(other))) {
    const key = keyOf(payment);
    try {
      const changed = await inTransaction(context.db, (trx) =>
        note({ ...context, db: trx }, operator, payment),
      );
      done[changed ? 'noted' : 'unchanged'] += 1;
    } catch (error) {
      if (!(error instanceof Unmatched || error instanceof Refusal)) throw error;
      const row = { key, payment: JSON.stringify(payment), why: error.message, noted_at: context.clock() };
      if (await queries.putUnmatched(context.db, row)) done.unmatched.push({ key, why: error.message });
      else done.unchanged += 1;
    }
  }
  return done;
}

const keyOf = ({ id, reference }: RecordedPayment) => id ?? `reference ${reference}`;

type Inside = Reconciling & { db: Transaction<Tables> };

/** Notes one payment; returns whether something changed. */
async function note(context: Inside, operator: OperatorAccount, payment: RecordedPayment): Promise<boolean> {
  const trx = context.db;
  await lockBatches(trx);
  const { id, reference } = payment;
  const known = id
    ? await findAttempt(trx, id)
    : reference
      ? await findByReference(trx, reference)
      : undefined;
  const changed = known
    ? await noteKnown(context, operator, { payment, known })
    : await noteUnknown(context, operator, payment);
  const withdrawal_id = known?.withdrawal_id ?? payment.withdrawal;
  if (withdrawal_id)
    await queries.name(trx, keyOf(payment), {
      withdrawal_id,
      named_at: context.clock(),
      named_by: operator.id,
    });
  return changed;
}

async function noteKnown(
  context: Inside,
  operator: OperatorAccount,
  { payment, known }: { payment: RecordedPayment; known: AttemptRow },
): Promise<boolean> {
  const trx = context.db;
  const row = await lockWithdrawal(trx, known.withdrawal_id);
  const attempt = await findAttempt(trx, known.id);
  if (!attempt) throw notFound('There is no such payment.');
  if (payment.paise !== undefined && payment.paise !== attempt.paise)
    throw new Unmatched(`It is of ₹${rupeesOf(payment.paise)}, and here of ₹${rupeesOf(attempt.paise)}.`);
  const isUnpaid = payment.state === 'failed' || payment.state === 'returned';
  if (attempt.state === 'cancelled') {
    if (isUnpaid) return false;
    throw new Unmatched('It was cancelled here before it was sent.');
  }
  if (attempt.payer && payment.payer !== attempt.payer)
    throw new Unmatched('Its payer says by itself what became of it.');
  // A payer may have given its own id as the reference of before.
  if (attempt.state === 'paid' && payment.state === 'paid' && payment.payerId === (attempt.payer_id ?? ''))
    return false;
  let changed = false;
  if (attempt.state === 'prepared') {
    mustBeOfAnother(row, operator.id);
    const now = context.clock();
    await updateAttempt(trx, attempt.id, {
      ...givenTo(payment, now),
      approved_at: attempt.approved_at ?? now,
      sent_at: now,
    });
    await tellPayment(trx, context, row, { step: 'withdrawal_sent', note: attempt.masked });
    changed = true;
  }
  if (payment.state === 'sent') return changed;
  return (await noteOutcome(context, operator, { payment, attemptId: attempt.id })) || changed;
}

/** With an API it is asked again what became of it, once payouts are not locked any more. */
const givenTo = ({ payer, payerId }: RecordedPayment, now: Date) =>
  payer
    ? { state: 'sent' as const, payer, payer_id: payerId ?? null, look_at: now, looks: 0 }
    : { state: 'exported' as const };

/** A payment that was prepared after the snapshot. */
async function noteUnknown(
  context: Inside,
  operator: OperatorAccount,
  payment: RecordedPayment,
): Promise<boolean> {
  // In the end nothing was paid, and the withdrawal can be paid as it stands here.
  if (payment.state === 'failed' || payment.state === 'returned') return false;
  if (!payment.withdrawal) throw new Unmatched('Nothing here has this id or reference.');
  if (payment.paise === undefined) throw new Unmatched('The record does not say of how many rupees it is.');
  const trx = context.db;
  const now = context.clock();
  const row = await lockWithdrawal(trx, payment.withdrawal);
  mustBeOfAnother(row, operator.id);
  if (row.state !== 'pending') throw new Unmatched(`The withdrawal ${row.id} is ${row.state} here.`);
  if (payment.paise !== row.paise)
    throw new Unmatched(
      `It is of ₹${rupeesOf(payment.paise)}, and the withdrawal ${row.id} of ₹${rupeesOf(row.paise)}.`,
    );
  const last = (await attemptsOf(trx, [row])).get(row.id)?.at(-1);
  if (last && isWithPayer(last))
    throw new Unmatched(
      `The payer has another payment of this withdrawal, ${last.id}: say first what became of it.`,
    );
  // It was cancelled after the snapshot, or this one could not have been prepared.
  if (last?.state === 'prepared')
    await endAttempt(
      trx,
      last,
      { state: 'cancelled', reason: 'Another payment was found after a restore' },
      now,
    );
  const id = payment.id ?? idOf(payment);
  await insertAttempts(trx, [
    {
      id,
      creator_id: row.creator_id,
      withdrawal_id: row.id,
      number: (last?.number ?? 0) + 1,
      batch_id: null,
      paise: row.paise,
      ...givenTo(payment, now),
      destination: null,
      masked: null,
      fingerprint: null,
      prepared_at: now,
      approved_at: now,
      sent_at: now,
    },
  ]);
  if (payment.state === 'paid') await noteOutcome(context, operator, { payment, attemptId: id });
  return true;
}

/** A payment that was made by hand has no id: the same one has the same. */
function idOf(payment: RecordedPayment): string {
  const hex = createHash('sha256').update(keyOf(payment)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

async function noteOutcome(
  context: Inside,
  operator: OperatorAccount,
  { payment, attemptId }: { payment: RecordedPayment; attemptId: string },
): Promise<boolean> {
  const { state, reference = '', reason = 'Noted after a restore' } = payment;
  if (state === 'sent') return false;
  const outcome = state === 'paid' ? { state, reference } : { state, reason };
  return await recordPayment(context, attemptId, outcome, {
    operatorId: operator.id,
    done: logged(operator, attemptId, outcome),
    afterRestore: true,
  });
}

export type Name = { withdrawal: string } | { person: string; month: string } | { other: string };

/**
 * Says what a payment is that matched nothing: of a withdrawal; of a month of somebody, whose request was lost and is made again; or
 * something else.
 */
export async function namePayment(
  context: Reconciling,
  operator: OperatorAccount,
  key: string,
  name: Name,
): Promise<void> {
  await mustBeLocked(context);
  await inTransaction(context.db, async (trx) => {
    const inside = { ...context, db: trx };
    const now = context.clock();
    await lockBatches(trx);
    const row = await queries.lockUnmatched(trx, key);
    if (!row) throw notFound('There is no such payment.');
    if (row.named_at) return;
    const payment = row.payment as unknown as RecordedPayment;
    const target = { kind: 'payment', id: key };
    if ('other' in name) {
      await queries.name(trx, key, { other: name.other, named_at: now, named_by: operator.id });
      await logAct(trx, operator, { act: 'payout.name', target, details: { ...name, ...payment } }, now);
      return;
    }
    const withdrawal = 'withdrawal' in name ? name.withdrawal : await askAgain(inside, payment, name);
    await note(inside, operator, { ...payment, withdrawal });
    await logAct(trx, operator, { act: 'payout.name', target, details: { withdrawal } }, now);
  });
}

/** Makes a request that was lost, of exactly what was paid. */
async function askAgain(
  context: Inside,
  { paise: paid }: RecordedPayment,
  { person, month }: { person: string; month: string },
): Promise<string> {
  if (paid === undefined) throw new Unmatched('The record does not say of how many rupees it is.');
  const form = { userId: person, month, totalRupee: rupeesOf(paid) };
  return (await withdraw(context, person, form))._id;
}

/** Lifts the lock, if nothing is left to be named. `none`: an operator says that nothing was paid since. */
export async function liftLock(
  context: Reconciling,
  operator: OperatorAccount,
  how: 'compared' | 'none',
): Promise<void> {
  const lock = await mustBeLocked(context);
  await inTransaction(context.db, async (trx) => {
    const now = context.clock();
    await lockBatches(trx);
    if ((await queries.countUnmatched(trx)) > 0)
      throw new Refusal(
        'payouts_locked',
        'Payouts stay locked: say first, by payouts name, what the payments are that match nothing here.',
      );
    await queries.liftLocks(trx, { lifted_at: now, lifted_by: operator.id });
    const target = { kind: 'payouts', id: lock.since.toISOString() };
    await logAct(trx, operator, { act: 'payout.unlock', target, details: { how } }, now);
  });
}

/** What is still to be named, the first of it. */
export const listUnmatched = queries.listUnmatched;

async function mustBeLocked({ db }: Context<'db'>): Promise<PayoutLock> {
  const lock = await findLock(db);
  if (!lock) throw new Refusal('payouts_locked', 'Payouts are not locked.');
  return lock;
}
