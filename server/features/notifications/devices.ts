import { createHmac } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { PushSubscription } from '#contract/push.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { LostKeyError } from '#server/platform/keyring/keyring.ts';
import type { SealedColumn } from '#server/platform/keyring/reencryption.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Caller } from '#server/platform/route.ts';
import * as queries from './devices.queries.ts';
import { appHost, pushServiceOf } from './push/hosts.ts';

/*
 * Devices that are registered for push messages. With a token and the key of the app anybody could send to the device, so tokens are
 * encrypted; a keyed fingerprint finds them (docs/decisions/0063-push.md).
 */
const bindingOf = (personId: string) => ({ personId, kind: 'device' });

export const deviceTokens: SealedColumn = {
  kind: bindingOf('').kind,
  lockBeginning: queries.lockTokens,
  write: queries.writeToken,
};

/**
 * Above this a registration is refused: if it replaced an older device, a stolen token could remove those of the owner. The limit of one
 * session is lower, so that a stolen token leaves room for others.
 */
const devicesAtMost = { all: 20, inSession: 5 };

interface Registration {
  device: string;
  platform: 'android' | 'ios';
}

/** The row of a device, before its token is encrypted. */
interface Known {
  token: string;
  /** Identifies the device: the token, or for a browser its URL at the push service. */
  name: string;
  person_id: string;
  session_id: string;
  platform: 'android' | 'ios' | 'web';
  host: string;
  registered_at: Date;
}

type Sealing = Context<'db' | 'keyring'>;

const fingerprintOf = ({ keyring }: Pick<Sealing, 'keyring'>, token: string) =>
  createHmac('sha256', keyring.secret('devices')).update(token).digest();

/** Registers a device for push messages to this person, also if it was registered for another one. */
export async function registerDevice(
  context: Context<'db' | 'clock' | 'keyring'>,
  { id, session }: Caller,
  { device, platform }: Registration,
): Promise<void> {
  const now = context.clock();
  await inTransaction(context.db, async (trx) => {
    await register(trx, context, {
      token: device,
      name: device,
      person_id: id,
      session_id: session.id,
      platform,
      host: appHost,
      registered_at: now,
    });
  });
}

/** Registers a browser until its session ends. */
export async function subscribe(
  context: Context<'db' | 'clock' | 'keyring'>,
  { id, session }: Caller,
  subscription: PushSubscription,
): Promise<void> {
  const { endpoint } = subscription;
  const host = pushServiceOf(endpoint);
  if (!host) throw new Refusal('invalid_input', { what: 'push_service' }, 'endpoint');
  const now = context.clock();
  await inTransaction(context.db, async (trx) => {
    await register(trx, context, {
      token: JSON.stringify(subscription),
      name: endpoint,
      person_id: id,
      session_id: session.id,
      platform: 'web',
      host,
      registered_at: now,
    });
  });
}

/** Stores a device; throws if the person has no room for it. */
async function register(
  trx: Transaction<Tables>,
  context: Pick<Sealing, 'keyring'>,
  { token, name, ...row }: Known,
): Promise<void> {
  const fingerprint = fingerprintOf(context, name);
  await queries.deleteEnded(trx, row.person_id);
  const others = await queries.countOthers(trx, { ...row, fingerprint });
  if (others.all >= devicesAtMost.all || others.inSession >= devicesAtMost.inSession)
    throw new Refusal('too_many_devices');
  const sealed = context.keyring.encrypt(token, bindingOf(row.person_id));
  await queries.putDevice(trx, { ...row, id: newId(row.registered_at), token: sealed, fingerprint });
}

/** Unregisters a device of this person. A device of another person stays registered. */
export async function unregisterDevice(context: Sealing, personId: string, device: string): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    await queries.deleteDevice(trx, personId, fingerprintOf(context, device));
  });
}

/** The devices of a person, oldest first; a token whose key is lost is null. */
export async function listDevices({ db, keyring }: Sealing, personId: string) {
  const rows = await queries.listDevices(db, personId);
  return await Promise.all(
    rows.map(async ({ token, platform, registered_at }) => ({
      token: await tokenOf({ keyring }, personId, token),
      platform,
      registeredAt: registered_at,
    })),
  );
}

/** Throws LostKeyError if its key is lost. */
export const deviceToken = ({ keyring }: Pick<Sealing, 'keyring'>, personId: string, sealed: Buffer) =>
  keyring.decrypt(sealed, bindingOf(personId));

async function tokenOf(context: Pick<Sealing, 'keyring'>, personId: string, sealed: Buffer) {
  try {
    return await deviceToken(context, personId, sealed);
  } catch (error) {
    if (error instanceof LostKeyError) return null;
    throw error;
  }
}

/** Deletes devices whose sessions have ended. */
export const deleteEndedDevices = ({ db }: Context<'db'>, personId?: string) =>
  queries.deleteEnded(db, personId);
