import { type Kysely, sql } from 'kysely';
import { StartupError } from '../startup-error.ts';
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
}

/**
 * Spreads all tables that are not spread yet, one after the other; done again, it goes on. The pool has two connections, as a command has. Throws
 * StartupError where there is no cluster, or one that cannot copy changes, and before each table if another session is connected.
 */
export async function distribute(db: Kysely<Tables>): Promise<Moved[]> {
  await refuseWithoutCluster(db);
  await refuseWithoutCopies(db);
  const done = await listSpread(db);
  const moved: Moved[] = [];
  for (const table of spreadTables) {
    await refuseOthers(db);
    if (done.includes(table)) continue;
    const { by, key, references = {} }: Spread = spreads[table];
    await changeKeys(db, table, { drop: Object.keys(references), key: key && [...key, by] });
    moved.push(await timed(db, table, sql`select create_distributed_table_concurrently(${table}, ${by})`));
  }
  return moved;
}

/** Brings all tables back to the coordinator; on the same conditions, but for the copying of changes. */
export async function undistribute(db: Kysely<Tables>): Promise<Moved[]> {
  await refuseWithoutCluster(db);
  const done = await listSpread(db);
  const moved: Moved[] = [];
  for (const table of spreadTables) {
    await refuseOthers(db);
    if (done.includes(table)) moved.push(await timed(db, table, sql`select undistribute_table(${table})`));
    const { key, references }: Spread = spreads[table];
    await changeKeys(db, table, { key, add: references });
  }
  return moved;
}

async function refuseWithoutCluster(db: Kysely<Tables>): Promise<void> {
  if (!(await isCluster(db)))
    throw new StartupError(
      'This database is not one of a Citus cluster: create the extension citus in it, and add its workers, first.',
    );
}

/** The site is stopped while a table is moved. The sessions of this pool, and those by which Citus connects to its own node, are no others. */
async function refuseOthers(db: Kysely<Tables>): Promise<void> {
  const others = await db.connection().execute((one) =>
    db.connection().execute(async (two) => {
      const { rows: own } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(one);
      const { rows } = await sql<{ name: string }>`
        select distinct coalesce(nullif(application_name, ''), 'unnamed') as name from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and application_name not like 'citus%'
          and pid not in (pg_backend_pid(), ${own[0]?.pid})
        order by name`.execute(two);
      return rows;
    }),
  );
  if (others.length > 0)
    throw new StartupError(
      `Other sessions are connected to this database (${others.map(({ name }) => name).join(', ')}): stop all processes of the site, and whatever else uses it, first.`,
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

/** Changes the keys of a table in one transaction; keys that are so already stay. */
async function changeKeys(
  db: Kysely<Tables>,
  table: SpreadTable,
  { drop = [], add = {}, key }: Keys,
): Promise<void> {
  const pkey = `${table}_pkey`;
  await db.transaction().execute(async (trx) => {
    await sql`set local lock_timeout = '5s'`.execute(trx);
    await sql`set local statement_timeout = 0`.execute(trx);
    const { rows } = await sql<{ name: string; definition: string }>`
      select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = ${table}::regclass`.execute(trx);
    const definitions = new Map(rows.map(({ name, definition }) => [name, definition]));
    const alter = async (change: string) =>
      await sql`alter table ${sql.table(table)} ${sql.raw(change)}`.execute(trx);
    for (const name of drop) if (definitions.has(name)) await alter(`drop constraint ${name}`);
    for (const [name, definition] of Object.entries(add))
      if (!definitions.has(name)) await alter(`add constraint ${name} ${definition}`);
    const wanted = key && `primary key (${key.join(', ')})`;
    if (wanted && definitions.get(pkey)?.toLowerCase() !== wanted)
      await alter(`drop constraint ${pkey}, add constraint ${pkey} ${wanted}`);
  });
}

/** Runs a statement that moves a table, for as long as it takes. */
async function timed(
  db: Kysely<Tables>,
  table: SpreadTable,
  statement: ReturnType<typeof sql>,
): Promise<Moved> {
  const began = performance.now();
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection);
    // Triggers of these tables only refuse, and so need no row of another node.
    await sql`set citus.enable_unsafe_triggers = on`.execute(connection);
    try {
      await statement.execute(connection);
      if ((await listSpread(connection)).includes(table)) await dropLocalRows(connection, table);
    } finally {
      await sql`reset all`.execute(connection);
    }
  });
  return { table, seconds: (performance.now() - began) / 1000 };
}

/** Rows that are on the nodes now are on the disk of the coordinator as before, also of a table that is only ever added to. */
async function dropLocalRows(db: Kysely<Tables>, table: SpreadTable): Promise<void> {
  await sql`set session_replication_role = replica`.execute(db);
  await sql`select truncate_local_data_after_distributing_table(${table})`.execute(db);
}
