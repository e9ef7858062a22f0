import type { Kysely, Transaction } from 'kysely';
import type { z } from 'zod';
import type * as contract from '#contract/batches.ts';
import type { Batch, WholeBatch } from '#contract/batches.ts';
import { labelOf } from '#contract/destination-label.ts';
import { rupeesOf } from '#contract/earning-rules.ts';
import type { Page } from '#contract/fields.ts';
import type { Destination } from '#contract/payouts.ts';
import type { PayoutLock } from '#contract/since-restore.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import type { Operator, OperatorAccount } from '../audit-log/audit-log.ts';
import { type Act, logAct } from '../audit-log/audit-log.ts';
import { type Readiness, readinessOf } from '../destinations/destination.ts';
import { ownMoneyOf } from '../destinations/own-money.ts';
import type { Payer, Payment } from '../payer-services/payer.ts';
import { payerNamed } from '../payer-services/payers.ts';
import { listProposedVoids } from '../proposals/proposals.ts';
import {
  type AttemptRow,
  attemptsOfBatch,
  bindingOf,
  endAttempt,
  insertAttempts,
  isWithPayer,
  updateAttempt,
} from '../withdrawals/attempts.ts';
import { withWaiting } from '../withdrawals/logged-releases.ts';
import { ownWithdrawal } from '../withdrawals/own-withdrawal.ts';
import { listPayable, lockPending, type PayableRow, type WithdrawalRow } from '../withdrawals/payments.ts';
import { mustBeUnlocked } from '../withdrawals/payout-lock.ts';
import { notifyPayment } from '../withdrawals/payout-notices.ts';
import { marksOfWithdrawals } from '../withdrawals/review.ts';
import { unpaidByHand } from '../withdrawals/unpaid-by-hand.ts';
import { decideWaitingOf } from '../withdrawals/waiting-views.ts';
import { findAlone, mustNotBeNew } from './alone.ts';
import * as queries from './batches.queries.ts';
import { lockPayees, notPayable, type Payee } from './payees.ts';
import { findLock, shownLock } from './shown-lock.ts';

/*
 * Batches of payments (docs/decisions/0062-batches-and-attempts.md): one operator makes a batch, a second one approves it above a sum, and
 * it is sent to the payer. Each operation locks all batches, then withdrawals in the order of their ids.
 */
type BatchContext = Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>;
type BatchRow = queries.BatchRow;

const atMost = 1000;
const pageSize = 500;

/**
 * Makes a batch of the oldest withdrawals that can be paid. What one operator may not pay alone, a second one has to approve; without a second
 * operator it is left out. Whoever approves the payments may also decide about the views that wait in their months.
 */
export async function makeBatch(
  context: BatchContext,
  operator: OperatorAccount,
  which: z.output<typeof contract.makeBatch.body>,
): Promise<WholeBatch> {
  const { approvalAbove, payer } = context.config.payouts;
  return await inTransaction(context.db, async (trx) => {
    const now = context.clock();
    await queries.lockBatches(trx);
    await mustBeUnlocked(trx);
    await mustNotBeNew(trx, operator.id, now);
    const inside = { ...context, db: trx };
    const ready = await chooseReady(inside, operator.id, which);
    const locked = new Set(
      (
        await lockPending(
          trx,
          ready.map(({ row }) => row.id),
        )
      ).map(({ id }) => id),
    );
    const payable = ready.filter(({ row }) => locked.has(row.id));
    const alone = await findAlone(
      trx,
      context,
      operator.id,
      payable.map(({ row }) => row),
    );
    const due = alone.hasAnother
      ? payable
      : payable.filter(({ row }) => (alone.anotherUntil(row.id) ?? now) <= now);
    const chosen = alone.hasAnother ? due : upTo(alone.paise, due);
    if (chosen.length === 0) throw nothingToPay({ payable, due, approvalAbove });
    const paise = chosen.reduce((sum, { row }) => sum + row.paise, 0);
    const needsApproval =
      paise > alone.paise ||
      (alone.hasAnother && chosen.some(({ row }) => alone.anotherUntil(row.id) !== undefined));
    if (needsApproval && which.waiting) throw new Refusal('batch_waits', { what: 'waiting' });
    const batch = await queries.insert(trx, {
      id: newId(now),
      payer,
      state: needsApproval ? 'proposed' : 'approved',
      paise,
      needs_approval: needsApproval,
      made_at: now,
      made_by: operator.id,
    });
    await insertAttempts(
      trx,
      chosen.map(({ row, readiness, destination }) => ({
        creator_id: row.creator_id,
        withdrawal_id: row.id,
        number: row.next_attempt,
        id: newId(now),
        batch_id: batch.id,
        payer: payer === 'file' ? null : payer,
        paise: row.paise,
        state: 'prepared' as const,
        destination: context.keyring.encrypt(JSON.stringify(destination), bindingOf(row.creator_id)),
        masked: readiness.masked && labelOf(readiness.masked),
        fingerprint: readiness.fingerprint,
        prepared_at: now,
        approved_at: needsApproval ? null : now,
      })),
    );
    if (!needsApproval)
      for (const { row } of chosen)
        await notifyPayment(trx, context, row, { step: approvedStep(alone.isAgain(row.id)) });
    const rows = chosen.map(({ row }) => row);
    await decideViews(trx, context, { operator, rows, said: which });
    await log(trx, operator, { act: 'payout.make', batch, payments: chosen.length }, now);
    return await wholeOf(inside, batch);
  });
}

