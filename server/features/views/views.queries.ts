import { type Kysely, sql, type Transaction } from 'kysely';
import { rules } from '#contract/rates.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { notBlocked } from '../people/not-blocked.ts';
import { bytes, plain, times } from './arrays.ts';
import { lockAll } from './presence.queries.ts';

/** A reel after these views were added to its displayed count. */
export interface ShownReel {
  id: string;
  creator_id: string;
  views: number;
  /** Duration of the video. */
  seconds: number;
}

/** From and where clause for those of these reels that are public, in a fixed order for locking, to avoid deadlocks. */
const publicInOrder = (ids: readonly string[]) => sql`
  from reels where id = any(${plain(ids)}::uuid[])
  and state = 'ready' and deleted_at is null and taken_down_at is null
  and not exists (select from people where people.id = creator_id and suspended_at is not null)
  order by id`;

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
    join reels on reels.id = seen.reel_id
    where not ${notBlocked(sql`seen.person_id`, 'reels.creator_id')}`.execute(db);
  return rows;
}

/** Adds views to the displayed counts of those reels that are public. They stay locked until the transaction ends. */
export async function increaseShown(
  db: Kysely<Tables>,
  seen: ReadonlyMap<string, number>,
): Promise<ShownReel[]> {
  const { rows } = await sql<ShownReel>`
    with locked as (select id ${publicInOrder([...seen.keys()])} for no key update)
    update reels set views = reels.views + seen.views
    from locked, unnest(${plain([...seen.keys()])}::uuid[], ${plain([...seen.values()])}::int[]) seen (reel_id, views)
    where reels.id = locked.id and seen.reel_id = locked.id
    returning reels.id, reels.creator_id, reels.views, reels.seconds`.execute(db);
  return rows;
}

export interface PublicReel extends Pick<ShownReel, 'id' | 'creator_id'> {
  duplicate: boolean;
  /** When a person found that the reel is no copy, as it was taken for. */
  counts_from: Date | null;
}

/** Locks those of these reels that are public, so that none is deleted in the meantime. Showings of them do not wait for it. */
export async function lockPublic(db: Kysely<Tables>, ids: readonly string[]): Promise<PublicReel[]> {
  const { rows } = await sql<PublicReel>`
    select id, creator_id, duplicate, counts_from ${publicInOrder(ids)} for key share`.execute(db);
  return rows;
}

/** The creators of these reels, by reel; a reel never changes its creator. */
export async function creatorsOf(
  db: Kysely<Tables>,
  reelIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; creator_id: string }>`
    select id, creator_id from reels where id = any(${plain(reelIds)}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, creator_id }) => [id, creator_id]));
}

