import { createHmac } from 'node:crypto';
import { bankOf } from '#contract/banks.ts';
import { labelOf } from '#contract/destination-label.ts';
import {
  type Destination,
  type DestinationForm,
  destinationOf,
  type MaskedDestination,
  type PayoutState,
} from '#contract/payouts.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { UnreadableError } from '#server/platform/keyring/keyring.ts';
import type { SealedColumn } from '#server/platform/keyring/reencryption.ts';
import { notSignedIn, Refusal } from '#server/platform/refusal.ts';
import { countsAsVerified } from '../accounts/counts-as-verified.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import * as queries from './destination.queries.ts';
import { takesDestination } from './payers/payers.ts';

/*
 * The destination of a person's payouts (docs/decisions/0058-payout-destinations.md). The details are encrypted, and afterwards only shown
 * masked. A keyed fingerprint tells whether a new one is the same.
 */
const day = 24 * 60 * 60 * 1000;
const holdFor = 3 * day;
/** At this age an address, or on a site without mail an account, needs no hold for its first destination. */
const trustedAfter = 7 * day;

const bindingOf = (personId: string) => ({ personId, kind: 'payout destination' });

export const destinationDetails: SealedColumn = {
  kind: bindingOf('').kind,
  lockBeginning: queries.lockDetails,
  write: queries.writeDetails,
};

/** The caller's destination, masked; null if there is none, or if it is unreadable and has to be entered again. */
export async function showDestination(
  { db, clock, config, keyring }: Context<'db' | 'clock' | 'config' | 'keyring'>,
  personId: string,
): Promise<{ data: MaskedDestination | null; unreadable: boolean }> {
  const row = await queries.find(db, personId);
  const destination = row && (await decrypted(keyring, personId, row.details));
  return {
    data: destination ? maskedOf(config, destination, row, clock()) : null,
    unreadable: isUnreadable(row?.details, destination),
  };
}

const isUnreadable = (details: Buffer | null | undefined, destination: Destination | null | undefined) =>
  Boolean(details) && !destination;

/** Null if there is none, or if it cannot be decrypted, as on a site that was restored without its keys. */
async function decrypted(
  keyring: Context<'keyring'>['keyring'],
  personId: string,
  details: Buffer | null,
): Promise<Destination | null> {
  if (!details) return null;
  try {
    return JSON.parse(await keyring.decrypt(details, bindingOf(personId)));
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
}

/**
 * Stores the destination of a person, if the payer of this site accepts it. A change is reported by mail and notification and holds payouts
 * for 72 hours; so does the first destination if the address was verified less than a week ago. The same destination again changes nothing.
 */
export async function setDestination(
  { db, clock, config, keyring, outbox }: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  personId: string,
  form: DestinationForm,
): Promise<MaskedDestination> {
  const destination = destinationOf(form);
  mustBePayable(config, destination);
  const details = JSON.stringify(destination);
  const fingerprint = createHmac('sha256', keyring.secret('destinations'))
    .update(JSON.stringify(identityOf(destination)))
    .digest();
  return await inTransaction(db, async (trx) => {
    const now = clock();
    const person = await queries.lockPerson(trx, personId);
    if (!person) throw notSignedIn();
    const known = await queries.find(trx, personId);
    const isSame = known?.fingerprint?.equals(fingerprint) ?? false;
    const knownSince = outbox.isOn ? person.email_verified_at : person.created_at;
    const isTrusted = knownSince !== null && now.getTime() - knownSince.getTime() >= trustedAfter;
    const row = {
      person_id: personId,
      details: keyring.encrypt(details, bindingOf(personId)),
      fingerprint,
      checked_payer: config.payouts.payer,
      chosen_at: known && isSame ? known.chosen_at : now,
      held_until: isSame
        ? (known?.held_until ?? null)
        : known || !isTrusted
          ? new Date(now.getTime() + holdFor)
          : null,
    };
    const masked = maskedOf(config, destination, row, now);
    await queries.put(trx, row);
    if (!isSame) {
      const values = { destination: labelOf(masked) };
      await outbox.tell(trx, personId, { act: 'destination_set', values }, now);
      await notifyFromSite(trx, personId, 'destination_set', now);
    }
    return masked;
  });
}

/** Throws if the payer of this site cannot pay an account of this name; otherwise that would show only when it is paid. */
function mustBePayable({ payouts }: Context<'config'>['config'], destination: Destination): void {
  if (takesDestination(payouts, payouts.payer, destination)) return;
  throw new Refusal(
    'invalid_input',
    'Please enter the name of the account in Latin letters (A to Z), as in the passbook.',
    'name',
  );
}

/** Deletes the destination of a person. The next one counts as a change. */
export async function removeDestination(
  { db, clock, outbox }: Context<'db' | 'clock' | 'outbox'>,
  personId: string,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const now = clock();
    await queries.lockPerson(trx, personId);
    if (!(await queries.clear(trx, personId))) return;
    await outbox.tell(trx, personId, { act: 'destination_removed' }, now);
    await notifyFromSite(trx, personId, 'destination_removed', now);
  });
}

/** What a payout waits for before an operator can pay it. */
export type Waiting = Extract<
  PayoutState,
  'waiting_for_destination' | 'waiting_for_name' | 'waiting_for_address' | 'on_hold'
>;

