import type { FastifyBaseLogger } from 'fastify';
import type { Language } from '#contract/languages.ts';
import type { Context } from '#server/platform/context.ts';
import { type Batch, type Delivery, doubling } from '#server/platform/deliveries.ts';
import { LostKeyError } from '#server/platform/keyring/keyring.ts';
import { deleteEndedDevices, deviceToken } from '../devices.ts';
import { findShown } from '../notifications.queries.ts';
import * as queries from './push.queries.ts';
import { PushRefused, type PushService } from './service.ts';
import { composePush } from './words.ts';

/** Push services by platform; devices of a platform without one get nothing. */
export type Services = Partial<Record<queries.Device['platform'], PushService>>;

type Outcome = 'sent' | 'dropped' | 'ended' | 'refused' | 'given_up';

const second = 1000;
/** Between two messages to a device; what arrives in between is bundled. */
const betweenMessages = 60 * second;
/** A push service may ask for a longer pause, up to the longest one. */
const [firstPause, longestPause] = [60 * second, 60 * 60 * second];
const givenUpAfter = 24 * 60 * 60 * second;

interface DueMessage extends Batch, queries.Due {
  rows: queries.Due['rows'];
}

interface PushSendingContext extends Context<'db' | 'keyring'> {
  logger: Pick<FastifyBaseLogger, 'warn'>;
}

/** Sends what waits for a device as one message. */
export function pushDelivery(
  { db, keyring, logger }: PushSendingContext,
  services: Services,
): Delivery<DueMessage, Outcome> {
  const pause = doubling(firstPause, longestPause);
  const wantedPause = (error: unknown) =>
    error instanceof PushRefused ? Math.min(error.retryAfter * second, longestPause) : 0;
  return {
    table: 'pushes',
    help: 'Push messages by how a try to send them ended; dropped: read, or no service; ended: the device is gone; refused: the push service takes it at no time',
    atOnce: 12,
    perLane: 4,
    claimFor: 90 * second,
    async lockDue(trx, now, notAt) {
      const notBefore = new Date(now.getTime() + betweenMessages);
      const due = await queries.lockDue(trx, now, { notBefore, notAt });
      return due && { ...due, lane: due.host };
    },
    async send({ device_id, person_id, rows }, now) {
      const device = await queries.findDevice(db, device_id);
      if (!device) {
        await deleteEndedDevices({ db }, person_id);
        return 'ended';
      }
      const service = services[device.platform];
      // Notifications that were read or deleted in the meantime, or of a former owner, are left out.
      const ids = rows.map(({ notification_id }) => notification_id);
      const shown = await findShown(db, device.person_id, ids);
      if (!service || shown.length === 0) return 'dropped';
      const token = await deviceToken({ keyring }, device.person_id, device.token);
      const message = composePush(shown, (device.language as Language | null) ?? 'en');
      try {
        if ((await service.send(token, message)) === 'sent') return 'sent';
      } catch (error) {
        // Messages that arrive meanwhile wait as long.
        await queries.putNotBefore(db, device_id, new Date(now.getTime() + wantedPause(error)));
        throw error;
      }
      await queries.deleteDevice(db, device);
      return 'ended';
    },
    failed(error, { device_id }) {
      logger.warn({ err: error, device: device_id }, 'a push message was not sent');
      if (error instanceof LostKeyError) return 'given_up';
      return error instanceof PushRefused && error.isFinal ? 'refused' : undefined;
    },
    pauseAfter: (tries, _age, error) => Math.max(pause(tries), wantedPause(error)),
    lifetimeOf: () => givenUpAfter,
    end: (ids) => queries.deletePushes(db, ids),
  };
}
