import type { Kysely } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import * as queries from './devices.queries.ts';

/** Registers a device for push notifications of this person, also if it was registered for another one. */
export async function registerDevice(
  { db, clock }: Context<'db' | 'clock'>,
  personId: string,
  { device, platform }: { device: string; platform: 'android' | 'ios' },
): Promise<void> {
  await queries.putDevice(db, { token: device, person_id: personId, platform, registered_at: clock() });
}

/** Unregisters a device of this person. A device of another person stays registered. */
export async function unregisterDevice(db: Kysely<Tables>, personId: string, device: string): Promise<void> {
  await queries.deleteDevice(db, personId, device);
}