/** Whether a person can be paid, and where. */
export interface Readiness {
  /** Null if it can be paid now. */
  waiting: Waiting | null;
  /** Null if there is none, or it cannot be decrypted. */
  destination: Destination | null;
  masked: MaskedDestination | null;
  /** Equal for equal destinations. */
  fingerprint: Buffer | null;
  /** The stored destination cannot be decrypted any more: the person has to enter it again. */
  unreadable: boolean;
}

type ReadinessContext = Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>;

/** Whether this payer can pay these people, and where. A person whose account was deleted is missing. */
export async function readinessOf(
  { db, clock, config, keyring, outbox }: ReadinessContext,
  personIds: readonly string[],
  payer: string = config.payouts.payer,
): Promise<Map<string, Readiness>> {
  const found = new Map<string, Readiness>();
  if (personIds.length === 0) return found;
  const now = clock();
  for (const row of await queries.listReadiness(db, [...new Set(personIds)])) {
    const destination = await decrypted(keyring, row.id, row.details);
    const { chosen_at, held_until } = row;
    const isVerified = countsAsVerified(row, now);
    const waiting = !destination
      ? 'waiting_for_destination'
      : !takesDestination(config.payouts, payer, destination)
        ? 'waiting_for_name'
        : outbox.isOn && !isVerified
          ? 'waiting_for_address'
          : held_until && now < held_until
            ? 'on_hold'
            : null;
    const masked =
      destination && chosen_at ? maskedOf(config, destination, { chosen_at, held_until }, now) : null;
    const unreadable = isUnreadable(row.details, destination);
    found.set(row.id, { waiting, destination, masked, fingerprint: row.fingerprint, unreadable });
  }
  return found;
}

/**
 * Notifies people whose saved account name is not accepted by the payer of this site, once for each payer. Their payouts wait, since the
 * payer would refuse them.
 */
export async function checkNames({ db, clock, config, keyring, outbox }: ReadinessContext): Promise<void> {
  const { payouts } = config;
  const atOnce = 100;
  let rows: Awaited<ReturnType<typeof queries.listUnchecked>> = [];
  do {
    rows = await queries.listUnchecked(db, {
      payer: payouts.payer,
      limit: atOnce,
      after: rows.at(-1)?.person_id,
    });
    for (const { person_id: id, details } of rows) {
      const destination = await decrypted(keyring, id, details);
      // Checked again when the keys are restored.
      if (!destination) continue;
      await inTransaction(db, async (trx) => {
        const now = clock();
        await queries.lockPerson(trx, id);
        // If it was changed in the meantime, it was checked then.
        if (!(await queries.markChecked(trx, { id, details, payer: payouts.payer }))) return;
        if (takesDestination(payouts, payouts.payer, destination)) return;
        await outbox.tell(trx, id, { act: 'name_needed' }, now);
        await notifyFromSite(trx, id, 'name_needed', now);
      });
    }
  } while (rows.length === atOnce);
}

/** Those of these people whose destination another account also uses. */
export const listSharing = queries.listSharing;

/** What a payout to this person waits for; null if nothing does, or if the account was deleted. */
export async function waitingFor(context: ReadinessContext, personId: string): Promise<Waiting | null> {
  return (await readinessOf(context, [personId])).get(personId)?.waiting ?? null;
}

/**
 * Throws one sentence for operators if a payment by hand has to wait. The account name is not checked: operators see at the bank whether it
 * is accepted.
 */
export async function mustBeReady(context: ReadinessContext, personId: string): Promise<void> {
  const readiness = (await readinessOf(context, [personId], 'file')).get(personId);
  const until = readiness?.masked?.heldUntil;
  if (readiness?.unreadable)
    throw new Refusal(
      'payout_waits',
      'The destination of this person cannot be read any more; ask them to enter it again.',
    );
  if (readiness?.waiting === 'waiting_for_destination')
    throw new Refusal('payout_waits', 'This person has not said where to be paid; they are asked for it.');
  if (readiness?.waiting === 'waiting_for_address')
    throw new Refusal('payout_waits', 'The email address of this person is not verified.');
  if (until)
    throw new Refusal('payout_waits', `This destination is new: nothing is paid there until ${until}.`);
}

/** Two destinations with the same key are the same; the name of an account does not matter. */
function identityOf(destination: Destination): string[] {
  return destination.kind === 'upi'
    ? ['upi', destination.vpa]
    : ['bank', destination.ifsc, destination.account];
}

function maskedOf(
  { payouts }: Context<'config'>['config'],
  destination: Destination,
  { chosen_at, held_until }: { chosen_at: Date; held_until: Date | null },
  now: Date,
): MaskedDestination {
  return {
    kind: destination.kind,
    ...(destination.kind === 'upi'
      ? { masked: maskedUpi(destination.vpa), bank: null }
      : { masked: `••••${destination.account.slice(-4)}`, bank: bankOf(destination.ifsc) }),
    chosenAt: chosen_at.toISOString(),
    heldUntil: held_until && now < held_until ? held_until.toISOString() : null,
    nameNotTaken: !takesDestination(payouts, payouts.payer, destination),
  };
}

/** The first two characters, or one of a short name; never the whole name. */
function maskedUpi(vpa: string): string {
  const [name = '', bank = ''] = vpa.split('@');
  return `${name.slice(0, name.length > 3 ? 2 : 1)}•••@${bank}`;
}
