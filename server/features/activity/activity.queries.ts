import { type Kysely, sql, type Transaction } from 'kysely';
import { lockName } from '#server/platform/database/locks.ts';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import type { Tables } from '#server/platform/database/tables.ts';

export type ActivityKind = Tables['activity_events']['kind'];

export interface Fact {
  id: string;
  kind: ActivityKind;
  fact: string;
}

/**
 * Creates the person's activity row of this month if needed, and locks all activity of the person, so that reports
 * are stored one after another, even around the end of a month. The person cannot be deleted meanwhile; returns whether there is one.
 */
export async function lockMonth(trx: Transaction<Tables>, personId: string, month: string): Promise<boolean> {
  await keepTablesInPlace(trx);
  await lockName(trx, `activity of ${personId}`);
  const person = await trx
    .selectFrom('people')
    .select('id')
    .where('id', '=', personId)
    .forKeyShare()
    .executeTakeFirst();
  if (!person) return false;
  await sql`
    insert into activity_months (person_id, month) values (${personId}, ${month})
    on conflict (person_id, month) do update set month = excluded.month`.execute(trx);
  return true;
}

export async function deleteOf(trx: Transaction<Tables>, personId: string): Promise<void> {
  await keepTablesInPlace(trx);
  for (const table of ['activity_events', 'activity_months'] as const)
    await trx.deleteFrom(table).where('person_id', '=', personId).execute();
}

/** Those of these ids that were reported before. */
export async function reportedIds(db: Kysely<Tables>, personId: string, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('activity_events')
    .select('id')
    .where('person_id', '=', personId)
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** Those of these facts that are stored, as `kind fact`. */
export async function knownFacts(
  db: Kysely<Tables>,
  personId: string,
  facts: readonly Fact[],
): Promise<Set<string>> {
  const { rows } = await sql<{ kind: string; fact: string }>`
    select kind, fact from activity_events where person_id = ${personId} and (kind, fact) in (
      select * from unnest(${facts.map(({ kind }) => kind)}::text[], ${facts.map(({ fact }) => fact)}::text[]))`.execute(
    db,
  );
  return new Set(rows.map(({ kind, fact }) => `${kind} ${fact}`));
}

/** Number of facts of each kind that a person had on a day. */
export async function countsOfDay(
  db: Kysely<Tables>,
  personId: string,
  day: string,
): Promise<Map<ActivityKind, number>> {
  const rows = await db
    .selectFrom('activity_events')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .where('person_id', '=', personId)
    .where('day', '=', day)
    .groupBy('kind')
    .execute();
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

export async function insertFacts(
  db: Kysely<Tables>,
  personId: string,
  facts: readonly Fact[],
  { day, now }: { day: string; now: Date },
) {
  await db
    .insertInto('activity_events')
    .values(facts.map((fact) => ({ ...fact, person_id: personId, day, noted_at: now })))
    .execute();
}

export type ActivityCounts = Record<'scrolls' | 'reel_likes' | 'photo_likes' | 'active_hours', number>;

export async function addToMonth(
  db: Kysely<Tables>,
  personId: string,
  month: string,
  counts: ActivityCounts,
) {
  await db
    .updateTable('activity_months')
    .set((eb) => ({
      scrolls: eb('scrolls', '+', counts.scrolls),
      reel_likes: eb('reel_likes', '+', counts.reel_likes),
      photo_likes: eb('photo_likes', '+', counts.photo_likes),
      active_hours: eb('active_hours', '+', counts.active_hours),
    }))
    .where('person_id', '=', personId)
    .where('month', '=', month)
    .execute();
}

export function findMonth(db: Kysely<Tables>, personId: string, month: string) {
  return db
    .selectFrom('activity_months')
    .select(['scrolls', 'reel_likes', 'photo_likes', 'active_hours'])
    .where('person_id', '=', personId)
    .where('month', '=', month)
    .executeTakeFirst();
}

/** The creators of these public reels and posts, by id. */
export async function creatorsOf(db: Kysely<Tables>, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('works')
    .select(['id', 'creator_id'])
    .where('id', 'in', ids)
    .where('published_at', 'is not', null)
    .execute();
  return new Map(rows.map(({ id, creator_id }) => [id, creator_id]));
}
