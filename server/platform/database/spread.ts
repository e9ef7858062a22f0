import { type Kysely, sql } from 'kysely';
import { StartupError } from '../startup-error.ts';
import { isLockedOut, retryOnConflict } from './conflicts.ts';
import { lockNameOfSession } from './locks.ts';
import { moving, places, returning, secondsSince, withoutWriters } from './places.ts';
import { shardOnCoordinator, spreadInUse } from './spread-in-use.ts';
import type { Tables } from './tables.ts';

/** How a table is spread over the nodes of a Citus cluster. */
interface Spread {
  /** The column whose value leads to the node. */
  by: 'creator_id' | 'person_id';
  /**
   * The columns of a primary key without that column. On a cluster it is added to the key, which keeps its name: statements name the constraint
   * and not its columns, so that they are the same on both.
   */
  key?: readonly string[];
  /** The same of other unique constraints, by name; and what makes rows unique again without that column, before a table comes back. */
  unique?: Readonly<Record<string, { columns: readonly string[]; renew?: string }>>;
  /** Columns with a foreign key to a table of the coordinator, which a cluster cannot hold. */
  references?: Readonly<Record<string, keyof typeof parents>>;
  /** A trigger for processes of the version before (0500), and the columns that it watches. It writes to a table of the coordinator, so a cluster has none. */
  trigger?: { name: string; columns: string };
}

/** Tables of the coordinator to which foreign keys lead, with their keys. Except for months, rows are deleted with the row that they belong to. */
const parents = { reels: 'id', posts: 'id', people: 'id', months: 'month' } as const;

/** The tables that `distribute` spreads. All others stay on the coordinator (docs/decisions/0109-spread-tables.md). */
const spreads = {
  views: { by: 'creator_id' },
  creator_viewers: { by: 'creator_id' },
  reel_days: { by: 'creator_id', key: ['reel_id', 'day', 'verdict'] },
  creator_months: { by: 'creator_id' },
  month_shares: { by: 'creator_id' },
  month_results: {
    by: 'creator_id',
    references: { month: 'months' },
  },
  adjustments: { by: 'creator_id', key: ['id'] },
  // Those with foreign keys to posts or reels come before these, and back after them.
  post_likes: {
    by: 'creator_id',
    key: ['post_id', 'person_id'],
    references: { post_id: 'posts' },
  },
  posts: {
    by: 'creator_id',
    key: ['id'],
    unique: { posts_media_key_key: { columns: ['media_key'] } },
    trigger: { name: 'posts_work', columns: 'published_at, deleted_at, taken_down_at' },
  },
  reel_shares: {
    by: 'creator_id',
    key: ['reel_id', 'person_id'],
    references: { reel_id: 'reels', person_id: 'people' },
  },
  reel_likes: {
    by: 'creator_id',
    key: ['reel_id', 'person_id'],
    references: { reel_id: 'reels', person_id: 'people' },
  },
  reel_comments: {
    by: 'creator_id',
    key: ['id'],
    unique: {
      reel_comments_sent: {
        columns: ['person_id', 'sent_as'],
        // `sent_as` only identifies retries. On a cluster a client can use one for reels of two creators.
        renew: `update reel_comments set sent_as = gen_random_uuid() from reel_comments first
          where first.person_id = reel_comments.person_id and first.sent_as = reel_comments.sent_as and first.id < reel_comments.id`,
      },
    },
    references: { reel_id: 'reels', person_id: 'people' },
  },
  reel_captions: {
    by: 'creator_id',
    key: ['reel_id', 'language'],
    unique: { reel_captions_key_key: { columns: ['key'] } },
    references: { reel_id: 'reels' },
  },
  reels: {
    by: 'creator_id',
    key: ['id'],
    unique: { reels_media_key_key: { columns: ['media_key'] } },
    trigger: { name: 'reels_work', columns: 'state, published_at, deleted_at, taken_down_at, categories' },
  },
  activity_events: { by: 'person_id', references: { person_id: 'people' } },
  activity_months: { by: 'person_id', references: { person_id: 'people' } },
  notifications: {
    by: 'person_id',
    key: ['id'],
    references: { person_id: 'people', sender_id: 'people' },
  },
} as const satisfies Partial<Record<keyof Tables, Spread>>;