function nothingToPay({
  payable,
  due,
  approvalAbove,
}: {
  payable: readonly Ready[];
  due: readonly Ready[];
  approvalAbove: number;
}): Refusal {
  if (payable.length === 0) return new Refusal('nothing_to_pay', { what: 'none' });
  if (due.length === 0) return new Refusal('nothing_to_pay', { what: 'again' });
  return new Refusal('nothing_to_pay', { what: 'above', rupees: rupeesOf(approvalAbove) });
}

const approvedStep = (isAgain: boolean) => (isAgain ? 'withdrawal_retried' : 'withdrawal_approved');

interface Ready {
  row: PayableRow;
  readiness: Readiness;
  destination: Destination;
}

/** The oldest withdrawals that can be paid now, up to the size of a batch; none that is the operator's own money. */
async function chooseReady(
  context: BatchContext & { db: Transaction<Tables> },
  operatorId: string,
  { month, withdrawals: ids }: z.output<typeof contract.makeBatch.body>,
): Promise<Ready[]> {
  const isOwn = await ownMoneyOf(context.db, operatorId);
  const ready: Ready[] = [];
  let page: PayableRow[] = [];
  do {
    const last = page.at(-1);
    const after = last && { at: last.requested_at, id: last.id };
    page = await listPayable(context.db, { month, ids }, pageSize, after);
    const creators = page.map((row) => row.creator_id);
    const readiness = await readinessOf(context, creators);
    const accused = await listProposedVoids(context.db, creators, context.clock());
    for (const row of page) {
      const payee = readiness.get(row.creator_id);
      if (payee?.waiting !== null || !payee.destination || ready.length >= atMost) continue;
      if (accused.has(row.creator_id)) continue;
      if (!isOwn({ creator_id: row.creator_id, fingerprint: payee.fingerprint }))
        ready.push({ row, readiness: payee, destination: payee.destination });
    }
  } while (page.length === pageSize && ready.length < atMost);
  return ready;
}

/** As many of these, oldest first, as fit into this sum. */
function upTo(paise: number, ready: readonly Ready[]): Ready[] {
  let left = paise;
  return ready.filter(({ row }) => {
    if (row.paise > left) return false;
    left -= row.paise;
    return true;
  });
}

/** Approves a batch that another operator made. A repeated call changes nothing, except that it decides about views that still wait. */
export async function approveBatch(
  context: BatchContext,
  operator: OperatorAccount,
  id: string,
  said: z.output<typeof contract.approveBatch.body> = {},
): Promise<WholeBatch> {
  return await inBatch(context, id, async (trx, batch, attempts) => {
    const now = context.clock();
    if (batch.approved_by === operator.id) {
      if (!said.waiting) return batch;
      const open = attempts.filter((attempt) => attempt.state === 'prepared' || isWithPayer(attempt));
      await decideViews(trx, context, { operator, rows: await lockPending(trx, idsOf(open)), said });
      return batch;
    }
    if (batch.state !== 'proposed') throw decided(batch);
    if (batch.made_by === operator.id) throw new Refusal('own_batch');
    await mustNotBeNew(trx, operator.id, now);
    await mustHaveNothingOf(trx, operator, attempts);
    const pending = await lockPending(trx, idsOf(attempts));
    // Read again, since they are now protected by the lock of their withdrawals.
    const prepared = (await attemptsOfBatch(trx, id)).filter(({ state }) => state === 'prepared');
    const rows = pending.filter((row) => prepared.some(({ withdrawal_id }) => withdrawal_id === row.id));
    const again = await unpaidByHand(trx, rows);
    for (const row of rows) {
      for (const { id } of prepared.filter(({ withdrawal_id }) => withdrawal_id === row.id))
        await updateAttempt(trx, id, { approved_at: now });
      await notifyPayment(trx, context, row, { step: approvedStep(again.has(row.id)) });
    }
    await decideViews(trx, context, { operator, rows, said });
    const values = { state: 'approved', approved_at: now, approved_by: operator.id } as const;
    const approved = await queries.update(trx, id, values);
    await log(trx, operator, { act: 'payout.approve', batch: approved, payments: rows.length }, now);
    return approved;
  });
}