/** Whether a person has uploaded a reel, in whatever state it is. */
export async function hasReels(db: Kysely<Tables>, personId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from reels where creator_id = ${personId}) as found`.execute(db);
  return rows[0]?.found ?? false;
}

interface ReelMonth {
  reelId: string;
  creatorId: string;
  month: string;
  verdict: string;
  views: number;
}

/** Adds to the months of reels. Rows are locked in a fixed order, to avoid deadlocks. */
export async function addToReelMonths(db: Kysely<Tables>, views: readonly ReelMonth[]): Promise<void> {
  if (views.length === 0) return;
  const months = [...Map.groupBy(views, ({ reelId, month, verdict }) => `${reelId} ${month} ${verdict}`)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, same]) =>
      same[0] ? [{ ...same[0], views: same.reduce((sum, one) => sum + one.views, 0) }] : [],
    );
  await sql`
    insert into reel_months as m (reel_id, creator_id, month, verdict, views)
    select * from unnest(
      ${plain(months.map((one) => one.reelId))}::uuid[], ${plain(months.map((one) => one.creatorId))}::uuid[],
      ${plain(months.map((one) => one.month))}::text[], ${plain(months.map((one) => one.verdict))}::text[],
      ${plain(months.map((one) => one.views))}::int[])
    on conflict (reel_id, month, verdict) do update set views = m.views + excluded.views`.execute(db);
}

export interface WatchedView {
  creatorId: string;
  /** YYYY-MM-DD */
  day: string;
  reelId: string;
  /** In hex. */
  viewer: string;
  signedIn: boolean;
  /** In hex. */
  address: string;
  issuedAt: Date;
  at: Date;
}

const keysOf = (views: readonly WatchedView[]) => sql`
  ${plain(views.map((view) => view.creatorId))}::uuid[], ${plain(views.map((view) => view.day))}::date[],
  ${plain(views.map((view) => view.reelId))}::uuid[], ${bytes(views.map((view) => view.viewer))}::bytea[]`;

export const watchedOf = ({ reelId, viewer, day }: { reelId: string; viewer: string; day: string }) =>
  `${reelId} ${viewer} ${day}`;

/**
 * A view with the other day on which its showing can be reported, and the viewer as stored in the month of that day; undefined if there is
 * none. A lease can be reported before and after midnight.
 */
export type ReportedView = WatchedView & { other: Pick<WatchedView, 'day' | 'viewer'> | undefined };

/** The view as it would be recorded on the other day. */
const onOtherDay = (view: ReportedView) => (view.other ? [{ ...view, ...view.other }] : []);

/** `watchedOf` on the other day. */
export const otherOf = (view: ReportedView) => onOtherDay(view).map(watchedOf)[0];

/**
 * Locks those of these views that can be reported on two days until the transaction ends, so that of two servers the second one finds what
 * the first one has recorded. Within a day the key of the rows decides, so the reports of the first day share their locks. Reels whose ids
 * end with the same byte share one of 256 locks. Called before networks and reels are locked.
 */
export async function lockLeases(trx: Transaction<Tables>, views: readonly ReportedView[]): Promise<void> {
  const onTwoDays = views.filter(({ other }) => other);
  await lockAll(
    trx,
    onTwoDays.map(({ reelId }) => `leases ${reelId.slice(-2)}`),
    onTwoDays.some(({ day, other }) => other && other.day < day) ? 'exclusive' : 'shared',
  );
}

/** Those of these views that are already recorded: as held or counted ones, or as views of a copy. */
export async function findRecorded(db: Kysely<Tables>, views: readonly WatchedView[]): Promise<Set<string>> {
  if (views.length === 0) return new Set();
  const { rows } = await sql<{ view: string }>`
    select w.reel_id || ' ' || encode(w.viewer, 'hex') || ' ' || w.day as view
    from unnest(${keysOf(views)}) as seen (creator_id, day, reel_id, viewer)
    join ${recorded} w using (creator_id, day, reel_id, viewer)`.execute(db);
  return new Set(rows.map(({ view }) => view));
}

/** Those of these views whose showing was already reported on the other day. */
export async function findReported(db: Kysely<Tables>, given: readonly ReportedView[]): Promise<Set<string>> {
  const views = given.filter(({ other }) => other);
  if (views.length === 0) return new Set();
  const others = views.flatMap(onOtherDay);
  const { rows } = await sql<{ view: string }>`
    select seen.view from unnest(${keysOf(others)}, ${times(others.map((view) => view.issuedAt))}::timestamptz[],
      ${plain(views.map(watchedOf))}::text[]) as seen (creator_id, day, reel_id, viewer, shown_at, view)
    join ${recorded} w using (creator_id, day, reel_id, viewer, shown_at)`.execute(db);
  return new Set(rows.map(({ view }) => view));
}

const recorded = sql`(
  select creator_id, day, reel_id, viewer, shown_at from watched_views
  union all select creator_id, day, reel_id, viewer, shown_at from own_network_views
  union all select creator_id, day, reel_id, viewer, shown_at from copy_views)`;

/** The tables of watched views that count, and of those of copies. */
type WatchedTable = 'watched_views' | 'copy_views';

/** Returns those that were not recorded in this table before. Rows are inserted in a fixed order, since an insert waits for an equal one of another server. */
export async function insertWatched(
  db: Kysely<Tables>,
  table: WatchedTable,
  given: readonly WatchedView[],
): Promise<Set<string>> {
  if (given.length === 0) return new Set();
  const views = given.toSorted((one, other) => (watchedOf(one) < watchedOf(other) ? -1 : 1));
  const { rows } = await sql<{ view: string }>`
    insert into ${sql.table(table)} (creator_id, day, reel_id, viewer, signed_in, address, shown_at, watched_at)
    select * from unnest(${keysOf(views)}, ${plain(views.map((view) => String(view.signedIn)))}::boolean[],
      ${bytes(views.map((view) => view.address))}::bytea[], ${times(views.map((view) => view.issuedAt))}::timestamptz[],
      ${times(views.map((view) => view.at))}::timestamptz[])
    on conflict do nothing
    returning reel_id || ' ' || encode(viewer, 'hex') || ' ' || day as view`.execute(db);
  return new Set(rows.map(({ view }) => view));
}

export async function deleteWatched(
  db: Kysely<Tables>,
  table: WatchedTable,
  views: readonly WatchedView[],
): Promise<void> {
  if (views.length === 0) return;
  await sql`
    delete from ${sql.table(table)} w using unnest(${keysOf(views)}) as seen (creator_id, day, reel_id, viewer)
    where w.creator_id = seen.creator_id and w.day = seen.day and w.reel_id = seen.reel_id and w.viewer = seen.viewer`.execute(
    db,
  );
}

/** How often a reel was watched in each month while it was taken for a copy. The reel must be locked. */
export async function countCopyViews(
  trx: Transaction<Tables>,
  { creatorId, reelId }: { creatorId: string; reelId: string },
): Promise<{ month: string; views: number }[]> {
  const { rows } = await sql<{ month: string; views: number }>`
    select to_char(day, 'YYYY-MM') as month, count(*)::int as views from copy_views
    where creator_id = ${creatorId} and reel_id = ${reelId} group by 1`.execute(trx);
  return rows;
}

const localMonth = (column: string, timeZone: string) =>
  sql`to_char(${sql.ref(column)} at time zone ${timeZone}, 'YYYY-MM')`;

/** Views of reels that were wrongly taken for copies, with the month in which they count: that of the decision. */
export const viewsOfFormerCopies = (timeZone: string) => sql`(
  select v.*, ${localMonth('r.counts_from', timeZone)} as counted_in
  from copy_views v join reels r on r.id = v.reel_id where not r.duplicate and r.counts_from is not null)`;

/** Whether such views count in a creator's month. Those of a reel that was deleted in that month do not. */
export async function countsFormerCopies(
  db: Kysely<Tables>,
  { creatorId, month, timeZone }: { creatorId: string; month: string; timeZone: string },
): Promise<boolean> {
  // From the creator's reels, which are few, and not from the views.
  const { rows } = await sql`
    select from reels r where r.creator_id = ${creatorId} and not r.duplicate
      and ${localMonth('r.counts_from', timeZone)} = ${month}
      and ${localMonth('r.deleted_at', timeZone)} is distinct from ${month}
      and exists (select from copy_views v where v.creator_id = r.creator_id and v.reel_id = r.id) limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Deletes earlier views of reels that are taken for copies, except of those about which a person is deciding. */
