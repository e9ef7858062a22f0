import { createHash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { rupeesOf } from '#contract/earning-rules.ts';
import type { ParamsArgument } from '#contract/sentences.ts';
import type * as contract from '#contract/since-restore.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import type { OperatorAccount } from '../audit-log/audit-log.ts';
import { logAct } from '../audit-log/audit-log.ts';
import { type ApiPayer, type PayerRecord, PayerRefused, PayerUnclear } from '../payer-services/payer.ts';
import { apiPayerOf } from '../payer-services/payers.ts';
import {
  type AttemptRow,
  attemptsOf,
  endAttempt,
  findAttempt,
  findByReference,
  insertAttempts,
  isWithPayer,
  updateAttempt,
} from '../withdrawals/attempts.ts';
import { mustNotBeOwn } from '../withdrawals/own-withdrawal.ts';
import { recordPayment, type WithdrawalRow } from '../withdrawals/payments.ts';
import { liftLocks } from '../withdrawals/payout-lock.ts';
import { notifyPayment } from '../withdrawals/payout-notices.ts';
import { lockWithdrawal } from '../withdrawals/review.ts';
import { findWithdrawalOf, withdraw } from '../withdrawals/withdrawals.ts';
import { lockBatches } from './batches.queries.ts';
import { logged } from './record.ts';
import { findLock, type PayoutLock, shownLock } from './shown-lock.ts';
import * as queries from './unmatched.queries.ts';

/*
 * Compares what a payer has paid since the snapshot with what was restored (docs/decisions/0069-after-a-restore.md). Nothing is guessed: a
 * payment that matches no withdrawal keeps the lock until an operator identifies it.
 */
type Reconciling = Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>;

/**
 * `payer`, `payerId`: set if it comes from the record of a payer with an API. `unmade`: the previous attempt, if that payer has no payment
 * of it.
 */
export type RecordedPayment = Omit<z.output<typeof contract.recordedPayment>, 'rupees'> & {
  paise?: number | undefined;
  payer?: string;
  payerId?: string;
  unmade?: string;
};

/** A payment as an operator gives it. */
export function parsePayment({
  rupees,
  ...payment
}: z.output<typeof contract.recordedPayment>): RecordedPayment {
  if (rupees === undefined) return payment;
  const [whole = '', part = ''] = rupees.split('.');
  return { ...payment, paise: Number(whole) * 100 + Number(part.padEnd(2, '0')) };
}

/** The payments of this site in the record of a payer with an API. Other systems may pay from the same account. */
export const recordOf = (payer: Pick<ApiPayer, 'name'>, records: readonly PayerRecord[]): RecordedPayment[] =>
  records.flatMap(({ attemptId, withdrawal, ...record }): RecordedPayment[] => {
    if (!z.uuid().safeParse(attemptId).success) return [];
    const common = {
      id: attemptId ?? undefined,
      withdrawal: withdrawal ?? undefined,
      paise: record.paise,
      payer: payer.name,
      payerId: record.id,
    };
    if (record.state === 'open') return [{ ...common, state: 'sent' as const }];
    if (record.state === 'paid')
      return [{ ...common, state: 'paid' as const, reference: record.reference ?? record.id }];
    return [{ ...common, state: 'returned' as const, reason: record.why }];
  });

/** The reason why a payment matches nothing. */
const unmatched = (...why: ParamsArgument<'payment_unmatched'>) => new Refusal('payment_unmatched', ...why);

interface Comparison {
  noted: number;
  unchanged: number;
  /** Only of this record. */
  unmatched: { key: string; why: string }[];
}

/** Records all payments of a payer's record; repeating it changes nothing. */
export async function compareRecord(
  context: Reconciling,
  operator: OperatorAccount,
  record: readonly RecordedPayment[],
): Promise<Comparison> {
  await mustBeLocked(context.db);
  const comparison: Comparison = { noted: 0, unchanged: 0, unmatched: [] };
  for (const payment of inOrder(record)) {
    const key = keyOf(payment);
    try {
      const changed = await whileLocked(context, (trx) =>
        recordOne({ ...context, db: trx }, operator, payment),
      );
      comparison[changed ? 'noted' : 'unchanged'] += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // The payer is asked again when the payment is identified.
      const [why, noted_at] = [error.message, context.clock()];
      const isOpen = await whileLocked(context, async (trx) => {
        const stored = JSON.stringify({ ...(await withEarlierEntry(trx, payment)), unmade: undefined });
        return await queries.upsertUnmatched(trx, { key, payment: stored, why, noted_at });
      });
      if (isOpen) comparison.unmatched.push({ key, why: error.message });
      else comparison.unchanged += 1;
    }
  }
  return comparison;
}

const isUnpaid = ({ state }: Pick<RecordedPayment, 'state'>) => state === 'failed' || state === 'returned';

/**
 * The record in the order in which it happened: all entries of one payment together, and payments that ended unpaid first, since the
 * next payment of the same withdrawal came after them. Ids increase in the order of the payments.
 */
function inOrder(record: readonly RecordedPayment[]): RecordedPayment[] {
  const unpaid = new Set(record.filter(isUnpaid).map(keyOf));
  const states = ['sent', 'paid', 'failed', 'returned'];
  const order = (payment: RecordedPayment) =>
    `${unpaid.has(keyOf(payment)) ? 0 : 1} ${keyOf(payment)} ${states.indexOf(payment.state)}`;
  const isAfter = (payment: RecordedPayment, other: RecordedPayment) => Number(order(payment) > order(other));
  return record.toSorted((payment, other) => isAfter(payment, other) - isAfter(other, payment));
}

const keyOf = ({ id, reference }: RecordedPayment) => id ?? `reference ${reference}`;

type Inside = Reconciling & { db: Transaction<Tables> };

/** Records one payment; returns whether something changed. */
async function recordOne(
  context: Inside,
  operator: OperatorAccount,
  given: RecordedPayment,
): Promise<boolean> {
  const { db: trx } = context;
  const key = keyOf(given);
  const payment = await withEarlierEntry(trx, given);
  const known = await attemptOf(trx, payment);
  if (!known && (await hasEndedUnpaid(trx, payment))) return false;
  if (!known && isUnpaid(payment)) {
    await storeUnpaid(context, operator, payment);
    return false;
  }
  const changed = known
    ? await recordKnown(context, operator, { payment, known })
    : await recordUnknown(context, operator, payment);
  const withdrawal_id = known?.withdrawal_id ?? payment.withdrawal;
  if (withdrawal_id)
    await queries.identify(trx, key, { withdrawal_id, named_at: context.clock(), named_by: operator.id });
  return changed;
}

/**
 * The payment, completed by an entry from an earlier file: the file that was sent has the withdrawal, the payer's result file the outcome.
 */
async function withEarlierEntry(
  trx: Transaction<Tables>,
  payment: RecordedPayment,
): Promise<RecordedPayment> {
  const said = await queries.findUnmatched(trx, keyOf(payment));
  if (!said) return payment;
  const { withdrawal, paise, state, reference } = said.payment as unknown as RecordedPayment;
  // The outcome of a payment by an API comes only from that API.
  const isPaid = !payment.payer && said.named_at === null && payment.state === 'sent' && state === 'paid';
  return {
    ...payment,
    ...(isPaid ? { state, reference } : {}),
    withdrawal: payment.withdrawal ?? withdrawal,
    paise: payment.paise ?? paise,
  };
}

/**
 * Whether an earlier entry says that the payment was returned or failed. Ignored if its own creator gave that entry: they would be paid
 * again.
 */
async function hasEndedUnpaid(trx: Transaction<Tables>, payment: RecordedPayment): Promise<boolean> {
  const said = await queries.findUnmatched(trx, keyOf(payment));
  if (!said?.named_at) return false;
  const { state } = said.payment as unknown as RecordedPayment;
  if (state !== 'returned' && !(state === 'failed' && payment.state === 'sent')) return false;
  return (await withdrawalOf(trx, payment))?.creator_id !== said.named_by;
}

/** Stores that the payment ended unpaid, so that its withdrawal can be paid again. A file without the outcome may be given later. */
async function storeUnpaid(
  context: Inside,
  operator: OperatorAccount,
  payment: RecordedPayment,
): Promise<void> {
  const { db: trx, clock } = context;
  const row = payment.payer ? undefined : await withdrawalOf(trx, payment);
  if (row) await mustNotBeOwn(trx, row, operator.id);
  const [key, now, why] = [keyOf(payment), clock(), 'Nothing was paid by it.'];
  await queries.upsertUnmatched(trx, { key, payment: JSON.stringify(payment), why, noted_at: now });
  await queries.identify(trx, key, { other: why, named_at: now, named_by: operator.id });
}

/** The attempt of a payment, by its id or its reference; undefined if the database does not have it. */
async function attemptOf(
  db: Kysely<Tables>,
  { id, reference }: RecordedPayment,
): Promise<AttemptRow | undefined> {
  if (id) return await findAttempt(db, id);
  return reference ? await findByReference(db, reference) : undefined;
}

async function recordKnown(
  context: Inside,
  operator: OperatorAccount,
  { payment, known }: { payment: RecordedPayment; known: AttemptRow },
): Promise<boolean> {
  const trx = context.db;
  const row = await lockWithdrawal(trx, known.withdrawal_id);
  const attempt = await findAttempt(trx, known.id);
  if (!attempt) throw notFound('payment');
  if (payment.paise !== undefined && payment.paise !== attempt.paise)
    throw unmatched({ what: 'amount', paid: rupeesOf(payment.paise), known: rupeesOf(attempt.paise) });
  if (attempt.state === 'cancelled') {
    if (isUnpaid(payment)) return false;
    throw unmatched({ what: 'cancelled' });
  }
  if (attempt.payer && payment.payer !== attempt.payer) throw unmatched({ what: 'told' });
  // The reference that was recorded before may have been the payer's own id.
  if (attempt.state === 'paid' && payment.state === 'paid' && payment.payerId === (attempt.payer_id ?? ''))
    return false;
  let changed = false;
  if (attempt.state === 'prepared') {
    await mustNotBeOwn(trx, row, operator.id);
    const now = context.clock();
    await updateAttempt(trx, attempt.id, {
      ...sentState(payment, now),
      approved_at: attempt.approved_at ?? now,
      sent_at: now,
    });
    await notifyPayment(trx, context, row, { step: 'withdrawal_sent', note: attempt.masked });
    changed = true;
  }
  // The snapshot may be older than the call of the payer.
  else if (payment.payerId && attempt.payer_id === null)
    await updateAttempt(trx, attempt.id, { payer_id: payment.payerId });
  if (payment.state === 'sent') return changed;
  return (await recordOutcome(context, operator, { payment, attemptId: attempt.id })) || changed;
}

/** An API is polled for the outcome once payouts are not locked any more. */
const sentState = ({ payer, payerId }: RecordedPayment, now: Date) =>
  payer
    ? { state: 'sent' as const, payer, payer_id: payerId ?? null, look_at: now, looks: 0 }
    : { state: 'exported' as const };

/** A payment that was prepared after the snapshot. */
async function recordUnknown(
  context: Inside,
  operator: OperatorAccount,
  payment: RecordedPayment,
): Promise<boolean> {
  if (!payment.withdrawal) throw unmatched({ what: 'unknown' });
  if (payment.paise === undefined) throw unmatched({ what: 'no_amount' });
  const trx = context.db;
  const now = context.clock();
  const row = await lockWithdrawal(trx, payment.withdrawal);
  await mustNotBeOwn(trx, row, operator.id);
  if (row.state !== 'pending') throw unmatched({ what: 'decided', withdrawal: row.id, state: row.state });
  if (payment.paise !== row.paise)
    throw unmatched({
      what: 'another_amount',
      paid: rupeesOf(payment.paise),
      withdrawal: row.id,
      due: rupeesOf(row.paise),
    });
  const last = (await attemptsOf(trx, [row])).get(row.id)?.at(-1);
  const isOpen = last !== undefined && isWithPayer(last);
  if (isOpen && last.id !== payment.unmade) throw unmatched({ what: 'open', payment: last.id });
  // It must have ended after the snapshot, otherwise this payment would not have been prepared.
  if (isOpen || last?.state === 'prepared')
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
      ...sentState(payment, now),
      destination: null,
      masked: null,
      fingerprint: null,
      prepared_at: now,
      approved_at: now,
      sent_at: now,
    },
  ]);
  if (payment.state === 'paid') await recordOutcome(context, operator, { payment, attemptId: id });
  return true;
}

