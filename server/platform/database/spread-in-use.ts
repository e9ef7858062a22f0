import { type Kysely, sql } from 'kysely';
import { StartupError } from '../startup-error.ts';
import { isLockedOut } from './conflicts.ts';
import { lockNameOfSession, unlockNameOfSession } from './locks.ts';
import { copying, places } from './places.ts';
import type { Tables } from './tables.ts';

/** The only shard of a table that Citus knows and that is not spread. */
export async function shardOnCoordinator(
  db: Kysely<Tables>,
  table: keyof Tables,
): Promise<string | undefined> {
  const { rows } = await sql<{ shard: string }>`
    select shardid::text as shard from pg_dist_shard join pg_dist_partition using (logicalrelid)
    where logicalrelid = ${table}::regclass and partmethod = 'n'`.execute(db);
  return rows[0]?.shard;
}

/**
 * Spreads a table of one shard while it is written to; returns for how many seconds writes waited. At the end of its copy Citus lets writes wait
 * until all nodes know where the rows are, which is too late (`keepTablesInPlace`). So a second session, the keeper, shares the lock of the shard,
 * for which Citus waits then. The keeper waits until nobody writes to these tables (in tries of three seconds with pauses of three, 20 at most), lets Citus go on, and writers in
 * again after it. A writer that already waits behind Citus is let pass by PostgreSQL, which notices that the three wait for each other
 * (`deadlock_timeout`). The keeper does this in one statement, which holds also if the command is killed. If its session ends, that of Citus is
 * ended, too.
 */
export async function spreadInUse(
  db: Kysely<Tables>,
  mover: Kysely<Tables>,
  { table, by }: { table: keyof Tables; by: string },
): Promise<number> {
  const [shard, pid] = [Number(await shardOnCoordinator(mover, table)), await pidOf(mover)];
  return await db.connection().execute(async (keeper) => {
    await sql`set statement_timeout = 0`.execute(keeper);
    await lockNameOfSession(mover, copying);
    const keeperPid = await pidOf(keeper);
    let isKept = true;
    const keeping = keepWritersOut(keeper, pid, shard).catch(async (error) => {
      isKept = false;
      await sql`select pg_terminate_backend(${sql.lit(pid)})`.execute(db);
      if (isLockedOut(error)) throw error;
      throw new StartupError(
        'The session that lets writes wait has ended, so the copying of its table was ended, too: run the command again.',
        { cause: error },
      );
    });
    const copy = async () => {
      while (!(await holdsShard(mover, keeperPid, shard)));
      await sql`select create_distributed_table_concurrently(${table}, ${by})`.execute(mover);
    };
    let waited = 0;
    try {
      await Promise.race([copy(), keeping]);
    } finally {
      // If the session has ended, its lock has, too.
      if (isKept) await unlockNameOfSession(mover, copying).catch(() => undefined);
      waited = await keeping;
    }
    return waited;
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

/** Tries of three seconds to keep writers out, between which they are let in for three: two minutes in all. */
const mostTries = 20;

/** What the keeper does while the process with this id copies a table. A `do` takes no parameters. */
async function keepWritersOut(keeper: Kysely<Tables>, pid: number, shard: number): Promise<number> {
  const [ofPlaces, ofCopying] = [places, copying].map((name) => sql`hashtextextended(${sql.lit(name)}, 0)`);
  await sql`do $$
    declare
      began timestamptz;
      longest interval := '0';
      tries integer := 0;
    begin
      -- 5 is the mode that all writers of the shard share
      perform lock_shard_metadata(5, array[${sql.lit(shard)}]::bigint[]);
      while not exists (select from pg_locks where not granted and ${lockOfShard(pid, shard)}) loop
        if pg_try_advisory_xact_lock(${ofCopying}) then
          return;
        end if;
        perform pg_sleep(0.01);
      end loop;
      loop
        began := clock_timestamp();
        begin
          -- more than deadlock_timeout, and less than a writer waits
          perform set_config('lock_timeout', '3s', true);
          perform pg_advisory_lock(${ofPlaces});
          exit;
        exception when lock_not_available or deadlock_detected then
          -- those that came meanwhile are let in, and the next try waits behind them
          longest := greatest(longest, clock_timestamp() - began);
          tries := tries + 1;
          if pg_try_advisory_xact_lock(${ofCopying}) then
            return;
          elsif tries = ${sql.lit(mostTries)} then
            raise;
          end if;
          perform pg_sleep(3);
        end;
      end loop;
      commit;
      perform pg_advisory_xact_lock(${ofCopying});
      perform pg_advisory_unlock(${ofPlaces});
      longest := greatest(longest, clock_timestamp() - began);
      perform set_config('jhalak.waited', extract(epoch from longest)::text, false);
    end $$`.execute(keeper);
  const { rows } = await sql<{ waited: string | null }>`
    select current_setting('jhalak.waited', true) as waited`.execute(keeper);
  await sql`reset all`.execute(keeper);
  return Number(rows[0]?.waited ?? 0);
}
