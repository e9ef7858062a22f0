import { type Kysely, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { StartupError } from '../startup-error.ts';
import { lockNameOfSession, shareName, unlockNameOfSession } from './locks.ts';
import type { Tables } from './tables.ts';

/** How a table is spread over the nodes of a Citus cluster. */
interface Spread {
  /** The column whose value leads to the node. */
  by: 'creator_id';
  /**
   * The columns of a primary key without that column. On a cluster it is added to the key, which keeps its name: statements name the constraint
   * and not its columns, so that they are the same on both.
   */
  key?: readonly string[];
  /** Foreign keys that lead to a table of the coordinator, which a cluster cannot hold: by name, as they are defined elsewhere. */
  references?: Readonly<Record<string, string>>;
}

/** The tables that `distribute` spreads. All others stay on the coordinator (docs/decisions/0109-spread-tables.md). */
const spreads = {
  views: { by: 'creator_id' },
  creator_viewers: { by: 'creator_id' },
  reel_days: { by: 'creator_id', key: ['reel_id', 'day', 'verdict'] },
  creator_months: { by: 'creator_id' },
  month_shares: { by: 'creator_id' },
  month_results: {
    by: 'creator_id',
    references: { month_results_month_fkey: 'foreign key (month) references months' },
  },
  adjustments: { by: 'creator_id', key: ['id'] },
} as const satisfies Partial<Record<keyof Tables, Spread>>;

type SpreadTable = keyof typeof spreads;

export const spreadTables = Object.keys(spreads) as SpreadTable[];

/** Whether the database is one of a Citus cluster. */
async function isCluster(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(db);
  return rows.length > 0;
}

/** The tables that are spread now: none on one PostgreSQL. */
export async function listSpread(db: Kysely<Tables>): Promise<SpreadTable[]> {
  if (!(await isCluster(db))) return [];
  const { rows } = await sql<{ name: string }>`
    select logicalrelid::text as name from pg_dist_partition where partmethod = 'h'`.execute(db);
  const names = new Set(rows.map(({ name }) => name));
  return spreadTables.filter((table) => names.has(table));
}

/** A table that was moved. */
export interface Moved {
  table: string;
  seconds: number;
  /** For how many of them writes to spread tables waited at most, without a break. */
  waited: number;
}

/**
 * Keeps all tables where they are until the transaction ends. Whoever inserts into a table that can be spread calls it before: an insert of
 * several rows fails, or inserts nothing without an error, if Citus spreads the table while it waits. Waits at most five seconds for a table that is being
 * moved, and fails then like any statement while the database is not available.
 */
export async function keepTablesInPlace(trx: Kysely<Tables>): Promise<void> {
  await shareName(trx, places, 5);
}

/**
 * Locks: of whoever writes to these tables, together, or of a command that lets them wait; of the command that moves tables; and of its connection
 * while Citus copies a table.
 */
const [places, moving, copying] = ['places of tables', 'moving tables', 'copying a table'];

/**
 * Spreads all tables that are not spread yet, one after the other, beside a site that runs; done again, it goes on. The pool has two connections,
 * as a command has. Throws StartupError where there is no cluster, or one that cannot copy changes.
 */
export async function distribute(db: Kysely<Tables>): Promise<Moved[]> {
  await refuseWithoutCluster(db);
  await refuseWithoutCopies(db);
  return await move(db, async (mover, table) => {
    if ((await listSpread(mover)).includes(table)) return undefined;
    const { by, key, references = {} }: Spread = spreads[table];
    const keys = { drop: Object.keys(references), key: key && [...key, by] };
    return Math.max(
      await changeKeys(mover, table, keys),
      await addToCluster(mover, table),
      await spreadInUse(db, mover, table),
    );
  });
}

/** Brings all tables back to the coordinator. While a table is copied, writes fail after five seconds, and reads go on. */
export async function undistribute(db: Kysely<Tables>): Promise<Moved[]> {
  await refuseWithoutCluster(db);
  return await move(db, async (mover, table) => {
    const { key, references }: Spread = spreads[table];
    // One that was spread, or that was about to be.
    const { rows } = await sql`select from pg_dist_partition where logicalrelid = ${table}::regclass`.execute(
      mover,
    );
    const copied =
      rows.length > 0 ? await whileWritesWait(mover, sql`select undistribute_table(${table})`, 0) : undefined;
    const keys = await changeKeys(mover, table, { key, add: references });
    return copied === undefined ? undefined : Math.max(copied, keys);
  });
}

/** Moves each table that can be spread, on one connection. `run` returns for how many seconds writes waited, or undefined if it moved nothing. */
async function move(
  db: Kysely<Tables>,
  run: (mover: Kysely<Tables>, table: SpreadTable) => Promise<number | undefined>,
): Promise<Moved[]> {
  return await db.connection().execute(async (mover) => {
    try {
      await sql`set statement_timeout = 0`.execute(mover);
      // The coordinator goes on with the table of a command that was killed.
      await lockNameOfSession(mover, moving);
      // Triggers of these tables only refuse, and so need no row of another node.
      await sql`set citus.enable_unsafe_triggers = on`.execute(mover);
      const moved: Moved[] = [];
      for (const table of spreadTables) {
        const began = performance.now();
        const waited = await run(mover, table);
        if (waited !== undefined) moved.push({ table, seconds: secondsSince(began), waited });
      }
      return moved;
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === lockNotAvailable)
        throw new StartupError(
          'Something else, such as an audit or the closing of a month, has used the tables for five seconds: run the command again later.',
        );
      throw error;
    } finally {
      await sql`select pg_advisory_unlock_all()`.execute(mover);
      await sql`reset all`.execute(mover);
    }
  });
}

