import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import { bankOf } from '#contract/banks.ts';
import { labelOf } from '#contract/destination-label.ts';
import { mergerOf } from '#contract/merged-banks.ts';
import {
  type Destination,
  type DestinationForm,
  destinationOf,
  type MaskedDestination,
  type PayoutState,
} from '#contract/payouts.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { UnreadableError } from '#server/platform/keyring/keyring.ts';
import type { SealedColumn } from '#server/platform/keyring/reencryption.ts';
import { notSignedIn, Refusal } from '#server/platform/refusal.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import { takesDestination } from '../payer-services/payers.ts';
import * as queries from './destination.queries.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type Held, heldUntil, payableFrom } from './payout-holds.ts';

/*
 * The destination of a person's payouts (docs/decisions/0058-payout-destinations.md). The details are encrypted, and afterwards only shown
 * masked. A keyed fingerprint shows whether two people are paid at the same account.
 */
const bindingOf = (personId: string) => ({ personId, kind: 'payout destination' });

export const destinationDetails: SealedColumn = {
  kind: bindingOf('').kind,
  lockBeginning: queries.lockDetails,
  write: queries.writeDetails,
};

/** The caller's destination, masked; null if there is none, or if it is unreadable and has to be entered again. */
export async function showDestination(
  context: ReadinessContext,
  personId: string,
): Promise<{ data: MaskedDestination | null; unreadable: boolean }> {
  const { masked = null, unreadable = false } = (await readinessOf(context, [personId])).get(personId) ?? {};
  return { data: masked, unreadable };
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
 * Stores the destination of a person, if the payer of this site accepts it. It is reported by mail and notification, and holds payouts for
 * 72 hours, the first one too. The same destination again changes nothing.
 */
export async function setDestination(
  { db, clock, config, keyring, outbox }: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  personId: string,
  form: DestinationForm,
): Promise<MaskedDestination> {
  const destination = destinationOf(form);
  mustBePayable(config, destination);
  const details = JSON.stringify(destination);
  const fingerprint = fingerprintOf({ keyring }, destination);
  return await inTransaction(db, async (trx) => {
    const now = clock();
    const person = await queries.lockPerson(trx, personId);
    if (!person) throw notSignedIn();
    const known = await queries.find(trx, personId);
    const old = await decrypted(keyring, personId, known?.details ?? null);
    const isSame = old !== null && isDeepStrictEqual(withoutName(old), withoutName(destination));
    const row = {
      person_id: personId,
      details: keyring.encrypt(details, bindingOf(personId)),
      fingerprint,
      checked_payer: config.payouts.payer,
      chosen_at: known && isSame ? known.chosen_at : now,
      held_until: known && isSame ? known.held_until : heldUntil(person, now),
    };
    const masked = maskedOf(config, destination, { ...person, ...row }, now);
    await queries.put(trx, row);
    if (!isSame) {
      const values = { destination: labelOf(masked), until: masked.heldUntil ?? '' };
      await outbox.sendNotice(trx, personId, { act: 'destination_set', values }, now);
      await notifyFromSite(trx, personId, 'destination_set', now);
    }
    return masked;
  });
}

/** Throws if the payer of this site cannot pay an account of this name; otherwise that would show only when it is paid. */
function mustBePayable({ payouts }: Context<'config'>['config'], destination: Destination): void {
  if (takesDestination(payouts, payouts.payer, destination)) return;
  throw new Refusal('invalid_input', { what: 'payee_latin' }, 'name');
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
  const readiness = new Map<string, Readiness>();
  if (personIds.length === 0) return readiness;
  const now = clock();
  for (const row of await queries.listReadiness(db, [...new Set(personIds)])) {
    const destination = await decrypted(keyring, row.id, row.details);
    const { chosen_at } = row;
    const from = payableFrom(row);
    const isVerified = row.email_verified_at !== null;
    const waiting = !destination
      ? 'waiting_for_destination'
      : !takesDestination(config.payouts, payer, destination)
        ? 'waiting_for_name'
        : outbox.isOn && !isVerified
          ? 'waiting_for_address'
          : from && now < from
            ? 'on_hold'
            : null;
    const masked =
      destination && chosen_at ? maskedOf(config, destination, { ...row, chosen_at }, now) : null;
    const unreadable = isUnreadable(row.details, destination);
    readiness.set(row.id, { waiting, destination, masked, fingerprint: row.fingerprint, unreadable });
  }
  return readiness;
}

/**
 * Checks stored destinations by the rules of now. People whose account name is not accepted by the payer of this site are notified, once for
 * each payer: their payouts wait, since the payer would refuse them. Fingerprints of another form are made again; `done` replaces them
 * where else they are stored, in the same transaction.
 */
export async function checkDestinations(
  { db, clock, config, keyring, outbox }: ReadinessContext,
  listener: (trx: Transaction<Tables>, replaced: queries.Replaced) => Promise<void>,
): Promise<void> {
  const { payouts } = config;
  const atOnce = 100;
  let rows: Awaited<ReturnType<typeof queries.listUnchecked>> = [];
  do {
    rows = await queries.listUnchecked(db, {
      payer: payouts.payer,
      limit: atOnce,
      after: rows.at(-1)?.person_id,
    });
    for (const { person_id: id, details, checked_payer, fingerprint } of rows) {
      const destination = await decrypted(keyring, id, details);
      // Checked again when the keys are restored.
      if (!destination) continue;
      await inTransaction(db, async (trx) => {
        const now = clock();
        await queries.lockPerson(trx, id);
        // If it was changed in the meantime, it was checked then.
        const checked = { payer: payouts.payer, fingerprint: fingerprintOf({ keyring }, destination) };
        if (!(await queries.markChecked(trx, { id, details, checked }))) return;
        const replaced = { id, old: fingerprint, next: checked.fingerprint };
        await listener(trx, replaced);
        await queries.replaceFingerprint(trx, replaced);
        if (checked_payer === payouts.payer) return;
        if (takesDestination(payouts, payouts.payer, destination)) return;
        await outbox.sendNotice(trx, id, { act: 'name_needed' }, now);
        await notifyFromSite(trx, id, 'name_needed', now);
      });
    }
  } while (rows.length === atOnce);
}

/** Those of these people whose destination another account also uses. */
export const listSharing = queries.listSharing;
export const findSharing = queries.findSharing;

export const lockPayee = queries.lockPerson;
export const clearDestination = queries.clear;

/** What a payout to this person waits for; null if nothing does, or if the account was deleted. */
export async function waitingFor(context: ReadinessContext, personId: string): Promise<Waiting | null> {
  return (await readinessOf(context, [personId])).get(personId)?.waiting ?? null;
}

/**
 * Throws one sentence for operators if a payment by hand has to wait. The account name is not checked: operators see at the bank whether it
 * is accepted. Returns where it goes.
 */
export async function mustBeReady(
  context: ReadinessContext,
  personId: string,
): Promise<{ fingerprint: Buffer | null }> {
  const readiness = (await readinessOf(context, [personId], 'file')).get(personId);
  const until = readiness?.masked?.heldUntil;
  if (readiness?.unreadable) throw new Refusal('payout_waits', { what: 'unreadable' });
  if (readiness?.waiting === 'waiting_for_destination')
    throw new Refusal('payout_waits', { what: 'destination' });
  if (readiness?.waiting === 'waiting_for_address') throw new Refusal('payout_waits', { what: 'address' });
  if (until) throw new Refusal('payout_waits', { what: 'hold', until });
  return { fingerprint: readiness?.fingerprint ?? null };
}

/** What decides whether a person sets the same destination again. */
const withoutName = (destination: Destination): Destination =>
  destination.kind === 'upi' ? destination : { ...destination, name: '' };

function maskedOf(
  { payouts }: Context<'config'>['config'],
  destination: Destination,
  { chosen_at, ...held }: Held & { chosen_at: Date },
  now: Date,
): MaskedDestination {
  const from = payableFrom(held);
  return {
    kind: destination.kind,
    ...(destination.kind === 'upi'
      ? { masked: maskedUpi(destination.vpa), bank: null, mergedInto: null }
      : {
          masked: `••••${destination.account.slice(-4)}`,
          bank: bankOf(destination.ifsc),
          mergedInto: mergerOf(destination.ifsc)?.into ?? null,
        }),
    chosenAt: chosen_at.toISOString(),
    heldUntil: from && now < from ? from.toISOString() : null,
    nameNotTaken: !takesDestination(payouts, payouts.payer, destination),
  };
}

/** The first two characters, or one of a short name; never the whole name. */
function maskedUpi(vpa: string): string {
  const [name = '', bank = ''] = vpa.split('@');
  return `${name.slice(0, name.length > 3 ? 2 : 1)}•••@${bank}`;
}
