import type { Kysely, Selectable, Transaction } from 'kysely';
import type { PayoutState, PayoutStep } from '#contract/payouts.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import type { SealedColumn } from '#server/platform/keyring/reencryption.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Waiting } from '../destinations/destination.ts';
import * as queries from './attempts.queries.ts';

/*
 * Attempts to pay a withdrawal (docs/decisions/0062-batches-and-attempts.md). Their state changes only in a transaction that has locked the
 * withdrawal, and a unique index allows at most one open attempt.
 */
export type { AttemptRow, WithdrawalKey } from './attempts.queries.ts';

type AttemptRow = queries.AttemptRow;

/** The encryption context of an attempt's destination. */
export const bindingOf = (personId: string) => ({ personId, kind: 'payout attempt' });

export const attemptDestinations: SealedColumn = {
  kind: bindingOf('').kind,
  lockBeginning: queries.lockDestinations,
  write: (trx, id, destination) => queries.update(trx, id, { destination }),
};

/** The name of the unique index on a payer's references. */
export const referenceIndex = 'payout_attempts_one_reference';

export const insertAttempts = queries.insert;
export const findAttempt = queries.find;
export const findByReference = queries.findByReference;
export const attemptsOfBatch = queries.listOfBatch;
export const updateAttempt = queries.update;
export const claimDueAttempt = queries.claimDue;
export const countOpenAttempts = queries.countOpen;
export const sumAttempts = queries.sumPaise;
/** Deletes the destination of a person's attempts, in the transaction that deletes the account. */
export const deleteDestinations = queries.deleteDestinations;

/** The attempts of each of these withdrawals, in order. */
export async function attemptsOf(
  db: Kysely<Tables>,
  withdrawals: readonly queries.WithdrawalKey[],
): Promise<Map<string, AttemptRow[]>> {
  const attempts = new Map<string, AttemptRow[]>(withdrawals.map(({ id }) => [id, []]));
  if (withdrawals.length === 0) return attempts;
  for (const row of await queries.listOf(db, withdrawals)) attempts.get(row.withdrawal_id)?.push(row);
  return attempts;
}

/** Whether the payer has it, so that it may be paid. */
export const isWithPayer = ({ state }: Pick<AttemptRow, 'state'>): boolean =>
  state === 'exported' || state === 'sent' || state === 'unknown';

/**
 * The last attempt of a withdrawal, if the payer has it. Throws if it is in a batch that was not sent, or is not the one that the payer
 * reports.
 */
export async function attemptToComplete(
  trx: Transaction<Tables>,
  withdrawal: queries.WithdrawalKey,
  named: string | undefined,
): Promise<AttemptRow | undefined> {
  const last = await lastOf(trx, withdrawal);
  if (named && last?.id !== named) throw new Refusal('payment_ended', { what: 'later' });
  if (named && !isWithPayer(last as AttemptRow)) throw ended(last as AttemptRow);
  if (last?.state === 'prepared') throw new Refusal('payout_open', { what: 'batch' });
  if (last && !named) mustNotBePaidByApi(last);
  return last && isWithPayer(last) ? last : undefined;
}

/** For payments by an API only the payer reports the outcome: nobody else knows whether it is paying at this moment. */
function mustNotBePaidByApi(attempt: AttemptRow): void {
  if (attempt.payer && isWithPayer(attempt)) throw reportedByPayer();
}

/**
 * Checks that an operator may record this outcome. For a payment by an API that is only `failed`, and only if the payer certainly has no
 * such payment because it refused it.
 */
export function mustBeRecordable(attempt: AttemptRow, outcome: 'paid' | 'failed' | 'returned'): void {
  const { payer, payer_id, payer_note, called_at } = attempt;
  if (!payer) return;
  const hasNothing = isWithPayer(attempt) && payer_id === null && payer_note !== null && called_at === null;
  if (outcome !== 'failed' || !hasNothing) throw reportedByPayer();
}

const reportedByPayer = () => new Refusal('payment_told');

/** Called before a withdrawal is rejected: removes it from a batch that was not sent. Throws if the payer may still pay it. */
export async function withdrawFromBatch(
  trx: Transaction<Tables>,
  withdrawal: queries.WithdrawalKey,
  now: Date,
): Promise<void> {
  const last = await lastOf(trx, withdrawal);
  if (last && isWithPayer(last)) throw new Refusal('payout_open', { what: 'payer' });
  await takeOutOfBatches(trx, [withdrawal], 'Rejected', now);
}

/** Cancels the payments of these withdrawals, which are locked, that no payer has received yet. */
export async function takeOutOfBatches(
  trx: Transaction<Tables>,
  withdrawals: readonly queries.WithdrawalKey[],
  reason: string,
  now: Date,
): Promise<void> {
  for (const attempts of (await attemptsOf(trx, withdrawals)).values()) {
    const last = attempts.at(-1);
    const isOpen = last?.state === 'prepared' || last?.state === 'sent';
    if (isOpen && !wasHandedOver(last)) await endAttempt(trx, last, { state: 'cancelled', reason }, now);
  }
}

