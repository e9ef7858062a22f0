import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { rules } from '#contract/rates.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { bytes, plain, times } from './arrays.ts';

/**
 * Locks the presence of a person until the transaction ends, before anything else is locked: storing it locks the person and then reels,
 * and deleting the account locks them the other way round.
 */
export async function lockPresence(trx: Transaction<Tables>, personId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('presence ' || ${personId}::text, 0))`.execute(trx);
}

/** False if it was recorded before, or if the account was deleted in the meantime. */
export async function insertNetwork(
  db: Kysely<Tables>,
  { personId, day, network }: { personId: string; day: string; network: Buffer },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into seen_networks (person_id, day, network)
    select id, ${day}::date, ${network} from people where id = ${personId} for key share
    on conflict do nothing`.execute(db);
  return numAffectedRows === 1n;
}

/** Browsers of a person that are remembered. Others are those in which they were signed in longest ago. */
export const browsersOfPerson = 100;

export async function upsertBrowser(
  db: Kysely<Tables>,
  { personId, day, at, browser }: { personId: string; day: string; at: Date; browser: Buffer },
): Promise<void> {
  await sql`
    insert into seen_browsers as b (person_id, browser, seen_on, seen_at)
    select id, ${browser}, ${day}::date, ${at} from people where id = ${personId} for key share
    on conflict (person_id, browser) do update set seen_on = excluded.seen_on, seen_at = excluded.seen_at
    where b.seen_on < excluded.seen_on`.execute(db);
  await sql`
    delete from seen_browsers where person_id = ${personId} and browser in (
      select browser from seen_browsers where person_id = ${personId}
      order by browser = ${browser} desc, seen_on desc, seen_at desc, browser offset ${browsersOfPerson}
    )`.execute(db);
}

export async function deletePresence(db: Kysely<Tables>, before: string): Promise<void> {
  await sql`delete from own_network_views where day < ${before}::date`.execute(db);
  await sql`delete from seen_browsers where seen_on < ${before}::date`.execute(db);
  await sql`delete from seen_networks where day < ${before}::date`.execute(db);
}

export interface PossiblyOwnView {
  creatorId: string;
  day: string;
  /** In hex; undefined if the player did not send one. */
  browser: string | undefined;
  /** In hex. */
  address: string;
}

/** Indexes of the views from a browser in which the creator was signed in. */
export async function findFromOwnBrowsers(
  db: Kysely<Tables>,
  views: readonly PossiblyOwnView[],
): Promise<Set<number>> {
  if (views.length === 0) return new Set();
  const { rows } = await sql<{ place: number }>`
    select (place - 1)::int as place from ${unnested(views)}
    where exists (
      select from seen_browsers b where b.person_id = seen.creator_id and b.browser = seen.browser
        and b.seen_on >= seen.day - ${sql.lit(rules.watch.ownBrowserDays)}
    )`.execute(db);
  return new Set(rows.map(({ place }) => place));
}

