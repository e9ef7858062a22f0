import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';

/** Public reels among these, locked in one order, so that two batches cannot block each other. */
export function lockPublic(db: Kysely<Tables>, ids: string[]) {
  return db
    .selectFrom('reels')
    .select(['id', 'creator_id', 'duplicate', 'views'])
    .where('id', 'in', ids)
    .where('state', '=', 'ready')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** How often each of these viewers counted since a moment. */
export async function countOfViewers(db: Kysely<Tables>, viewers: Buffer[], since: Date) {
  const { rows } = await sql<{ viewer: Buffer; views: number }>`
    select viewer, count(*)::int as views from view_windows
    where viewer = any(${viewers}::bytea[]) and counted_at > ${since} group by viewer`.execute(db);
  return new Map(rows.map((row) => [row.viewer.toString('hex'), row.views]));
}

/** Opens a window for each pair of reel and viewer that has none open at `at`; returns the pairs that got one. */
export async function openWindows(
  db: Kysely<Tables>,
  pairs: { reelId: string; viewer: Buffer; at: Date }[],
  hours: number,
): Promise<Set<string>> {
  if (pairs.length === 0) return new Set();
  const { rows } = await sql<{ reel_id: string; viewer: Buffer }>`
    insert into view_windows as w (reel_id, viewer, counted_at)
    select * from unnest(
      ${pairs.map((pair) => pair.reelId)}::uuid[], ${pairs.map((pair) => pair.viewer)}::bytea[],
      ${pairs.map((pair) => pair.at)}::timestamptz[])
    on conflict (reel_id, viewer) do update set counted_at = excluded.counted_at
      where w.counted_at <= excluded.counted_at - make_interval(hours => ${hours})
    returning reel_id, viewer`.execute(db);
  return new Set(rows.map((row) => `${row.reel_id} ${row.viewer.toString('hex')}`));
}

export interface ViewEvent {
  id: string;
  creatorId: string;
  reelId: string;
  viewer: Buffer;
  verdict: Tables['view_events']['verdict'];
  seenAt: Date;
  month: string;
}

/** Writes the events and moves the reels' counters; part of one transaction. */
export async function writeEvents(db: Kysely<Tables>, events: ViewEvent[]): Promise<void> {
  await sql`
    insert into view_events (id, creator_id, reel_id, viewer, verdict, seen_at)
    select * from unnest(
      ${events.map((event) => event.id)}::uuid[], ${events.map((event) => event.creatorId)}::uuid[],
      ${events.map((event) => event.reelId)}::uuid[], ${events.map((event) => event.viewer)}::bytea[],
      ${events.map((event) => event.verdict)}::text[], ${events.map((event) => event.seenAt)}::timestamptz[])`.execute(
    db,
  );
  await sql`
    update reels set views = reels.views + seen.views from (
      select reel_id, count(*) as views from unnest(${events.map((event) => event.reelId)}::uuid[]) as reel_id group by reel_id
    ) seen where reels.id = seen.reel_id`.execute(db);
  await sql`
    insert into reel_months as m (reel_id, creator_id, month, verdict, views)
    select reel_id, creator_id, month, verdict, count(*) from unnest(
      ${events.map((event) => event.reelId)}::uuid[], ${events.map((event) => event.creatorId)}::uuid[],
      ${events.map((event) => event.month)}::text[], ${events.map((event) => event.verdict)}::text[]
    ) as e (reel_id, creator_id, month, verdict) group by 1, 2, 3, 4 order by 1, 3, 4
    on conflict (reel_id, month, verdict) do update set views = m.views + excluded.views`.execute(db);
}

/** Counted views of a reel in a month. */
export async function countedViews(db: Kysely<Tables>, reelId: string, month: string): Promise<number> {
  const row = await db
    .selectFrom('reel_months')
    .select('views')
    .where('reel_id', '=', reelId)
    .where('month', '=', month)
    .where('verdict', '=', 'counted')
    .executeTakeFirst();
  return row?.views ?? 0;
}