/**
 * Adds the previous payment of the same withdrawal before each payment that the database does not have. The previous one must have ended,
 * but the record since the snapshot does not contain it if it was made earlier, so its payer is asked for it.
 */
async function withPrevious(
  context: Reconciling,
  payments: readonly RecordedPayment[],
): Promise<RecordedPayment[]> {
  const payer = apiPayerOf(context.config.payouts);
  if (!payer) return [...payments];
  const all: RecordedPayment[] = [];
  for (const payment of payments) {
    const earlier = await previousAttempt(context, payer, payment);
    if (!earlier || payments.some(({ id }) => id === earlier.id)) all.push(payment);
    else {
      const record = await callPayer(() =>
        earlier.payer_id ? payer.look(earlier.payer_id) : payer.find(earlier.id),
      );
      if (record) all.push(...recordOf(payer, [record]), payment);
      else all.push({ ...payment, unmade: earlier.id });
    }
  }
  return all;
}

/** The last attempt of the same withdrawal, if this payer had it at the snapshot; undefined if the database has the payment itself. */
async function previousAttempt(
  context: Reconciling,
  payer: Pick<ApiPayer, 'name'>,
  payment: RecordedPayment,
): Promise<AttemptRow | undefined> {
  if (isUnpaid(payment) || !payment.withdrawal) return undefined;
  if (await attemptOf(context.db, payment)) return undefined;
  return await whileLocked(context, async (trx) => {
    const row = await withdrawalOf(trx, payment);
    const last = row && (await attemptsOf(trx, [row])).get(row.id)?.at(-1);
    return last?.payer === payer.name && (last.state === 'paid' || isWithPayer(last)) ? last : undefined;
  });
}