export async function deleteCopyViews(db: Kysely<Tables>, before: string): Promise<void> {
  await sql`
    with still_copies as (
      select id, creator_id from reels where duplicate
        and id in (select reel_id from copy_views where day < ${before}::date)
      order by id for key share skip locked
    )
    delete from copy_views v using still_copies c
    where v.creator_id = c.creator_id and v.reel_id = c.id and v.day < ${before}::date`.execute(db);
}

/** Time that a viewer spent on a reel, by which the viewer's clock is advanced. */
export interface SpentTime {
  /** In hex. */
  viewer: string;
  day: string;
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
  const ordered = spent.toSorted((one, other) => (one.viewer < other.viewer ? -1 : 1));
  const { rows } = await sql<{ viewer: string }>`
    insert into watch_clocks as c (viewer, day, views, watched_until, needed_ms, reported_at)
    select viewer, day, 1, issued_at + needed_ms * interval '1 millisecond', needed_ms, reported_at
    from unnest(
      ${bytes(ordered.map((one) => one.viewer))}::bytea[], ${plain(ordered.map((one) => one.day))}::date[],
      ${times(ordered.map((one) => one.issuedAt))}::timestamptz[],
      ${plain(ordered.map((one) => Math.ceil(one.neededMs)))}::int[],
      ${times(ordered.map((one) => one.at))}::timestamptz[]
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

/** Counted views of these reels in a month. */
export async function countedViewsOf(db: Kysely<Tables>, reelIds: string[], month: string): Promise<number> {
  const { rows } = await sql<{ views: number }>`
    select coalesce(sum(views), 0)::bigint as views from reel_months
    where reel_id = any(${reelIds}::uuid[]) and month = ${month} and verdict = 'counted'`.execute(db);
  return rows[0]?.views ?? 0;
}
