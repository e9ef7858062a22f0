import { createHmac } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import { LostKeyError } from '#server/platform/keyring/keyring.ts';
import type { SealedColumn } from '#server/platform/keyring/reencryption.ts';
import * as queries from './devices.queries.ts';

/*
 * Devices that are registered for push messages. Whoever has a token and the key of the app can send to the device, so tokens are
 * encrypted; a keyed fingerprint finds them (docs/decisions/0060-push-devices.md).
 */
const bindingOf = (personId: string) => ({ personId, kind: 'device' });

export const deviceTokens: SealedColumn = {
  kind: bindingOf('').kind,
  lockBeginning: queries.lockTokens,
  write: queries.writeToken,
};

/** Encrypts the tokens that a version before has stored; goes on where an attempt ended. */
export const sealDevicesJob: JobKind<object> = { name: 'seal-devices', retries: 0, seconds: 10 * 60 };
const rowsAtOnce = 500;

interface Registration {
  device: string;
  platform: 'android' | 'ios';
}

type Sealing = Context<'db' | 'keyring'>;

const fingerprintOf = ({ keyring }: Pick<Sealing, 'keyring'>, token: string) =>
  createHmac('sha256', keyring.secret('devices')).update(token).digest();

/** Registers a device for push notifications of this person, also if it was registered for another one. */
export async function registerDevice(
  context: Context<'db' | 'clock' | 'keyring'>,
  personId: string,
  { device, platform }: Registration,
): Promise<void> {
  const now = context.clock();
  await inTransaction(context.db, async (trx) => {
    // The job must not bring back an older owner.
    await queries.deletePlain(trx, device);
    await put(trx, context, { token: device, person_id: personId, platform, registered_at: now });
  });
}

type Plain = Awaited<ReturnType<typeof queries.takePlain>>[number];

async function put(
  trx: Transaction<Tables>,
  { keyring }: Pick<Sealing, 'keyring'>,
  { token, ...row }: Plain,
): Promise<void> {
  await queries.putDevice(trx, {
    ...row,
    id: newId(row.registered_at),
    token: keyring.encrypt(token, bindingOf(row.person_id)),
    fingerprint: fingerprintOf({ keyring }, token),
  });
}

/** Unregisters a device of this person. A device of another person stays registered. */
export async function unregisterDevice(context: Sealing, personId: string, device: string): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    await queries.deletePlain(trx, device, personId);
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

async function tokenOf({ keyring }: Pick<Sealing, 'keyring'>, personId: string, sealed: Buffer) {
  try {
    return await keyring.decrypt(sealed, bindingOf(personId));
  } catch (error) {
    if (error instanceof LostKeyError) return null;
    throw error;
  }
}

/** Encrypts what a process of the version before has stored in plain text, and may still store. Returns how many. */
export async function sealDevices(context: Sealing, signal?: AbortSignal): Promise<number> {
  let done = 0;
  for (;;) {
    signal?.throwIfAborted();
    const rows = await inTransaction(context.db, async (trx) => {
      const plain = await queries.takePlain(trx, rowsAtOnce);
      for (const row of plain) await put(trx, context, row);
      return plain.length;
    });
    if (rows === 0) return done;
    done += rows;
  }
}
