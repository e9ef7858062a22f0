import { type Kysely, sql } from 'kysely';
import type { Tables } from './database/tables.ts';

export interface Added {
  key: Buffer;
  requests: number;
  /** Length in milliseconds of a window that begins now. */
  window: number;
}

export interface Counted {
  key: Buffer;
  requests: number;
  /** Milliseconds until the window ends. */
  endsIn: number;
}

/**
 * Adds counts to the totals of all processes and returns the new totals. A window begins with its first request, by the
 * database's clock. Rows are locked in the order of their keys, so that two processes cannot deadlock.
 */
export async function addCounts(db: Kysely<Tables>, added: readonly Added[]): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    insert into rate_limits as l (key, requests, ends_at)
    select key, requests, now() + length * interval '1 millisecond'
    from unnest(
      ${added.map(({ key }) => key)}::bytea[], ${added.map(({ requests }) => requests)}::int[],
      ${added.map(({ window }) => window)}::int[]) as added (key, requests, length)
    order by key
    on conflict (key) do update set
      requests = excluded.requests + case when l.ends_at > now() then l.requests else 0 end,
      ends_at = case when l.ends_at > now() then l.ends_at else excluded.ends_at end
    returning key, requests, ceil(extract(epoch from ends_at - now()) * 1000)::int as "endsIn"`.execute(db);
  return rows;
}

export async function deleteExpired(db: Kysely<Tables>): Promise<void> {
  await sql`delete from rate_limits where ends_at < now()`.execute(db);
}
