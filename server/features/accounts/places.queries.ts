import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function upsertPlaces(
  db: Kysely<Tables>,
  { personId, places }: { personId: string; places: readonly Buffer[] },
  now: Date,
) {
  await db
    .insertInto('sign_in_places')
    .values(places.map((place) => ({ person_id: personId, place, used_at: now })))
    .onConflict((conflict) =>
      conflict
        .columns(['person_id', 'place'])
        .doUpdateSet({ used_at: sql`greatest(sign_in_places.used_at, excluded.used_at)` }),
    )
    .execute();
}

/** The places of a person that were used after this time; their number is limited. */
export async function listPlaces(db: Kysely<Tables>, personId: string, usedAfter: Date): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('sign_in_places')
    .select('place')
    .where('person_id', '=', personId)
    .where('used_at', '>', usedAfter)
    .execute();
  return rows.map(({ place }) => place);
}

/** The same by the address of the account. */
export async function listPlacesByEmail(
  db: Kysely<Tables>,
  emailKey: string,
  usedAfter: Date,
): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('sign_in_places')
    .innerJoin('people', 'people.id', 'sign_in_places.person_id')
    .select('place')
    .where('people.email_key', '=', emailKey)
    .where('used_at', '>', usedAfter)
    .execute();
  return rows.map(({ place }) => place);
}

export async function madeAt(db: Kysely<Tables>, personId: string): Promise<Date> {
  const row = await db
    .selectFrom('people')
    .select('created_at')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow();
  return row.created_at;
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
