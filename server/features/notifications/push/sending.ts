import type { Language } from '#contract/languages.ts';
import type { Context } from '#server/platform/context.ts';
import { LostKeyError } from '#server/platform/keyring/keyring.ts';
import { deleteEndedDevices, deviceToken } from '../devices.ts';
import { findShown } from '../notifications.queries.ts';
import * as queries from './push.queries.ts';
import { PushRefused, type PushService } from './service.ts';
import { composePush } from './words.ts';

/** Push services by platform; devices of a platform without one get nothing. */
export type Services = Partial<Record<queries.Device['platform'], PushService>>;

type Outcome = 'sent' | 'dropped' | 'ended' | 'failed' | 'refused' | 'given_up';

const second = 1000;
/** Longer than one try may take. After this time another worker retries the messages of a killed one. */
const claimDuration = 90 * second;
/** Between two messages to a device; what arrives in between is bundled. */
const betweenMessages = 60 * second;
/** In seconds. A push service may ask for a longer pause, up to the longest one. */
const [firstPause, longestPause] = [60, 60 * 60];
const givenUpAfter = 24 * 60 * 60 * second;

/** Claims the device whose message has been due for longest, with all its messages; undefined if nothing is due. */
export function claimNext({ db, clock }: Context<'db' | 'clock'>, notAt: readonly string[]) {
  const now = clock().getTime();
  return queries.claimDue(db, new Date(now), {
    again: new Date(now + claimDuration),
    notBefore: new Date(now + betweenMessages),
    notAt,
  });
}

/** Sends the claimed messages as one. */
export async function pushOne(
  { db, clock, keyring }: Context<'db' | 'clock' | 'keyring'>,
  services: Services,
  { device_id: deviceId, person_id: personId, ids, notificationIds }: queries.Due,
  warn: (error: unknown, which: { device: string }) => void,
): Promise<Outcome> {
  const device = await queries.findDevice(db, deviceId);
  if (!device) {
    await deleteEndedDevices({ db }, personId);
    await queries.deletePushes(db, ids);
    return 'ended';
  }
  const service = services[device.platform];
  // Notifications that were read or deleted in the meantime, or of a former owner, are left out.
  const shown = await findShown(db, device.person_id, notificationIds);
  if (!service || shown.length === 0) {
    await queries.deletePushes(db, ids);
    return 'dropped';
  }
  try {
    const token = await deviceToken({ keyring }, device.person_id, device.token);
    const message = composePush(shown, (device.language as Language | null) ?? 'en');
    const outcome = await service.send(token, message);
    if (outcome === 'gone') await queries.deleteDevice(db, device);
    await queries.deletePushes(db, ids);
    return outcome === 'gone' ? 'ended' : 'sent';
  } catch (error) {
    warn(error, { device: deviceId });
    if (error instanceof LostKeyError || (error instanceof PushRefused && error.isFinal)) {
      await queries.deletePushes(db, ids);
      return error instanceof LostKeyError ? 'given_up' : 'refused';
    }
    const now = clock().getTime();
    const wanted = error instanceof PushRefused ? Math.min(error.retryAfter, longestPause) * second : 0;
    const givenUp = await queries.tryAgain(db, new Date(now), {
      ids,
      deviceId,
      notBefore: new Date(now + wanted),
      pause: firstPause,
      longestPause,
      givenUpBefore: new Date(now - givenUpAfter),
    });
    return givenUp === ids.length ? 'given_up' : 'failed';
  }
}