type SpreadTable = keyof typeof spreads;

export const spreadTables = Object.keys(spreads) as SpreadTable[];

/** Whether the database is one of a Citus cluster. */
export async function isCluster(db: Kysely<Tables>): Promise<boolean> {
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
 * Spreads all tables that are not spread yet, one after the other, beside a site that runs; done again, it goes on. The pool has three
 * connections, as a command has. Throws StartupError where there is no cluster, or one that cannot copy changes.
 */
export async function distribute(db: Kysely<Tables>): Promise<Moved[]> {
  await refuseWithoutCluster(db);
  await refuseWithoutCopies(db);
  return await move(db, spreadTables, async (mover, table) => {
    if ((await listSpread(mover)).includes(table)) return undefined;
    const { by, references, trigger }: Spread = spreads[table];
    return Math.max(
      trigger
        ? await withoutWriters(mover, places, sql.raw(`drop trigger if exists ${trigger.name} on ${table}`))
        : 0,
      await changeKeys(mover, table, { drop: references, keys: keysOf(table, [by]) }),
      await addToCluster(mover, table),
      await spreadInUse(db, mover, { table, by }),
    );
  });
}

/** Brings all tables back to the coordinator. While a table is copied, writes are refused at once, and reads go on. */
export async function undistribute(db: Kysely<Tables>): Promise<Moved[]> {
  await refuseWithoutCluster(db);
  return await move(db, spreadTables.toReversed(), async (mover, table) => {
    const { references, trigger }: Spread = spreads[table];
    // One that was spread, or that was about to be.
    const { rows } = await sql`select from pg_dist_partition where logicalrelid = ${table}::regclass`.execute(
      mover,
    );
    const copied =
      rows.length > 0 ? await withoutWriters(mover, returning, sql`select undistribute_table(${table})`) : 0;
    return (
      Math.max(
        copied,
        await changeKeys(mover, table, { keys: keysOf(table), add: references }),
        trigger ? await restoreTrigger(mover, table, trigger) : 0,
      ) || undefined
    );
  });
}

async function restoreTrigger(
  mover: Kysely<Tables>,
  table: SpreadTable,
  { name, columns }: NonNullable<Spread['trigger']>,
): Promise<number> {
  const { rows } = await sql`select from pg_trigger where tgname = ${name}`.execute(mover);
  if (rows.length > 0) return 0;
  const create = sql.raw(`
    create trigger ${name} after insert or update of ${columns} on ${table} for each row execute function put_work()`);
  return await withoutWriters(mover, returning, create);
}

/** Moves each of these tables, on one connection. `run` returns for how many seconds writes waited, or undefined if it moved nothing. */
async function move(
  db: Kysely<Tables>,
  tables: readonly SpreadTable[],
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
      for (const table of tables) {
        const began = performance.now();
        const waited = await retryOnConflict(() => run(mover, table));
        if (waited !== undefined) moved.push({ table, seconds: secondsSince(began), waited });
      }
      return moved;
    } catch (error) {
      if (isLockedOut(error))
        throw new StartupError(
          'Something else, such as an audit or the closing of a month, has used the tables for five seconds: run the command again later.',
        );
      throw error;
    } finally {
      // A session that has ended holds nothing any more.
      await sql`select pg_advisory_unlock_all()`.execute(mover).catch(() => undefined);
      await sql`reset all`.execute(mover).catch(() => undefined);
    }
  });
}

