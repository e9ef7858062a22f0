import type { Kysely } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import * as queries from './devices.queries.ts';

/** Tells a device of its person's notifications from now on; a device that was another's is now this person's. */
export async function registerDevice(
  { db, clock }: Context<'db' | 'clock'>,
  personId: string,
  { device, platform }: { device: string; platform: 'android' | 'ios' },
): Promise<void> {
  await queries.putDevice(db, { token: device, person_id: personId, platform, registered_at: clock() });
}

/** Tells a device of its person's no more; another's stays as it is. */
export async function unregisterDevice(db: Kysely<Tables>, personId: string, device: string): Promise<void> {
  await queries.deleteDevice(db, personId, device);
}