/** What an operator says about the waiting views of the withdrawals that they approve. */
async function decideViews(
  trx: Transaction<Tables>,
  context: BatchContext,
  {
    operator,
    rows,
    said: { of, ...said },
  }: {
    operator: OperatorAccount;
    rows: readonly WithdrawalRow[];
    said: z.output<typeof contract.approveBatch.body>;
  },
): Promise<void> {
  const months = withWaiting(operator, said);
  if (!months) return;
  const chosen = of ? rows.filter(({ id }) => of.includes(id)) : rows;
  if (of?.some((id) => !rows.some((row) => row.id === id))) throw notFound('withdrawal');
  await decideWaitingOf(trx, context, chosen, { months, operatorId: operator.id });
}

/**
 * Sends a batch to the payer, once; `again` sends the same payments again, with the same ids. A payment that cannot be made any more, or
 * whose destination has changed, is left out and can be put in another batch. A payer with an API is called later (`paying.ts`); for it,
 * `again` only makes the open attempts due now.
 */
export async function sendBatch(
  context: BatchContext,
  operator: OperatorAccount,
  { id, again }: { id: string; again: boolean },
): Promise<{ data: WholeBatch; file: string }> {
  let file = '';
  const data = await inBatch(context, id, async (trx, batch, attempts) => {
    const now = context.clock();
    await mustHaveNothingOf(trx, operator, attempts);
    if (batch.state === 'proposed') throw new Refusal('batch_waits', { what: 'send' });
    const isAgain = batch.state === 'sent' && again;
    if (batch.state !== 'approved' && !isAgain) throw decided(batch);
    const payer = payerOf(context, batch);
    const rows = new Map((await lockPending(trx, idsOf(attempts))).map((row) => [row.id, row]));
    // Read again, since they are now protected by the lock of their withdrawals.
    const wanted = (await attemptsOfBatch(trx, id)).filter((attempt) =>
      isAgain ? isWithPayer(attempt) : attempt.state === 'prepared',
    );
    const inside = { ...context, db: trx };
    const people = await lockPayees(inside, wanted, payer.name);
    const payments: Payment[] = [];
    let given = 0;
    for (const attempt of wanted) {
      const row = rows.get(attempt.withdrawal_id);
      const person = people.get(attempt.creator_id);
      // Sent again without a check: what the payer has already received is paid there, whatever happened in the meantime.
      if (!row || (!isAgain && !person?.canBePaidAt(attempt.fingerprint))) {
        await endAttempt(trx, attempt, { state: 'cancelled', reason: notPayable }, now);
        continue;
      }
      given += 1;
      if (payer.name === 'file') payments.push(await paymentOf(context, attempt, { row, person }));
      else await updateAttempt(trx, attempt.id, { look_at: now, looks: 0 });
      if (isAgain) continue;
      await updateAttempt(trx, attempt.id, { state: payer.given, sent_at: now });
      await notifyPayment(trx, context, row, { step: 'withdrawal_sent', note: attempt.masked });
    }
    const state = given > 0 ? 'sent' : 'cancelled';
    const sent = isAgain
      ? batch
      : await queries.update(trx, id, { state, ended_at: now, ended_by: operator.id });
    const act = isAgain ? 'payout.send-again' : 'payout.send';
    await log(trx, operator, { act, batch: sent, payments: given }, now);
    if (payer.name === 'file') file = payer.fileOf(payments);
    return sent;
  });
  return { data, file };
}

function payerOf({ config }: BatchContext, { payer: name }: BatchRow): Payer {
  const payer = payerNamed(config.payouts, name);
  if (!payer) throw new Refusal('payer_missing', { payer: name });
  return payer;
}

/** Cancels a batch that was not sent. A repeated call changes nothing. */
export async function cancelBatch(
  context: BatchContext,
  operator: OperatorAccount,
  id: string,
): Promise<WholeBatch> {
  return await inBatch(context, id, async (trx, batch, attempts) => {
    const now = context.clock();
    if (batch.state === 'cancelled') return batch;
    if (batch.state === 'sent') throw decided(batch);
    await lockPending(trx, idsOf(attempts));
    const prepared = (await attemptsOfBatch(trx, id)).filter(({ state }) => state === 'prepared');
    for (const attempt of prepared)
      await endAttempt(trx, attempt, { state: 'cancelled', reason: 'The batch was cancelled' }, now);
    const values = { state: 'cancelled', ended_at: now, ended_by: operator.id } as const;
    const cancelled = await queries.update(trx, id, values);
    await log(trx, operator, { act: 'payout.cancel', batch: cancelled, payments: prepared.length }, now);
    return cancelled;
  });
}

