import { type Kysely, sql, type Transaction } from 'kysely';
import { rules } from '#contract/earning-rules.ts';
import type { Group } from '#server/platform/database/among-works.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { byShard } from '../works/shards.ts';
import { creatorsOf } from '../works/works.ts';
import { bytes, plain, times } from './arrays.ts';

/** A reel after these views were added to its displayed count. */
export interface ShownReel {
  id: string;
  creator_id: string;
  views: number;
  /** Duration of the video. */
  seconds: number;
}

/** `isAmong` with the arrays of `arrays.ts`, which are faster to send. */
const among = ({ ids, creatorIds }: Group) =>
  sql`reels.creator_id = any(${plain(creatorIds)}::uuid[]) and reels.id = any(${plain(ids)}::uuid[])`;

/** From and where clause for those of these reels that are public, in a fixed order for locking, to avoid deadlocks. */
const publicInOrder = (reels: Group) => sql`
  from reels where ${among(reels)} and state = 'ready' and deleted_at is null and taken_down_at is null
  order by id`;

/**
 * These reels, without those of suspended people, by shard (`byShard`): the batches of a lane have one. The people are read before, so that a cluster
 * locks the reels by one statement on their node.
 */
async function unsuspended(db: Kysely<Tables>, ids: readonly string[]): Promise<Group[]> {
  const creators = await creatorsOf(db, ids);
  const { rows } = await sql<{ suspended: string[]; on_cluster: boolean }>`
    select array(
        select id from people where id = any(${plain([...new Set(creators.values())])}::uuid[]) and suspended_at is not null
      ) as suspended, exists (select from pg_extension where extname = 'citus') as on_cluster`.execute(db);
  const { suspended, on_cluster } = rows[0] ?? { suspended: [], on_cluster: false };
  const reels = ids.flatMap((id) => {
    const creator_id = creators.get(id.toLowerCase());
    return creator_id && !suspended.includes(creator_id) ? [{ id, creator_id }] : [];
  });
  return await byShard(db, reels, on_cluster);
}

/** Which of these signed-in people cannot see which of these reels, because of a block. */
export async function listHidden(
  db: Kysely<Tables>,
  seen: readonly { reelId: string; personId: string }[],
): Promise<{ reel_id: string; person_id: string }[]> {
  if (seen.length === 0) return [];
  const { rows } = await sql<{ reel_id: string; person_id: string }>`
    select seen.reel_id, seen.person_id
    from unnest(
      ${plain(seen.map(({ reelId }) => reelId))}::uuid[], ${plain(seen.map(({ personId }) => personId))}::uuid[]
    ) seen (reel_id, person_id)
    join works on works.id = seen.reel_id
    where not ${notBlocked(sql`seen.person_id`, 'works.creator_id')}`.execute(db);
  return rows;
}

/** Adds views to the displayed counts of those reels that are public. They stay locked until the transaction ends. */
export async function increaseShown(
  db: Kysely<Tables>,
  seen: ReadonlyMap<string, number>,
): Promise<ShownReel[]> {
  const shown: ShownReel[] = [];
  for (const reels of await unsuspended(db, [...seen.keys()])) {
    const { ids } = reels;
    const { rows } = await sql<ShownReel>`
      with locked as (select id, creator_id ${publicInOrder(reels)} for no key update)
      update reels set views = reels.views + seen.views
      from locked, unnest(${plain(ids)}::uuid[], ${plain(ids.map((id) => seen.get(id) ?? 0))}::int[]) seen (reel_id, views)
      where ${among(reels)} and reels.creator_id = locked.creator_id and reels.id = locked.id and seen.reel_id = locked.id
      returning reels.id, reels.creator_id, reels.views, reels.seconds`.execute(db);
    shown.push(...rows);
  }
  return shown;
}

export interface PublicReel extends Pick<ShownReel, 'id' | 'creator_id'> {
  duplicate: boolean;
}

/**
 * Locks those of these reels that are public, by id, so that none is deleted or found to be a copy in the meantime. Showings of them do not
 * wait for it.
 */
