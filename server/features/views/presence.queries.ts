import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { bytes, plain, times } from './arrays.ts';

/** Inserts nothing if the account was deleted in the meantime. */
export async function insertNetwork(
  db: Kysely<Tables>,
  { personId, day, network }: { personId: string; day: string; network: Buffer },
): Promise<void> {
  await sql`
    insert into seen_networks (person_id, day, network)
    select id, ${day}::date, ${network} from people where id = ${personId} for key share
    on conflict do nothing`.execute(db);
}

export async function upsertBrowser(
  db: Kysely<Tables>,
  { personId, day, browser }: { personId: string; day: string; browser: Buffer },
): Promise<void> {
  await sql`
    insert into seen_browsers as b (person_id, browser, seen_on)
    select id, ${browser}, ${day}::date from people where id = ${personId} for key share
    on conflict (person_id, browser) do update set seen_on = excluded.seen_on where b.seen_on < excluded.seen_on`.execute(
    db,
  );
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
  signedIn: boolean;
}

/** Indexes of the views from a browser in which the creator was signed in. */
export async function findFromOwnBrowsers(
  db: Kysely<Tables>,
  views: readonly PossiblyOwnView[],
  ownBrowserDays: number,
): Promise<Set<number>> {
  if (views.length === 0) return new Set();
  const { rows } = await sql<{ place: number }>`
    select (place - 1)::int as place from ${unnested(views)}
    where exists (
      select from seen_browsers b where b.person_id = seen.creator_id and b.browser = seen.browser
        and b.seen_on >= seen.day - ${ownBrowserDays}::int
    )`.execute(db);
  return new Set(rows.map(({ place }) => place));
}

/** Indexes of the views without a login from a network in which the creator was signed in that day. */
export async function findFromOwnNetworks(
  db: Kysely<Tables>,
  views: readonly PossiblyOwnView[],
): Promise<Set<number>> {
  if (views.every(({ signedIn }) => signedIn)) return new Set();
  const { rows } = await sql<{ place: number }>`
    select (place - 1)::int as place from ${unnested(views)}
    where not signed_in and exists (
      select from seen_networks n where n.person_id = seen.creator_id and n.day = seen.day and n.network = seen.network
    )`.execute(db);
  return new Set(rows.map(({ place }) => place));
}

const unnested = (views: readonly PossiblyOwnView[]) => sql`unnest(
  ${plain(views.map((view) => view.creatorId))}::uuid[], ${plain(views.map((view) => view.day))}::date[],
  ${bytes(views.map((view) => view.browser ?? null))}::bytea[], ${bytes(views.map((view) => view.address))}::bytea[],
  ${plain(views.map((view) => String(view.signedIn)))}::boolean[]
) with ordinality as seen (creator_id, day, browser, network, signed_in, place)`;

/**
 * Locks networks until the transaction ends: exclusively to store that somebody was signed in there, shared to store views from there. So
 * either the view sees the presence, or the presence sees the view. `networks` are in hex, and locked in a fixed order.
 */
export async function lockNetworks(
  trx: Transaction<Tables>,
  networks: readonly string[],
  mode: 'exclusive' | 'shared',
): Promise<void> {
  const lock = sql.raw(mode === 'exclusive' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  await sql`
    select ${lock}(hashtextextended('network ' || network, 0))
    from (select distinct network from unnest(${plain(networks)}::text[]) network order by network) held`.execute(
    trx,
  );
}

/** Whether this many accounts except the creator's were seen in a network, in the month of its hash. */
const othersSeen = (creator: string, network: string, others: number) => sql`(
  select count(*) from (
    select distinct n.person_id from seen_networks n
    where n.network = ${sql.ref(network)} and n.person_id <> ${sql.ref(creator)} limit ${others}
  ) others
) >= ${others}`;

/** Indexes of the views whose network is not the creator's alone. The networks must be locked. */
export async function findShared(
  db: Kysely<Tables>,
  views: readonly PossiblyOwnView[],
  others: number,
): Promise<Set<number>> {
  const { rows } = await sql<{ place: number }>`
    select (place - 1)::int as place from ${unnested(views)}
    where ${othersSeen('seen.creator_id', 'seen.network', others)}`.execute(db);
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

/** Creators and reels with held views from a network in which enough others were seen. */
export async function findCountable(
  db: Kysely<Tables>,
  network: string,
  others: number,
): Promise<{ creator_id: string; reel_id: string }[]> {
  const { rows } = await sql<{ creator_id: string; reel_id: string }>`
    with stored as materialized (
      select distinct creator_id, network from own_network_views where network = decode(${network}, 'hex')
    )
    select distinct v.creator_id, v.reel_id from stored
    join own_network_views v on v.creator_id = stored.creator_id and v.network = stored.network
    where ${othersSeen('stored.creator_id', 'stored.network', others)}`.execute(db);
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