const lockNotAvailable = '55P03';
const secondsSince = (began: number) => (performance.now() - began) / 1000;

/** Lets writes to all these tables wait for a statement; returns for how many seconds. Itself it waits for others so long at most; 0 is without a limit. */
async function whileWritesWait(
  mover: Kysely<Tables>,
  statement: RawBuilder<unknown>,
  waitsAtMost: '5s' | 0,
): Promise<number> {
  const began = performance.now();
  await sql`set lock_timeout = ${sql.lit(waitsAtMost)}`.execute(mover);
  await lockNameOfSession(mover, places);
  try {
    await statement.execute(mover);
  } finally {
    await unlockNameOfSession(mover, places);
    await sql`set lock_timeout = 0`.execute(mover);
  }
  return secondsSince(began);
}

/** Makes a table known to Citus, as one with a single shard, on the coordinator. */
async function addToCluster(mover: Kysely<Tables>, table: SpreadTable): Promise<number> {
  if (await shardOnCoordinator(mover, table)) return 0;
  return await whileWritesWait(mover, sql`select citus_add_local_table_to_metadata(${table})`, '5s');
}

/** The only shard of a table that Citus knows and that is not spread. */
async function shardOnCoordinator(db: Kysely<Tables>, table: SpreadTable): Promise<string | undefined> {
  const { rows } = await sql<{ shard: string }>`
    select shardid::text as shard from pg_dist_shard join pg_dist_partition using (logicalrelid)
    where logicalrelid = ${table}::regclass and partmethod = 'n'`.execute(db);
  return rows[0]?.shard;
}

async function refuseWithoutCluster(db: Kysely<Tables>): Promise<void> {
  if (!(await isCluster(db)))
    throw new StartupError(
      'This database is not one of a Citus cluster: create the extension citus in it, and add its workers, first.',
    );
}

async function refuseWithoutCopies(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ copies: boolean; workers: number }>`
    select current_setting('wal_level') = 'logical'
        and coalesce(current_setting('output_plugin_libraries', true) ~ '\\mcitus\\M', true) as copies,
      (select count(*)::int from citus_get_active_worker_nodes()) as workers`.execute(db);
  if (!rows[0]?.copies)
    throw new StartupError(
      "The cluster cannot copy tables that are in use: set wal_level = 'logical' and output_plugin_libraries = 'citus' on each node, and start them again.",
    );
  if (rows[0].workers === 0)
    throw new StartupError('The cluster has no workers yet: citus_add_node adds one.');
}

interface Keys {
  drop?: readonly string[];
  add?: Readonly<Record<string, string>> | undefined;
  key?: readonly string[] | undefined;
}