/** The refusal if the payer reports on an attempt that has ended, or that was never sent to it. */
export function ended({ state }: AttemptRow): Refusal {
  return new Refusal('payment_ended', { what: 'ended', state });
}

async function lastOf(
  trx: Transaction<Tables>,
  withdrawal: queries.WithdrawalKey,
): Promise<AttemptRow | undefined> {
  return (await queries.listOf(trx, [withdrawal])).at(-1);
}

/** The number of the last attempt of a withdrawal; 0 if there is none. */
export async function lastNumber(
  trx: Transaction<Tables>,
  withdrawal: queries.WithdrawalKey,
): Promise<number> {
  return (await lastOf(trx, withdrawal))?.number ?? 0;
}

/** The destination is deleted once the outcome of the attempt is known; of a payment that was made, its fingerprint stays. */
const withoutDestination = { destination: null, payer_account: null } as const;

/** Marks an attempt as paid, or adds a paid one for a payment by hand; returns its number. */
export async function markPaid(
  trx: Transaction<Tables>,
  withdrawal: { id: string; creator_id: string; paise: number },
  {
    attempt,
    reference,
    fingerprint = null,
  }: { attempt: AttemptRow | undefined; reference: string; fingerprint?: Buffer | null },
  now: Date,
): Promise<number> {
  const paid = { state: 'paid', reference, paid_at: now, ...withoutDestination } as const;
  if (attempt) {
    await queries.update(trx, attempt.id, paid);
    return attempt.number;
  }
  const number = (await lastNumber(trx, withdrawal)) + 1;
  await queries.insert(trx, [
    {
      ...paid,
      fingerprint,
      id: newId(now),
      creator_id: withdrawal.creator_id,
      withdrawal_id: withdrawal.id,
      number,
      batch_id: null,
      paise: withdrawal.paise,
      masked: null,
      prepared_at: now,
    },
  ]);
  return number;
}

/** Ends an attempt that was not paid, or whose payment was returned. Another one may follow. `by`: the operator who says so. */
export async function endAttempt(
  trx: Transaction<Tables>,
  { id }: AttemptRow,
  {
    state,
    reason,
    by = null,
  }: { state: 'failed' | 'returned' | 'cancelled'; reason: string; by?: string | null },
  now: Date,
): Promise<void> {
  const ended = { state, reason, ended_at: now, ended_by: by };
  await queries.update(trx, id, { ...ended, ...withoutDestination, fingerprint: null });
}

/** Whether a rejected withdrawal was cancelled by its creator: no operator decides about their own. */
export const isCancelled = ({
  state,
  creator_id,
  decided_by,
}: Pick<Selectable<Tables['withdrawals']>, 'state' | 'creator_id' | 'decided_by'>): boolean =>
  state === 'rejected' && decided_by === creator_id;

/**
 * Whether a payer received it at some time. Whatever was reported since, the money may have moved. The API of a payer receives it when it is
 * called, some time after the batch was sent.
 */
export function wasHandedOver({
  state,
  payer,
  payer_id,
  called_at,
}: Pick<AttemptRow, 'state' | 'payer' | 'payer_id' | 'called_at'>): boolean {
  if (state === 'sent' || state === 'failed')
    return payer === null || payer_id !== null || called_at !== null;
  return state !== 'prepared' && state !== 'cancelled';
}

/** What a withdrawal waits for, the state of its payment, or its outcome. */
export function payoutOf(
  withdrawal: Pick<Selectable<Tables['withdrawals']>, 'state' | 'creator_id' | 'decided_by'>,
  waiting: Waiting | null,
  attempts: readonly AttemptRow[],
): PayoutState {
  if (withdrawal.state === 'completed') return 'paid';
  if (withdrawal.state === 'rejected') return isCancelled(withdrawal) ? 'cancelled' : 'rejected';
  const last = attempts.findLast(({ state }) => state !== 'cancelled');
  if (last && isWithPayer(last)) return 'sent';
  if (last?.state === 'prepared' && last.approved_at) return 'approved';
  if (waiting) return waiting;
  return last?.state === 'failed' || last?.state === 'returned' ? last.state : 'in_review';
}

/** The attempts as their creator sees them, oldest first. Cancelled attempts were never sent to a payer. */
export function stepsOf(attempts: readonly AttemptRow[]): PayoutStep[] {
  return attempts
    .filter(({ state }) => state !== 'cancelled')
    .flatMap(({ state, masked, reference, reason, approved_at, sent_at, paid_at, ended_at }) => [
      ...(approved_at ? [{ step: 'approved' as const, at: approved_at, note: null }] : []),
      ...(sent_at ? [{ step: 'sent' as const, at: sent_at, note: masked }] : []),
      ...(paid_at ? [{ step: 'paid' as const, at: paid_at, note: reference }] : []),
      ...(ended_at && (state === 'failed' || state === 'returned')
        ? [{ step: state, at: ended_at, note: reason }]
        : []),
    ])
    .map(({ at, ...step }) => ({ ...step, at: at.toISOString() }));
}