/** A payment by hand has no id: its reference determines one. */
function idOf(payment: RecordedPayment): string {
  const hex = createHash('sha256').update(keyOf(payment)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

async function recordOutcome(
  context: Inside,
  operator: OperatorAccount,
  { payment, attemptId }: { payment: RecordedPayment; attemptId: string },
): Promise<boolean> {
  const { state, reference = '', reason = 'Noted after a restore' } = payment;
  if (state === 'sent') return false;
  const outcome = state === 'paid' ? { state, reference } : { state, reason };
  return await recordPayment(context, attemptId, outcome, {
    operatorId: operator.id,
    listener: logged(operator, attemptId, outcome),
    afterRestore: true,
  });
}

/**
 * Identifies a payment that matched nothing: by a withdrawal; by a person and month, whose request was lost and is made again; or as
 * something else.
 */
export async function identifyPayment(
  context: Reconciling,
  operator: OperatorAccount,
  name: z.output<typeof contract.namePayment.body>,
): Promise<LockShown> {
  const earlier = await recordPrevious(context, operator, name);
  await whileLocked(context, async (trx) => {
    const inside = { ...context, db: trx };
    const now = context.clock();
    const { payment: key, other } = name;
    const row = await queries.lockUnmatched(trx, key);
    if (!row) throw notFound('payment');
    if (row.named_at) return;
    const payment = row.payment as unknown as RecordedPayment;
    const recorded = await withdrawalOf(trx, payment);
    if (recorded) await mustNotBeOwn(trx, recorded, operator.id);
    const target = { kind: 'payment', id: key };
    if (other) {
      await queries.identify(trx, key, { other, named_at: now, named_by: operator.id });
      await logAct(trx, operator, { act: 'payout.name', target, details: { other, ...payment } }, now);
      return;
    }
    const withdrawal = name.withdrawal ?? (await repeatRequest(inside, payment, name));
    if (recorded && recorded.id !== withdrawal)
      throw unmatched({ what: 'another_withdrawal', withdrawal: recorded.id });
    await recordOne(inside, operator, { ...payment, ...earlier, withdrawal });
    await logAct(trx, operator, { act: 'payout.name', target, details: { withdrawal } }, now);
  });
  return await showLock(context);
}

/** Records the outcome of the previous payment before a payment gets its withdrawal; returns it if its payer has no payment of it. */
async function recordPrevious(
  context: Reconciling,
  operator: OperatorAccount,
  { payment: key, withdrawal: named, userId, month }: z.output<typeof contract.namePayment.body>,
): Promise<Pick<RecordedPayment, 'unmade'>> {
  const { db } = context;
  const row = await queries.findUnmatched(db, key);
  const withdrawal = named ?? (userId && month ? (await findWithdrawalOf(db, userId, month))?.id : undefined);
  if (!row || row.named_at || !withdrawal) return {};
  const payment = { ...(row.payment as unknown as RecordedPayment), withdrawal };
  const all = await withPrevious(context, [payment]);
  for (const earlier of all.slice(0, -1))
    await whileLocked(context, (trx) => recordOne({ ...context, db: trx }, operator, earlier));
  const { unmade } = all.at(-1) ?? {};
  return unmade ? { unmade } : {};
}

/** The withdrawal that the record itself states, if the database has it. */
async function withdrawalOf(
  trx: Transaction<Tables>,
  payment: RecordedPayment,
): Promise<WithdrawalRow | undefined> {
  const id = (await attemptOf(trx, payment))?.withdrawal_id ?? payment.withdrawal;
  if (!id) return undefined;
  return await lockWithdrawal(trx, id).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'not_found') return undefined;
    throw error;
  });
}