/** Makes a table known to Citus, as one with a single shard, on the coordinator. */
async function addToCluster(mover: Kysely<Tables>, table: SpreadTable): Promise<number> {
  if (await shardOnCoordinator(mover, table)) return 0;
  return await withoutWriters(mover, places, sql`select citus_add_local_table_to_metadata(${table})`);
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
      "The cluster cannot copy tables that are in use: set wal_level = 'logical' and output_plugin_libraries = 'citus, pgoutput' on each node, and start them again.",
    );
  if (rows[0].workers === 0)
    throw new StartupError('The cluster has no workers yet: citus_add_node adds one.');
}

interface Keys {
  drop?: Spread['references'];
  add?: Spread['references'];
  keys: readonly {
    name: string;
    kind: 'PRIMARY KEY' | 'UNIQUE';
    columns: string;
    renew?: string | undefined;
  }[];
}

/** The primary key and other unique constraints of a table that are altered, with these columns more. */
function keysOf(table: SpreadTable, more: readonly string[] = []): Keys['keys'] {
  const { key, unique = {} }: Spread = spreads[table];
  const list = (columns: readonly string[]) => `(${[...columns, ...more].join(', ')})`;
  return [
    ...(key ? [{ name: `${table}_pkey`, kind: 'PRIMARY KEY', columns: list(key) } as const] : []),
    ...Object.entries(unique).map(([name, { columns, renew }]) => {
      return {
        name,
        kind: 'UNIQUE',
        columns: list(columns),
        renew: more.length > 0 ? undefined : renew,
      } as const;
    }),
  ];
}

/** Changes the keys of a table; those that are so already stay. Indexes are built before, and references are checked after writes wait. */
async function changeKeys(
  mover: Kysely<Tables>,
  table: SpreadTable,
  { drop = {}, add = {}, keys }: Keys,
): Promise<number> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${table}::regclass`.execute(mover);
  const definitions = new Map(rows.map(({ name, definition }) => [name, definition]));
  const added = referencesOf(table, add);
  const missing = added.filter(({ name }) => !definitions.has(name));
  // Those of a command that was ended before it had checked the rows, too.
  const unchecked = added.filter(({ name }) => definitions.get(name)?.endsWith('NOT VALID') ?? true);
  const changes = [
    ...referencesOf(table, drop)
      .filter(({ name }) => definitions.has(name))
      .map(({ name }) => `drop constraint ${name}`),
    ...missing.map(({ name, definition }) => `add constraint ${name} ${definition} not valid`),
  ];
  for (const { name, kind, columns, renew } of keys) {
    if (definitions.get(name) === `${kind} ${columns}`) continue;
    if (renew) await sql.raw(renew).execute(mover);
    const next = `${name}_next`;
    await sql`drop index if exists ${sql.table(next)}`.execute(mover);
    await sql.raw(`create unique index concurrently ${next} on ${table} ${columns}`).execute(mover);
    changes.push(`drop constraint ${name}`, `add constraint ${name} ${kind} using index ${next}`);
  }
  const alter = sql.raw(`alter table ${table} ${changes.join(', ')}`);
  const waited = changes.length > 0 ? await withoutWriters(mover, places, alter) : 0;
  for (const { name, orphans } of unchecked) {
    if (orphans) await sql.raw(`delete from ${table} where ${orphans}`).execute(mover);
    await sql.raw(`alter table ${table} validate constraint ${name}`).execute(mover);
  }
  return waited;
}

interface Reference {
  name: string;
  definition: string;
  /**
   * The condition of orphaned rows, which are deleted: their transaction was in doubt while the parent was deleted, and was committed afterwards.
   */
  orphans: string | undefined;
}

const referencesOf = (table: SpreadTable, references: NonNullable<Spread['references']>): Reference[] =>
  Object.entries(references).map(([column, parent]) => {
    const cascades = parent !== 'months';
    return {
      name: `${table}_${column}_fkey`,
      definition: `foreign key (${column}) references ${parent}${cascades ? ' on delete cascade' : ''}`,
      orphans: cascades
        ? `${column} is not null and not exists (select from ${parent} where ${parents[parent]} = ${table}.${column})`
        : undefined,
    };
  });
