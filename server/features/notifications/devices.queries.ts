import type { Insertable, Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function putDevice(db: Kysely<Tables>, device: Insertable<Tables['devices']>) {
  const { token: _, ...rest } = device;
  await db
    .insertInto('devices')
    .values(device)
    .onConflict((conflict) => conflict.column('token').doUpdateSet(rest))
    .execute();
}

export async function deleteDevice(db: Kysely<Tables>, personId: string, token: string) {
  await db.deleteFrom('devices').where('token', '=', token).where('person_id', '=', personId).execute();
}
