import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { bytes, plain } from './arrays.ts';

/** Somebody whose account was deleted meanwhile leaves no mark. */
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
  await sql`delete from seen_browsers where seen_on < ${before}::date`.execute(db);
  await sql`delete from seen_networks where day < ${before}::date`.execute(db);
}

export interface PossiblyOwn {
  creatorId: string;
  day: string;
  /** In hex; undefined if the player did not send one. */
  browser: string | undefined;
  /** In hex. */
  address: string;
  signedIn: boolean;
}

interface OwnRules {
  ownBrowserDays: number;
  othersInNetwork: number;
}

/** Places in this list of the views that are the creator's own, by the browser or the network they came from. */
export async function findOwn(
  db: Kysely<Tables>,
  views: readonly PossiblyOwn[],
  { ownBrowserDays, othersInNetwork }: OwnRules,
): Promise<Set<number>> {
  if (views.length === 0) return new Set();
  const { rows } = await sql<{ place: number }>`
    select (place - 1)::int as place from unnest(
      ${plain(views.map((view) => view.creatorId))}::uuid[], ${plain(views.map((view) => view.day))}::date[],
      ${bytes(views.map((view) => view.browser ?? null))}::bytea[], ${bytes(views.map((view) => view.address))}::bytea[],
      ${plain(views.map((view) => String(view.signedIn)))}::boolean[]
    ) with ordinality as seen (creator_id, day, browser, network, signed_in, place)
    where exists (
      select from seen_browsers b where b.person_id = seen.creator_id and b.browser = seen.browser
        and b.seen_on >= seen.day - ${ownBrowserDays}::int
    ) or (
      not signed_in and exists (
        select from seen_networks n where n.person_id = seen.creator_id and n.day = seen.day
          and n.network = seen.network
      ) and (
        select count(*) from (
          select distinct n.person_id from seen_networks n
          where n.network = seen.network and n.person_id <> seen.creator_id
            and n.day between date_trunc('month', seen.day)::date and seen.day limit ${othersInNetwork}
        ) others
      ) < ${othersInNetwork}
    )`.execute(db);
  return new Set(rows.map(({ place }) => place));
}