/** Those of these people who were signed in on one of these days, in any network. */
export async function findSeenOn(
  db: Kysely<Tables>,
  personIds: readonly string[],
  days: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${plain(personIds)}::uuid[]) id
    where exists (select from seen_networks n where n.person_id = id and n.day = any(${plain(days)}::date[]))`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Indexes of those of these views without a login that are from a network in which the creator was signed in that day. */
export async function findFromOwnNetworks(
  db: Kysely<Tables>,
  views: readonly PossiblyOwnView[],
): Promise<Set<number>> {
  const { rows } = await sql<{ place: number }>`
    select (place - 1)::int as place from ${unnested(views)}
    where exists (
      select from seen_networks n where n.person_id = seen.creator_id and n.day = seen.day and n.network = seen.network
    )`.execute(db);
  return new Set(rows.map(({ place }) => place));
}

const unnested = (views: readonly PossiblyOwnView[]) => sql`unnest(
  ${plain(views.map((view) => view.creatorId))}::uuid[], ${plain(views.map((view) => view.day))}::date[],
  ${bytes(views.map((view) => view.browser ?? null))}::bytea[], ${bytes(views.map((view) => view.address))}::bytea[]
) with ordinality as seen (creator_id, day, browser, network, place)`;

/** `exclusive` to store that a person was signed in, `shared` to store views: so one of the two transactions sees what the other has written. */
export type LockMode = 'exclusive' | 'shared';

/**
 * Locks the own networks of these creators until the transaction ends: to store one, or views of their reels. Before networks and reels are
 * locked. Creators whose ids end with the same byte share one of 256 locks, since the server has room for a few thousand.
 */
export async function lockOwnNetworks(
  trx: Transaction<Tables>,
  creatorIds: readonly string[],
  mode: LockMode,
): Promise<void> {
  await lockAll(
    trx,
    creatorIds.map((id) => `own networks ${id.slice(-2)}`),
    mode,
  );
}

/** The same for networks (in hex), in which views are held as the creator's own until enough others were seen there. */
export async function lockNetworks(
  trx: Transaction<Tables>,
  networks: readonly string[],
  mode: LockMode,
): Promise<void> {
  await lockAll(
    trx,
    networks.map((network) => `network ${network.slice(0, 2)}`),
    mode,
  );
}

/** Takes these locks in a fixed order, to avoid deadlocks. */
export async function lockAll(
  trx: Transaction<Tables>,
  names: readonly string[],
  mode: LockMode,
): Promise<void> {
  if (names.length === 0) return;
  const lock = sql.raw(mode === 'exclusive' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  await sql`
    select ${lock}(hashtextextended(name, 0))
    from (select name from unnest(${plain([...new Set(names)])}::text[]) name order by name) held`.execute(
    trx,
  );
}

const enoughOthers = sql.lit(rules.watch.othersInNetwork);
/** Whether enough accounts except the creator's were seen in a network, in the month of its hash. */
const othersSeen = (creator: string, network: string) => sql`(
  select count(*) from (
    select distinct n.person_id from seen_networks n
    where n.network = ${sql.ref(network)} and n.person_id <> ${sql.ref(creator)} limit ${enoughOthers}
  ) others
) >= ${enoughOthers}`;

/** Indexes of the views whose network is not the creator's alone. The networks must be locked. */
export async function findShared(
  db: Kysely<Tables>,
  views: readonly PossiblyOwnView[],
): Promise<Set<number>> {
  const { rows } = await sql<{ place: number }>`
    select (place - 1)::int as place from ${unnested(views)}
    where ${othersSeen('seen.creator_id', 'seen.network')}`.execute(db);
  return new Set(rows.map(({ place }) => place));
}

interface OwnNetworkView {
  creatorId: string;
  day: string;
  reelId: string;
  /** In hex. */
  viewer: string;
  /** In hex. */
  address: string;
  issuedAt: Date;
  at: Date;
}

/** Returns the keys (`watchedOf`) of those that were stored: another server may have stored one at the same moment. */
export async function insertHeldViews(
  db: Kysely<Tables>,
  views: readonly OwnNetworkView[],
): Promise<Set<string>> {
  if (views.length === 0) return new Set();
  const { rows } = await sql<{ view: string }>`
    insert into own_network_views (creator_id, day, reel_id, viewer, network, shown_at, watched_at)
    select * from unnest(
      ${plain(views.map((view) => view.creatorId))}::uuid[], ${plain(views.map((view) => view.day))}::date[],
      ${plain(views.map((view) => view.reelId))}::uuid[], ${bytes(views.map((view) => view.viewer))}::bytea[],
      ${bytes(views.map((view) => view.address))}::bytea[], ${times(views.map((view) => view.issuedAt))}::timestamptz[],
      ${times(views.map((view) => view.at))}::timestamptz[])
    on conflict do nothing
    returning reel_id || ' ' || encode(viewer, 'hex') || ' ' || day as view`.execute(db);
  return new Set(rows.map(({ view }) => view));
}

/** A reel that is not deleted until the transaction ends. */
export interface LockedReel {
  id: string;
  published_at: Date | null;
  counts_from: Date | null;
  deleted_at: Date | null;
  duplicate: boolean;
}

/** Locks these reels in a fixed order, to avoid deadlocks. */
async function lockReels(trx: Transaction<Tables>, ids: RawBuilder<unknown>): Promise<LockedReel[]> {
  const { rows } = await sql<LockedReel>`
    select id, published_at, counts_from, deleted_at, duplicate from reels where id in (${ids})
    order by id for key share`.execute(trx);
  return rows;
}

/** The reels whose held views from a network can be counted: enough accounts other than their creator were seen there. */
export async function lockCountableReels(trx: Transaction<Tables>, network: string): Promise<LockedReel[]> {
  return await lockReels(
    trx,
    sql`
      with stored as materialized (
        select distinct creator_id, network from own_network_views where network = decode(${network}, 'hex')
      )
      select v.reel_id from stored
      join own_network_views v on v.creator_id = stored.creator_id and v.network = stored.network
      where ${othersSeen('stored.creator_id', 'stored.network')}`,
  );
}

/** A creator and a network (in hex) in which they are signed in on a day. */
interface OwnNetwork {
  creatorId: string;
  day: string;
  network: string;
}

const watchedWithoutLogin = ({ creatorId, day, network }: OwnNetwork) => sql`
  creator_id = ${creatorId} and day = ${day}::date and not signed_in and address = decode(${network}, 'hex')`;

/** The reels of a creator that were watched without a login from their network on that day, copies included. */
export async function lockWatchedReels(trx: Transaction<Tables>, own: OwnNetwork): Promise<LockedReel[]> {
  return await lockReels(
    trx,
    sql`
      select reel_id from watched_views where ${watchedWithoutLogin(own)}
      union select reel_id from copy_views where ${watchedWithoutLogin(own)}`,
  );
}

/** Moves these watched views to the held ones, and returns their numbers. Those of copies are deleted. */
export async function holdWatchedViews(
  trx: Transaction<Tables>,
  own: OwnNetwork,
): Promise<{ reelId: string; views: number }[]> {
  await sql`
    delete from copy_views where ${watchedWithoutLogin(own)}
    and reel_id in (select id from reels where creator_id = ${own.creatorId} and duplicate)`.execute(trx);
  const { rows } = await sql<{ reelId: string; views: number }>`
    with taken as (
      delete from watched_views where ${watchedWithoutLogin(own)} returning *
    ),
    held as (
      insert into own_network_views (creator_id, day, reel_id, viewer, network, shown_at, watched_at)
      select creator_id, day, reel_id, viewer, address, shown_at, watched_at from taken
    )
    select reel_id as "reelId", count(*)::int as views from taken group by 1`.execute(trx);
  return rows;
}

export interface MovedViews {
  creatorId: string;
  reelId: string;
  views: number;
}

/** Moves the held views of these reels from a network to the watched views, and returns their numbers. */
export async function moveHeldViews(
  trx: Transaction<Tables>,
  network: string,
  reelIds: readonly string[],
): Promise<MovedViews[]> {
  const { rows } = await sql<MovedViews>`
    with freed as (
      delete from own_network_views where network = decode(${network}, 'hex') and reel_id = any(${plain(reelIds)}::uuid[])
      returning *
    ),
    counted as (
      insert into watched_views (creator_id, day, reel_id, viewer, signed_in, address, shown_at, watched_at)
      select creator_id, day, reel_id, viewer, false, network, shown_at, watched_at from freed
      on conflict do nothing returning creator_id, reel_id
    )
    select creator_id as "creatorId", reel_id as "reelId", count(*)::int as views from counted group by 1, 2`.execute(
    trx,
  );
  return rows;
}
