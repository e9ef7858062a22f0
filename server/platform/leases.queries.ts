import { type Kysely, sql } from 'kysely';
import type { Tables } from './database/tables.ts';

/** Seconds from the last heartbeat until a lease expires, by the database's clock. */
const lifetime = 15;
const ends = sql`now() + ${sql.lit(lifetime)} * interval '1 second'`;

/** Takes the lease if it is free or expired; returns whether it did. */
export async function take(db: Kysely<Tables>, name: string, holder: string): Promise<boolean> {
  const { rows } = await sql`
    insert into leases as l (name, holder, ends_at) values (${name}, ${holder}, ${ends})
    on conflict (name) do update set holder = excluded.holder, ends_at = excluded.ends_at, is_wanted = false
      where l.ends_at < now()
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Asks the holder to release the lease. */
export async function want(db: Kysely<Tables>, name: string): Promise<void> {
  await sql`update leases set is_wanted = true where name = ${name} and not is_wanted`.execute(db);
}

/** Sends a heartbeat. Returns whether another process waits for the lease, or undefined if the lease is lost. */
export async function renew(db: Kysely<Tables>, name: string, holder: string): Promise<boolean | undefined> {
  const { rows } = await sql<{ isWanted: boolean }>`
    update leases set ends_at = ${ends} where name = ${name} and holder = ${holder}
    returning is_wanted as "isWanted"`.execute(db);
  return rows[0]?.isWanted;
}

export async function release(db: Kysely<Tables>, name: string, holder: string): Promise<void> {
  await sql`delete from leases where name = ${name} and holder = ${holder}`.execute(db);
}

export async function deleteAll(db: Kysely<Tables>): Promise<void> {
  await sql`delete from leases`.execute(db);
}

export async function deleteEnded(db: Kysely<Tables>): Promise<void> {
  await sql`delete from leases where ends_at < now() - interval '1 hour'`.execute(db);
}
