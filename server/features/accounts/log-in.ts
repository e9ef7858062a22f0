import type { Transaction } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { providerNetworkOf } from '#server/platform/ip-prefix.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import { deviceNameOf } from './device-name.ts';
import { type From, isNewPlace, rememberPlaces } from './places.ts';
import { networkBinding, openSession } from './sessions.ts';

/**
 * Opens a session for an authenticated person and returns its token. A login from a device (browser, system and network) that the account
 * has not used lately is reported to the person, except at the first login.
 */
export async function logIn(
  trx: Transaction<Tables>,
  { clock, keyring, outbox }: Context<'clock' | 'keyring' | 'outbox'>,
  {
    personId,
    issuer,
    hasFactor,
    from,
  }: { personId: string; issuer?: string | undefined; hasFactor?: boolean; from: From },
): Promise<string> {
  const now = clock();
  const device = deviceNameOf(from.userAgent);
  const network = providerNetworkOf(from.address);
  const place = from.places.key('session', device ?? '', network ?? '');
  const isNew = await isNewPlace(trx, personId, place, now);
  const at = [...from.places.of(from.address), place];
  await rememberPlaces(trx, personId, at, now);
  if (isNew) {
    await outbox.sendNotice(
      trx,
      personId,
      { act: 'new_device', ...(device ? { values: { device } } : {}) },
      now,
    );
    await notifyFromSite(trx, personId, 'new_device', now);
  }
  const sealed = network && keyring.encrypt(network, networkBinding(personId));
  return await openSession(trx, { personId, issuer, device, network: sealed || undefined, hasFactor }, now);
}
