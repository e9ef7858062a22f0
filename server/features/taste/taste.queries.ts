import { type Kysely, sql, type Transaction } from 'kysely';
import type { WatchedReel } from '#contract/taste.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/** Since when somebody's taste is switched on. */
export function findTaste(db: Kysely<Tables>, personId: string) {
  return db
    .selectFrom('taste_people')
    .select('switched_on_at')
    .where('person_id', '=', personId)
    .executeTakeFirst();
}

/** Prevents that it is switched off during this transaction. Returns false if it is off. */
export async function holdTaste(trx: Transaction<Tables>, personId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('taste_people')
    .select('person_id')
    .where('person_id', '=', personId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertTaste(db: Kysely<Tables>, personId: string, now: Date): Promise<void> {
  await db
    .insertInto('taste_people')
    .values({ person_id: personId, switched_on_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What was watched is deleted with it. */
export async function deleteTaste(db: Kysely<Tables>, personId: string): Promise<void> {
  await db.deleteFrom('taste_people').where('person_id', '=', personId).execute();
}

/** Adds those of these reels that are public and somebody else's; the first one was watched last. */
export async function putWatched(
  db: Kysely<Tables>,
  personId: string,
  watched: readonly WatchedReel[],
  now: Date,
): Promise<void> {
  await sql`
    insert into taste_watches as t (person_id, reel_id, watched_at, to_end)
    select ${personId}::uuid, w.id, ${now}::timestamptz - min(seen.place) * interval '1 millisecond', bool_or(seen.to_end)
    from unnest(${watched.map(({ _id }) => _id)}::uuid[], ${watched.map(({ toEnd }) => toEnd)}::boolean[])
      with ordinality seen (reel_id, to_end, place)
    join works w on w.id = seen.reel_id
    where w.kind = 'reel' and w.published_at is not null
      and w.creator_id <> ${personId} and ${notBlocked(personId, 'w.creator_id')}
    group by w.id
    on conflict (person_id, reel_id) do update set watched_at = excluded.watched_at, to_end = t.to_end or excluded.to_end`.execute(
    db,
  );
}

/** Forgets all but the newest ones of a person. */
export async function keepNewest(db: Kysely<Tables>, personId: string, most: number): Promise<void> {
  await sql`
    delete from taste_watches where person_id = ${personId} and reel_id in (
      select reel_id from taste_watches where person_id = ${personId}
      order by watched_at desc, reel_id desc offset ${most}
    )`.execute(db);
}

export async function deleteWatched(
  db: Kysely<Tables>,
  personId: string,
  reelId: string | undefined,
): Promise<void> {
  let all = db.deleteFrom('taste_watches').where('person_id', '=', personId);
  if (reelId) all = all.where('reel_id', '=', reelId);
  await all.execute();
}

export async function deleteWatchedBefore(db: Kysely<Tables>, time: Date): Promise<void> {
  await db.deleteFrom('taste_watches').where('watched_at', '<', time).execute();
}

/** The newest of what somebody watched, as far as it is public for them. */
export function listWatched(db: Kysely<Tables>, personId: string, limit: number) {
  return db
    .selectFrom('taste_watches')
    .innerJoin('works', 'works.id', 'taste_watches.reel_id')
    .innerJoin('people', 'people.id', 'works.creator_id')
    .select(['works.id', 'to_end', 'watched_at'])
    .where('person_id', '=', personId)
    .where('published_at', 'is not', null)
    .where('suspended_at', 'is', null)
    .where(notBlocked(personId, 'works.creator_id'))
    .orderBy('watched_at', 'desc')
    .orderBy('works.id', 'desc')
    .limit(limit)
    .execute();
}

/** How many reels somebody watched, and of those that are public for them how many of each category to the end. */
export async function countWatched(
  db: Kysely<Tables>,
  personId: string,
): Promise<{ count: number; categories: { category: string; reels: number }[] }> {
  const { rows } = await sql<{ category: string; reels: number }>`
    select category, count(*)::int as reels
    from taste_watches t join works w on w.id = t.reel_id join people p on p.id = w.creator_id, unnest(w.categories) category
    where t.person_id = ${personId} and t.to_end and w.published_at is not null
      and p.suspended_at is null and ${notBlocked(personId, 'w.creator_id')}
    group by 1 order by 2 desc, 1`.execute(db);
  const { count } = await db
    .selectFrom('taste_watches')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow();
  return { count: Number(count), categories: rows };
}
