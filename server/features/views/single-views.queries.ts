import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { bytes, plain } from './arrays.ts';

interface NetworkDay {
  /** YYYY-MM-DD */
  day: string;
  /** In hex. */
  network: string;
}

const unnested = (days: readonly NetworkDay[]) => sql`
  ${plain(days.map(({ day }) => day))}::date[], ${bytes(days.map(({ network }) => network))}::bytea[]`;

/** The rows of views without a login from these networks on these days, in their order. */
export async function countOfNetworks(db: Kysely<Tables>, days: readonly NetworkDay[]): Promise<number[]> {
  const { rows } = await sql<{ views: number }>`
    select coalesce(n.views, 0) as views
    from unnest(${unnested(days)}) with ordinality asked(day, network, number)
    left join network_days n on n.day = asked.day and n.network = asked.network order by number`.execute(db);
  return rows.map(({ views }) => views);
}

/** Counts a row of each of these views. Counters are locked in a fixed order, to avoid deadlocks. */
export async function addToNetworkDays(db: Kysely<Tables>, views: readonly NetworkDay[]): Promise<void> {
  if (views.length === 0) return;
  await sql`
    insert into network_days as n (day, network, views)
    select day, network, count(*) from unnest(${unnested(views)}) seen(day, network) group by 1, 2 order by 1, 2
    on conflict (day, network) do update set views = n.views + excluded.views`.execute(db);
}

export async function deleteNetworkDays(db: Kysely<Tables>, before: string): Promise<void> {
  await sql`delete from network_days where day < ${before}::date`.execute(db);
}
