import { type Kysely, sql, type Transaction } from 'kysely';
import { lockName } from '../database/locks.ts';
import type { Tables } from '../database/tables.ts';
import { sealedAtLeast } from './cipher.ts';

/** Seconds after its last heartbeat until a process counts as dead, by the database's clock. */
const lifetime = 60;
const isAlive = sql`seen_at > now() - ${sql.lit(lifetime)} * interval '1 second'`;

/** Locks the keys against changes by other processes until this transaction ends. */
export async function lockKeys(trx: Transaction<Tables>): Promise<void> {
  await lockName(trx, 'keys');
}

export async function listKeys(db: Kysely<Tables>) {
  return await db.selectFrom('keyring_keys').selectAll().orderBy('name').orderBy('version').execute();
}

export async function insertKey(
  trx: Transaction<Tables>,
  { isActive, ...key }: { name: string; version: number; fingerprint: Buffer; isActive: boolean },
): Promise<void> {
  const active_at = isActive ? sql<Date>`now()` : null;
  await trx
    .insertInto('keyring_keys')
    .values({ ...key, active_at })
    .execute();
}

export async function deleteKey(
  trx: Transaction<Tables>,
  { name, version }: { name: string; version: number },
): Promise<void> {
  await trx.deleteFrom('keyring_keys').where('name', '=', name).where('version', '=', version).execute();
}

/**
 * How many values begin like this and are as long as encrypted ones, by column. It searches all binary columns, so that none is forgotten.
 */
export async function countBeginning(
  db: Kysely<Tables>,
  heads: readonly Buffer[],
): Promise<{ column: string; head: Buffer; count: number }[]> {
  if (heads.length === 0) return [];
  const { rows: columns } = await sql<{ table: string; name: string }>`
    select table_name as table, column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' order by 1, 2`.execute(db);
  const counts: { column: string; head: Buffer; count: number }[] = [];
  for (const { table, name } of columns) {
    const { rows } = await sql<{ head: Buffer; count: number }>`
      select substring(${sql.ref(name)} from 1 for 4) as head, count(*)::int as count from ${sql.table(table)}
      where length(${sql.ref(name)}) >= ${sealedAtLeast}
        and substring(${sql.ref(name)} from 1 for 4) = any(${heads}::bytea[]) group by 1`.execute(db);
    for (const row of rows) counts.push({ column: `${table}.${name}`, ...row });
  }
  return counts;
}

export async function setLost(
  trx: Transaction<Tables>,
  { name, version }: { name: string; version: number },
  isLost: boolean,
): Promise<void> {
  await trx
    .updateTable('keyring_keys')
    .set({ lost_at: isLost ? sql<Date>`now()` : null })
    .where('name', '=', name)
    .where('version', '=', version)
    .execute();
}

/** A heartbeat: this process runs, and can read these keys. */
export async function hold(db: Kysely<Tables>, id: string, held: string[]): Promise<void> {
  await sql`
    insert into key_holders (id, held, seen_at) values (${id}, ${held}, now())
    on conflict (id) do update set held = excluded.held, seen_at = now()`.execute(db);
  await sql`delete from key_holders where seen_at < now() - interval '1 day'`.execute(db);
}

export async function release(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('key_holders').where('id', '=', id).execute();
}

export async function releaseEverybody(db: Kysely<Tables>): Promise<void> {
  await db.deleteFrom('key_holders').execute();
}

/** The keys that running processes can read. */
export async function heldByRunning(db: Kysely<Tables>): Promise<Set<string>> {
  const { rows } = await sql<{ held: string[] }>`select held from key_holders where ${isAlive}`.execute(db);
  return new Set(rows.flatMap(({ held }) => held));
}

/** Lets processes encrypt with the versions that all running processes can read. */
export async function activate(db: Kysely<Tables>): Promise<void> {
  await sql`
    update keyring_keys k set active_at = now() where active_at is null and lost_at is null and not exists (
      select 1 from key_holders where ${isAlive} and not held @> array[k.name || '.' || k.version])`.execute(
    db,
  );
}