/** Changes the keys of a table; those that are so already stay. Indexes are built before, and references are checked after writes wait. */
async function changeKeys(
  mover: Kysely<Tables>,
  table: SpreadTable,
  { drop = [], add = {}, key }: Keys,
): Promise<number> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${table}::regclass`.execute(mover);
  const definitions = new Map(rows.map(({ name, definition }) => [name, definition]));
  const [pkey, next, columns] = [`${table}_pkey`, `${table}_next`, key?.join(', ')];
  const missing = Object.entries(add).filter(([name]) => !definitions.has(name));
  const changes = [
    ...drop.filter((name) => definitions.has(name)).map((name) => `drop constraint ${name}`),
    ...missing.map(([name, definition]) => `add constraint ${name} ${definition} not valid`),
  ];
  if (columns && definitions.get(pkey) !== `PRIMARY KEY (${columns})`) {
    await sql`drop index if exists ${sql.table(next)}`.execute(mover);
    await sql.raw(`create unique index concurrently ${next} on ${table} (${columns})`).execute(mover);
    changes.push(`drop constraint ${pkey}`, `add constraint ${pkey} primary key using index ${next}`);
  }
  if (changes.length === 0) return 0;
  const waited = await whileWritesWait(mover, sql.raw(`alter table ${table} ${changes.join(', ')}`), '5s');
  for (const [name] of missing)
    await sql.raw(`alter table ${table} validate constraint ${name}`).execute(mover);
  return waited;
}

/**
 * Spreads a table of one shard while it is written to; returns for how many seconds writes waited. At the end of its copy Citus lets writes wait until all nodes
 * know where the rows are, which is too late (`keepTablesInPlace`). So a second session, the keeper, shares
 * the lock of the shard, for which Citus waits then. The keeper waits until nobody writes to these tables, lets Citus go on, and writers
 * in again after it. A writer that already waits behind Citus is let pass by PostgreSQL, which notices that the three wait for each
 * other (`deadlock_timeout`). The keeper does this in one statement, which holds also if the command is killed.
 */
async function spreadInUse(db: Kysely<Tables>, mover: Kysely<Tables>, table: SpreadTable): Promise<number> {
  const shard = await shardOnCoordinator(mover, table);
  return await db.connection().execute(async (keeper) => {
    await sql`set statement_timeout = 0`.execute(keeper);
    await lockNameOfSession(mover, copying);
    const [pid, keeperPid] = [await pidOf(mover), await pidOf(keeper)];
    let keepsOn = true;
    const keeping = keepWritersOut(keeper, pid, Number(shard)).finally(() => {
      keepsOn = false;
    });
    // Its failure is thrown where it is awaited.
    keeping.catch(() => undefined);
    try {
      while (keepsOn && !(await holdsShard(mover, keeperPid, Number(shard))));
      if (!keepsOn) await keeping;
      await sql`select create_distributed_table_concurrently(${table}, ${spreads[table].by})`.execute(mover);
      await unlockNameOfSession(mover, copying);
      return await keeping;
    } catch (error) {
      // If the session has ended, its lock has, too.
      await unlockNameOfSession(mover, copying).catch(() => undefined);
      await keeping;
      throw error;
    }
  });
}

async function pidOf(connection: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
  return rows[0]?.pid ?? 0;
}

/** The lock of a shard's place, which Citus takes for itself before it changes it, as `pg_locks` shows it. */
const lockOfShard = (pid: number, shard: number) =>
  sql`locktype = 'advisory' and objsubid = 4 and objid = ${sql.lit(shard)} and pid = ${sql.lit(pid)}`;

/** Whether this process holds the lock of the shard. */
async function holdsShard(mover: Kysely<Tables>, pid: number, shard: number): Promise<boolean> {
  const { rows } = await sql`select from pg_locks where granted and ${lockOfShard(pid, shard)}`.execute(
    mover,
  );
  return rows.length > 0;
}

/** What the keeper does while the process with this id copies a table. A `do` takes no parameters. */
async function keepWritersOut(keeper: Kysely<Tables>, pid: number, shard: number): Promise<number> {
  const [ofPlaces, ofCopying] = [places, copying].map((name) => sql`hashtextextended(${sql.lit(name)}, 0)`);
  await sql`do $$
    declare
      began timestamptz;
    begin
      -- 5 is the mode that all writers of the shard share
      perform lock_shard_metadata(5, array[${sql.lit(shard)}]::bigint[]);
      while not exists (select from pg_locks where not granted and ${lockOfShard(pid, shard)}) loop
        if pg_try_advisory_xact_lock(${ofCopying}) then
          return;
        end if;
        perform pg_sleep(0.01);
      end loop;
      began := clock_timestamp();
      perform pg_advisory_lock(${ofPlaces});
      commit;
      perform pg_advisory_xact_lock(${ofCopying});
      perform pg_advisory_unlock(${ofPlaces});
      perform set_config('jhalak.waited', extract(epoch from clock_timestamp() - began)::text, false);
    end $$`.execute(keeper);
  const { rows } = await sql<{ waited: string | null }>`
    select current_setting('jhalak.waited', true) as waited`.execute(keeper);
  await sql`reset all`.execute(keeper);
  return Number(rows[0]?.waited ?? 0);
}