/** Makes a lost request again, with the amount that was paid. */
async function repeatRequest(
  context: Inside,
  { paise: paid }: RecordedPayment,
  { userId = '', month = '' }: { userId?: string | undefined; month?: string | undefined },
): Promise<string> {
  if (paid === undefined) throw unmatched({ what: 'no_amount' });
  const form = { userId, month, totalRupee: rupeesOf(paid) };
  try {
    return (await withdraw(context, userId, form))._id;
  } catch (error) {
    // The error would be about the operator's own account.
    if (error instanceof Refusal && error.code === 'not_signed_in') throw notFound('person');
    if (error instanceof Refusal && error.code === 'suspended')
      throw new Refusal('person_suspended', { what: 'account' });
    throw error;
  }
}

/** Lifts the lock, if no payment is left to be identified. `none`: an operator says that nothing was paid since. */
export async function liftLock(
  context: Reconciling,
  operator: OperatorAccount,
  how: 'compared' | 'none',
): Promise<void> {
  await whileLocked(context, async (trx, lock) => {
    const now = context.clock();
    if (lock.unmatched > 0) throw new Refusal('payouts_locked', { what: 'unmatched' });
    await liftLocks(trx, { lifted_at: now, lifted_by: operator.id });
    const target = { kind: 'payouts', id: lock.since.toISOString() };
    await logAct(trx, operator, { act: 'payout.unlock', target, details: { how } }, now);
  });
}

