import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/** A place from which an account was used, hashed with the key of a month. */
export type PlaceRow = Selectable<Tables['sign_in_places']>;

export async function upsertPlaces(
  db: Kysely<Tables>,
  { personId, month, storedHashes }: { personId: string; month: string; storedHashes: readonly Buffer[] },
  now: Date,
) {
  await db
    .insertInto('sign_in_places')
    .values(storedHashes.map((place) => ({ person_id: personId, place, month, used_at: now })))
    .onConflict((conflict) =>
      conflict
        .columns(['person_id', 'place'])
        .doUpdateSet({ used_at: sql`greatest(sign_in_places.used_at, excluded.used_at)` }),
    )
    .execute();
}

/** The places of a person, whose number is limited. */
export function listPlaces(db: Kysely<Tables>, personId: string): Promise<PlaceRow[]> {
  return db.selectFrom('sign_in_places').selectAll().where('person_id', '=', personId).execute();
}

/** The places from which an account was used lately. */
export function listPlacesByEmail(
  db: Kysely<Tables>,
  emailKey: string,
  usedAfter: Date,
): Promise<PlaceRow[]> {
  return db
    .selectFrom('sign_in_places')
    .innerJoin('people', 'people.id', 'sign_in_places.person_id')
    .selectAll('sign_in_places')
    .where('people.email_key', '=', emailKey)
    .where('used_at', '>', usedAfter)
    .execute();
}

export async function madeAt(db: Kysely<Tables>, personId: string): Promise<Date> {
  const row = await db
    .selectFrom('people')
    .select('created_at')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow();
  return row.created_at;
}

export async function deleteThesePlaces(db: Kysely<Tables>, personId: string, places: readonly Buffer[]) {
  await db
    .deleteFrom('sign_in_places')
    .where('person_id', '=', personId)
    .where('place', 'in', places)
    .execute();
}

/** Deletes the places of a person, except the most recently used ones. */
export async function deletePlacesOf(db: Kysely<Tables>, personId: string, keep: number) {
  await db
    .deleteFrom('sign_in_places')
    .where('person_id', '=', personId)
    .where('place', 'in', (rows) =>
      rows
        .selectFrom('sign_in_places')
        .select('place')
        .where('person_id', '=', personId)
        .orderBy('used_at', 'desc')
        .orderBy('place')
        .offset(keep),
    )
    .execute();
}

export async function deletePlaces(db: Kysely<Tables>, usedBefore: Date) {
  await db.deleteFrom('sign_in_places').where('used_at', '<', usedBefore).execute();
}