/** Runs in a transaction that has locked all batches; returns the changed batch. */
async function inBatch(
  context: BatchContext,
  id: string,
  run: (trx: Transaction<Tables>, batch: BatchRow, attempts: AttemptRow[]) => Promise<BatchRow>,
): Promise<WholeBatch> {
  return await inTransaction(context.db, async (trx) => {
    await queries.lockBatches(trx);
    await mustBeUnlocked(trx);
    const batch = await queries.find(trx, id);
    if (!batch) throw notFound('batch');
    const changed = await run(trx, batch, await attemptsOfBatch(trx, id));
    return await wholeOf({ ...context, db: trx }, changed);
  });
}

const idsOf = (attempts: readonly AttemptRow[]) => attempts.map((attempt) => attempt.withdrawal_id);

/** Operators may not pay themselves. */
async function mustHaveNothingOf(
  trx: Transaction<Tables>,
  operator: Operator,
  attempts: readonly AttemptRow[],
): Promise<void> {
  const isOwn = await ownMoneyOf(trx, operator.id);
  if (attempts.some((attempt) => attempt.state !== 'cancelled' && isOwn(attempt))) throw ownWithdrawal();
}

function decided({ state }: BatchRow): Refusal {
  return new Refusal('batch_decided', { state });
}

/** What the payer receives about an attempt. */
async function paymentOf(
  { keyring }: Context<'keyring'>,
  attempt: AttemptRow,
  { row, person }: { row: WithdrawalRow; person: Payee | undefined },
): Promise<Payment> {
  if (!attempt.destination) throw new Error(`the attempt ${attempt.id} has no destination`);
  const destination: Destination = JSON.parse(
    await keyring.decrypt(attempt.destination, bindingOf(attempt.creator_id)),
  );
  return {
    id: attempt.id,
    withdrawal: row.id,
    month: row.month,
    rupees: rupeesOf(attempt.paise),
    userId: attempt.creator_id,
    username: person?.username ?? '',
    name: person?.name ?? '',
    email: person?.email ?? '',
    asked: row.requested_at.toISOString(),
    payTo: destination.kind,
    vpa: destination.kind === 'upi' ? destination.vpa : '',
    account: destination.kind === 'bank' ? destination.account : '',
    ifsc: destination.kind === 'bank' ? destination.ifsc : '',
    payee: destination.kind === 'bank' ? destination.name : '',
  };
}

async function log(
  trx: Transaction<Tables>,
  operator: Operator,
  { act, batch, payments }: { act: Act; batch: BatchRow; payments: number },
  now: Date,
): Promise<void> {
  const target = { kind: 'batch', id: batch.id };
  await logAct(trx, operator, { act, target, details: { payments, paise: batch.paise } }, now);
}

export async function showBatch(context: BatchContext, id: string): Promise<WholeBatch> {
  const batch = await queries.find(context.db, id);
  if (!batch) throw notFound('batch');
  return await wholeOf(context, batch);
}

/** All batches, newest first. */
export async function listBatches(
  db: Kysely<Tables>,
  page: Page,
): Promise<{ data: Batch[]; nextCursor: string | null; lock: PayoutLock | null }> {
  const rows = await queries.list(db, page.limit + 1, readCursor(page.cursor));
  const lock = await findLock(db);
  return {
    ...pageOf(rows, page.limit, (row) => ({ at: row.made_at, id: row.id }), asBatch),
    lock: lock ? shownLock(lock) : null,
  };
}

function asBatch(row: BatchRow): Batch {
  return {
    _id: row.id,
    payer: row.payer,
    state: row.state,
    paise: row.paise,
    rupees: rupeesOf(row.paise),
    madeBy: row.made_by,
    madeAt: row.made_at.toISOString(),
    approvedBy: row.approved_by,
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

async function wholeOf(context: BatchContext, batch: BatchRow): Promise<WholeBatch> {
  const attempts = await attemptsOfBatch(context.db, batch.id);
  const marks = await marksOfWithdrawals(context, idsOf(attempts));
  return {
    ...asBatch(batch),
    payments: attempts.map((row) => ({
      _id: row.id,
      withdrawalId: row.withdrawal_id,
      userId: row.creator_id,
      number: row.number,
      paise: row.paise,
      rupees: rupeesOf(row.paise),
      state: row.state,
      to: row.masked ?? '',
      reference: row.reference,
      reason: row.reason ?? (isWithPayer(row) ? row.payer_note : null),
      marks: marks.get(row.withdrawal_id) ?? [],
    })),
  };
}

export const countUnsentBatches = queries.countUnsentBatches;