/** Runs in a transaction that has locked all batches, while payouts are locked: another operator may lift the lock in the meantime. */
async function whileLocked<T>(
  { db }: Context<'db'>,
  run: (trx: Transaction<Tables>, lock: PayoutLock) => Promise<T>,
): Promise<T> {
  return await inTransaction(db, async (trx) => {
    await lockBatches(trx);
    return await run(trx, await mustBeLocked(trx));
  });
}

async function mustBeLocked(db: Kysely<Tables>): Promise<PayoutLock> {
  const lock = await findLock(db);
  if (!lock) throw new Refusal('payouts_locked', { what: 'open' });
  return lock;
}

type LockShown = Omit<z.input<typeof contract.getPayoutLock.response>, 'status'>;

/** Whether payouts are locked, and the first payments that are still to be identified. */
export async function showLock({ db }: Context<'db'>): Promise<LockShown> {
  const lock = await findLock(db);
  const rows = lock ? await queries.listUnmatched(db, 100) : [];
  return {
    lock: lock ? shownLock(lock) : null,
    unmatched: rows.map(({ key, why }) => ({ payment: key, why })),
  };
}

/** The clocks of a payer and of this machine may differ. */
const hour = 60 * 60 * 1000;

/**
 * Compares what an operator gives, and the record since the snapshot of a payer with an API; lifts the lock if the operator says that this
 * is all, or that nothing was paid.
 */
export async function reconcileSinceRestore(
  context: Reconciling,
  operator: OperatorAccount,
  { payments, complete, none }: z.output<typeof contract.reconcileSinceRestore.body>,
): Promise<LockShown & Pick<Comparison, 'noted' | 'unchanged'>> {
  const { since } = await mustBeLocked(context.db);
  const payer = apiPayerOf(context.config.payouts);
  const records = payer ? recordOf(payer, await recordsSince(payer, new Date(since.getTime() - hour))) : [];
  const ofPayer = await compareRecord(context, operator, await withPrevious(context, records));
  const given = await compareRecord(
    context,
    operator,
    await withPrevious(context, payments.map(parsePayment)),
  );
  if ((complete || none) && (await mustBeLocked(context.db)).unmatched === 0)
    await liftLock(context, operator, none ? 'none' : 'compared');
  return {
    noted: ofPayer.noted + given.noted,
    unchanged: ofPayer.unchanged + given.unchanged,
    ...(await showLock(context)),
  };
}

/** All records are read before any is compared, since the newest come first. */
async function recordsSince(payer: ApiPayer, time: Date): Promise<PayerRecord[]> {
  const records: PayerRecord[] = [];
  await callPayer(async () => {
    for await (const page of payer.listSince(time)) records.push(...page);
  });
  return records;
}

/** The payer's response; an error of the payer becomes a refusal. */
async function callPayer<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof PayerUnclear || error instanceof PayerRefused)
      throw new Refusal('unavailable', { what: 'payer', why: error.message });
    throw error;
  }
}