export async function lockPublic(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<Map<string, PublicReel>> {
  const found = new Map<string, PublicReel>();
  for (const reels of await unsuspended(db, ids)) {
    const { rows } = await sql<PublicReel>`
      select id, creator_id, duplicate ${publicInOrder(reels)} for key share`.execute(db);
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}

export interface ReelDay {
  reelId: string;
  creatorId: string;
  /** YYYY-MM-DD */
  day: string;
  verdict: string;
  views: number;
  /** How many of them have no row. */
  withoutRow?: number;
}

/** Adds to the days of reels. Rows are locked in a fixed order, to avoid deadlocks. */
export async function addToReelDays(db: Kysely<Tables>, views: readonly ReelDay[]): Promise<void> {
  if (views.length === 0) return;
  const days = [...Map.groupBy(views, ({ reelId, day, verdict }) => `${reelId} ${day} ${verdict}`)]
    .sort(([key], [other]) => (key < other ? -1 : 1))
    .flatMap(([, same]) => {
      const sumOf = (figure: 'views' | 'withoutRow') =>
        same.reduce((sum, day) => sum + (day[figure] ?? 0), 0);
      return same[0] ? [{ ...same[0], views: sumOf('views'), withoutRow: sumOf('withoutRow') }] : [];
    });
  await sql`
    insert into reel_days as d (reel_id, creator_id, day, verdict, views, without_row)
    select * from unnest(
      ${plain(days.map((day) => day.reelId))}::uuid[], ${plain(days.map((day) => day.creatorId))}::uuid[],
      ${plain(days.map((day) => day.day))}::date[], ${plain(days.map((day) => day.verdict))}::text[],
      ${plain(days.map((day) => day.views))}::int[], ${plain(days.map((day) => day.withoutRow))}::int[])
    on conflict on constraint reel_days_pkey do update set views = d.views + excluded.views,
      without_row = d.without_row + excluded.without_row`.execute(db);
}

export interface WatchedView {
  creatorId: string;
  /** The day of the showing, YYYY-MM-DD. */
  day: string;
  reelId: string;
  /** In hex. */
  viewer: string;
  signedIn: boolean;
  /** In hex. */
  network: string;
  issuedAt: Date;
  at: Date;
  verdict: 'counted' | 'copy';
}

/** The primary key of a view, as text: the creator follows from the reel. */
export const keyOf = ({ reelId, viewer, day }: Pick<WatchedView, 'reelId' | 'viewer' | 'day'>) =>
  `${reelId} ${viewer} ${day}`;

type ViewKey = Pick<WatchedView, 'creatorId' | 'day' | 'reelId' | 'viewer'>;

const keysOf = (views: readonly ViewKey[]) => sql`
  ${plain(views.map((view) => view.creatorId))}::uuid[], ${plain(views.map((view) => view.day))}::date[],
  ${plain(views.map((view) => view.reelId))}::uuid[], ${bytes(views.map((view) => view.viewer))}::bytea[]`;

/**
 * Returns the keys (`keyOf`) of those that were not recorded before. Rows are inserted in a fixed order, since an insert waits for an equal one
 * of another server.
 */
export async function insertViews(db: Kysely<Tables>, given: readonly WatchedView[]): Promise<Set<string>> {
  if (given.length === 0) return new Set();
  const views = given.toSorted((view, other) => (keyOf(view) < keyOf(other) ? -1 : 1));
  const { rows } = await sql<{ key: string }>`
    insert into views (creator_id, day, reel_id, viewer, signed_in, network, shown_at, watched_at, verdict)
    select * from unnest(${keysOf(views)}, ${plain(views.map((view) => String(view.signedIn)))}::boolean[],
      ${bytes(views.map((view) => view.network))}::bytea[], ${times(views.map((view) => view.issuedAt))}::timestamptz[],
      ${times(views.map((view) => view.at))}::timestamptz[], ${plain(views.map((view) => view.verdict))}::text[])
    on conflict do nothing
    returning reel_id || ' ' || encode(viewer, 'hex') || ' ' || day as key`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

export async function deleteViews(db: Kysely<Tables>, views: readonly ViewKey[]): Promise<void> {
  if (views.length === 0) return;
  await sql`
    delete from views v using unnest(${keysOf(views)}) as seen (creator_id, day, reel_id, viewer)
    where v.creator_id = seen.creator_id and v.day = seen.day and v.reel_id = seen.reel_id and v.viewer = seen.viewer
      and v.creator_id = any(${plain([...new Set(views.map(({ creatorId }) => creatorId))])}::uuid[])`.execute(
    db,
  );
}

/** Lets the views of a reel count that was taken for a copy, in these months; returns how many there are of each day. */
export async function countCopyViews(
  trx: Transaction<Tables>,
  { creatorId, reelId }: { creatorId: string; reelId: string },
  months: readonly string[],
): Promise<{ day: string; views: number; withoutRow: number }[]> {
  await sql`
    update views set verdict = 'counted', was_copy = true
    where creator_id = ${creatorId} and reel_id = ${reelId} and verdict = 'copy'
      and date_trunc('month', day::timestamp)::date = any(${months.map((month) => `${month}-01`)}::date[])`.execute(
    trx,
  );
  const { rows } = await sql<{ day: string; views: number; withoutRow: number }>`
    select day::text, views, without_row as "withoutRow" from reel_days
    where creator_id = ${creatorId} and reel_id = ${reelId} and verdict = 'copy' and views > 0 and to_char(day, 'YYYY-MM') = any(${months}::text[])`.execute(
    trx,
  );
  return rows;
}

/** Time that a viewer spent on a reel, by which the viewer's clock is advanced. */
export interface SpentTime {
  /** In hex. */
  viewer: string;
  /** The day of the report: a viewer has a limited number of views a day. */
  dayReported: string;
  issuedAt: Date;
  neededMs: number;
  at: Date;
}

/**
 * Advances the clock of each viewer by the needed time of a view. This time begins at the clock or at the showing, whichever is later, and
 * must be over now. So the watched seconds of a viewer never exceed the time that passed, however many screens and servers are used.
 * Returns the viewers whose time was accepted; each viewer may be given once.
 */
export async function advanceClocks(db: Kysely<Tables>, spent: readonly SpentTime[]): Promise<Set<string>> {
  if (spent.length === 0) return new Set();
  // In a fixed order, to avoid deadlocks.
  const ordered = spent.toSorted((time, other) => (time.viewer < other.viewer ? -1 : 1));
  const { rows } = await sql<{ viewer: string }>`
    insert into watch_clocks as c (viewer, day, views, watched_until, needed_ms, reported_at)
    select viewer, day, 1, issued_at + needed_ms * interval '1 millisecond', needed_ms, reported_at
    from unnest(
      ${bytes(ordered.map((time) => time.viewer))}::bytea[], ${plain(ordered.map((time) => time.dayReported))}::date[],
      ${times(ordered.map((time) => time.issuedAt))}::timestamptz[],
      ${plain(ordered.map((time) => Math.ceil(time.neededMs)))}::int[],
      ${times(ordered.map((time) => time.at))}::timestamptz[]
    ) as spent (viewer, day, issued_at, needed_ms, reported_at)
    on conflict (viewer) do update set
      views = case when c.day = excluded.day then c.views + 1 else 1 end,
      day = excluded.day,
      watched_until = greatest(c.watched_until + excluded.needed_ms * interval '1 millisecond', excluded.watched_until),
      needed_ms = excluded.needed_ms,
      reported_at = excluded.reported_at
    where greatest(c.watched_until + excluded.needed_ms * interval '1 millisecond', excluded.watched_until)
        <= excluded.reported_at
      and (c.day <> excluded.day or c.views < ${sql.lit(rules.watch.viewsADay)})
    returning encode(viewer, 'hex') as viewer`.execute(db);
  return new Set(rows.map(({ viewer }) => viewer));
}

/** Deletes the clocks of viewers whose last view was before a moment, and the last showings of older apps. */
export async function deleteClocks(db: Kysely<Tables>, before: Date): Promise<void> {
  await sql`
    delete from watch_clocks where viewer in (
      select viewer from watch_clocks where reported_at < ${before} for update skip locked
    )`.execute(db);
  await sql`delete from last_showings where shown_at < ${before}`.execute(db);
}

export interface LastShowing {
  personId: string;
  reelId: string;
  neededMs: number;
  at: Date;
}

/** Stores the last showing of a person, and returns the one before it. */
export async function replaceLastShowing(
  db: Kysely<Tables>,
  { personId, reelId, neededMs, at }: LastShowing,
): Promise<LastShowing | undefined> {
  const { rows } = await sql<Tables['last_showings']>`
    with before as (select * from last_showings where person_id = ${personId} for update),
    stored as (
      insert into last_showings (person_id, reel_id, needed_ms, shown_at)
      values (${personId}, ${reelId}, ${Math.ceil(neededMs)}, ${at})
      on conflict (person_id) do update set reel_id = excluded.reel_id,
        needed_ms = excluded.needed_ms, shown_at = excluded.shown_at
    )
    select * from before`.execute(db);
  return rows.map(asLastShowing)[0];
}

/** Deletes the last showing of a person, and returns it. */
export async function deleteLastShowing(
  db: Kysely<Tables>,
  personId: string,
): Promise<LastShowing | undefined> {
  const row = await db
    .deleteFrom('last_showings')
    .where('person_id', '=', personId)
    .returningAll()
    .executeTakeFirst();
  return row && asLastShowing(row);
}

const asLastShowing = (row: Tables['last_showings']): LastShowing => ({
  personId: row.person_id,
  reelId: row.reel_id,
  neededMs: row.needed_ms,
  at: row.shown_at,
});

/** Counted views of these reels of a creator in a month. */
export async function countedViews(
  db: Kysely<Tables>,
  { creatorId, reelIds }: { creatorId: string; reelIds: readonly string[] },
  month: string,
): Promise<number> {
  const { rows } = await sql<{ views: number }>`
    select coalesce(sum(views), 0)::bigint as views from reel_days
    where creator_id = ${creatorId} and reel_id = any(${reelIds}::uuid[]) and verdict = 'counted'
      and day >= (${month} || '-01')::date and day < (${month} || '-01')::date + interval '1 month'`.execute(
    db,
  );
  return rows[0]?.views ?? 0;
}

const deletedAtOnce = 10_000;

/** Deletes the single views of months up to this one, and which viewers watched whom in them. */
export async function deleteViewsUntil(db: Kysely<Tables>, month: string): Promise<void> {
  const end = sql`((${month} || '-01')::date + interval '1 month')::date`;
  for (let deleted = deletedAtOnce; deleted === deletedAtOnce; ) {
    const { rows } = await sql<ViewKey>`
      select creator_id as "creatorId", day::text, reel_id as "reelId", encode(viewer, 'hex') as viewer
      from views where day < ${end} limit ${deletedAtOnce}`.execute(db);
    await deleteViews(db, rows);
    deleted = rows.length;
  }
  await sql`delete from creator_viewers where month <= ${month}`.execute(db);
  await sql`delete from viewer_months where month <= ${month}`.execute(db);
}
