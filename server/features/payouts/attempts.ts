import type { Kysely, Selectable, Transaction } from 'kysely';
import type { PayoutState, PayoutStep } from '#contract/payouts.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import type { SealedColumn } from '#server/platform/keyring/reencryption.ts';
import { Refusal } from '#server/platform/refusal.ts';
import * as queries from './attempts.queries.ts';
import type { Waiting } from './destination.ts';

/*
 * Attempts to pay a withdrawal (docs/decisions/0062-batches-and-attempts.md). They change only in a transaction that has locked the
 * withdrawal, and a unique index allows at most one open attempt.
 */
export type { AttemptRow } from './attempts.queries.ts';

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
/** Deletes the destination of a person's attempts, in the transaction that deletes the account. */
export const deleteDestinations = queries.deleteDestinations;

/** The attempts of each of these withdrawals, in order. */
export async function attemptsOf(
  db: Kysely<Tables>,
  withdrawals: readonly queries.WithdrawalKey[],
): Promise<Map<string, AttemptRow[]>> {
  const found = new Map<string, AttemptRow[]>(withdrawals.map(({ id }) => [id, []]));
  if (withdrawals.length === 0) return found;
  for (const row of await queries.listOf(db, withdrawals)) found.get(row.withdrawal_id)?.push(row);
  return found;
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
  if (named && last?.id !== named)
    throw new Refusal('payment_ended', 'There is a later attempt at this payment: ask the payer about both.');
  if (named && !isWithPayer(last as AttemptRow)) throw ended(last as AttemptRow);
  if (last?.state === 'prepared')
    throw new Refusal(
      'payout_open',
      'This withdrawal is in a batch that was not sent: send the batch, or cancel it.',
    );
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

const reportedByPayer = () =>
  new Refusal('payment_told', 'The payer says by itself what became of this payment: wait for it.');

/** Called before a withdrawal is rejected: removes it from a batch that was not sent. Throws if the payer may still pay it. */
export async function withdrawFromBatch(
  trx: Transaction<Tables>,
  withdrawal: queries.WithdrawalKey,
  now: Date,
): Promise<void> {
  const last = await lastOf(trx, withdrawal);
  if (last && isWithPayer(last))
    throw new Refusal(
      'payout_open',
      'The payer has this withdrawal: note first what became of it, by payouts reconcile.',
    );
  if (last?.state === 'prepared')
    await endAttempt(trx, last, { state: 'cancelled', reason: 'Rejected' }, now);
}

/** The refusal if the payer reports on an attempt that has ended, or that was never sent to it. */
export function ended({ state }: AttemptRow): Refusal {
  return new Refusal('payment_ended', `This payment is noted as ${state}.`);
}

async function lastOf(
  trx: Transaction<Tables>,
  withdrawal: queries.WithdrawalKey,
): Promise<AttemptRow | undefined> {
  return (await queries.listOf(trx, [withdrawal])).at(-1);
}

/** The destination is deleted once the outcome of the attempt is known. */
const withoutDestination = { destination: null, fingerprint: null, payer_account: null } as const;

/** Marks an attempt as paid, or adds a paid one for a payment by hand; returns its number. */
export async function markPaid(
  trx: Transaction<Tables>,
  withdrawal: { id: string; creator_id: string; paise: number },
  { attempt, reference }: { attempt: AttemptRow | undefined; reference: string },
  now: Date,
): Promise<number> {
  const paid = { state: 'paid', reference, paid_at: now, ...withoutDestination } as const;
  if (attempt) {
    await queries.update(trx, attempt.id, paid);
    return attempt.number;
  }
  const number = ((await lastOf(trx, withdrawal))?.number ?? 0) + 1;
  await queries.insert(trx, [
    {
      ...paid,
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

/** Ends an attempt that was not paid, or whose payment was returned. Another one may follow. */
export async function endAttempt(
  trx: Transaction<Tables>,
  { id }: AttemptRow,
  { state, reason }: { state: 'failed' | 'returned' | 'cancelled'; reason: string },
  now: Date,
): Promise<void> {
  await queries.update(trx, id, { state, reason, ended_at: now, ...withoutDestination });
}

/** What a withdrawal waits for, the state of its payment, or its outcome. */
export function payoutOf(
  state: Tables['withdrawals']['state'],
  waiting: Waiting | null,
  attempts: readonly AttemptRow[],
): PayoutState {
  if (state === 'completed') return 'paid';
  if (state === 'rejected') return 'rejected';
  const last = attempts.findLast((one) => one.state !== 'cancelled');
  if (last && isWithPayer(last)) return 'sent';
  if (last?.state === 'prepared' && last.approved_at) return 'approved';
  if (waiting) return waiting;
  return last?.state === 'failed' || last?.state === 'returned' ? last.state : 'in_review';
}

/** The attempts as their creator sees them, oldest first. Cancelled attempts were never sent to a payer. */
export function stepsOf(
  attempts: readonly AttemptRow[],
  {
    state,
    reference,
    decided_at,
  }: Pick<Selectable<Tables['withdrawals']>, 'state' | 'reference' | 'decided_at'>,
): PayoutStep[] {
  const steps = attempts
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
  // Completed by an earlier version without attempts, during the upgrade.
  if (state === 'completed' && decided_at && attempts.length === 0)
    return [{ step: 'paid', at: decided_at.toISOString(), note: reference }];
  return steps;
}
