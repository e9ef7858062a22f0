import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function upsertPlaces(
  db: Kysely<Tables>,
  personId: string,
  places: readonly Buffer[],
  now: Date,
) {
  await db
    .insertInto('sign_in_places')
    .values(places.map((place) => ({ person_id: personId, place, used_at: now })))
    .onConflict((conflict) => conflict.columns(['person_id', 'place']).doUpdateSet({ used_at: now }))
    .execute();
}

/** Those of `places` from which the account was used. */
export async function knownPlaces(
  db: Kysely<Tables>,
  emailKey: string,
  places: readonly Buffer[],
  usedAfter: Date,
): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('sign_in_places')
    .innerJoin('people', 'people.id', 'sign_in_places.person_id')
    .select('place')
    .where('people.email_key', '=', emailKey)
    .where('place', 'in', places)
    .where('used_at', '>', usedAfter)
    .execute();
  return rows.map(({ place }) => place);
}

/** Whether a place of a person is known, and whether others are. */
export async function findPlace(
  db: Kysely<Tables>,
  personId: string,
  place: Buffer,
  { usedAfter }: { usedAfter: Date },
) {
  const row = await db
    .selectFrom('people')
    .leftJoin('sign_in_places', (join) =>
      join.onRef('person_id', '=', 'people.id').on('used_at', '>', usedAfter),
    )
    .select(({ fn }) => [
      'people.created_at as madeAt',
      sql<boolean>`coalesce(bool_or(place = ${place}), false)`.as('known'),
      sql<boolean>`${fn.count('place')} > 0`.as('others'),
    ])
    .where('people.id', '=', personId)
    .groupBy('people.id')
    .executeTakeFirstOrThrow();
  return row;
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
