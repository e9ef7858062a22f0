import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';

export async function upsertPlace(db: Kysely<Tables>, personId: string, place: Buffer, now: Date) {
  await db
    .insertInto('sign_in_places')
    .values({ person_id: personId, place, used_at: now })
    .onConflict((conflict) => conflict.columns(['person_id', 'place']).doUpdateSet({ used_at: now }))
    .execute();
}

export async function isKnownPlace(db: Kysely<Tables>, emailKey: string, place: Buffer, usedAfter: Date) {
  const row = await db
    .selectFrom('sign_in_places')
    .innerJoin('people', 'people.id', 'sign_in_places.person_id')
    .select('used_at')
    .where('people.email_key', '=', emailKey)
    .where('place', '=', place)
    .where('used_at', '>', usedAfter)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deletePlaces(db: Kysely<Tables>, usedBefore: Date) {
  await db.deleteFrom('sign_in_places').where('used_at', '<', usedBefore).execute();
}
