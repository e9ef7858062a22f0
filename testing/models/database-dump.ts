import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

interface What {
  schemas?: string[];
  /** Tables to leave out. */
  without?: string[];
  /** Condition for the rows of each table, called `t`. */
  rows?: RawBuilder<unknown>;
}

/**
 * The content of the database as sorted text: each row of each table, except for heartbeats, push messages that are being sent, and
 * what any request of a signed-in person changes, even a refused one: the last use of the session, and the network and browser
 * (docs/decisions/0054).
 */
export async function dumpOf(db: Kysely<Tables>, what: What = {}): Promise<string> {
  return await readingOf(db, sql`coalesce(string_agg(row, ' ' order by row), '')`, what);
}

/**
 * A summary: the number of rows of each table, and a hash of them. Twice as fast if only a difference matters; it names the
 * table.
 */
export async function hashOf(db: Kysely<Tables>, what: What = {}): Promise<string> {
  return await readingOf(db, sql`count(*) || ' ' || coalesce(sum(hashtextextended(row, 0)), 0)`, what);
}

async function readingOf(
  db: Kysely<Tables>,
  reading: RawBuilder<unknown>,
  { schemas = ['public'], without = [], rows: which = sql`true` }: What,
): Promise<string> {
  const tables = (await tablesOf(db)).filter(
    ({ schema, name }) => schemas.includes(schema) && !without.includes(name),
  );
  const readings = tables.map(({ schema, name }) => {
    // PostgreSQL's text of a row is ten times faster than JSON.
    const row = sql.raw(rowOf[name] ?? 't::text');
    // The sender of push messages deletes devices whose sessions have ended.
    const isKept =
      name === 'push_devices' ? sql`t.session_id in (select id from public.sessions)` : sql`true`;
    return sql`(select ${reading} from (
      select ${row} as row from ${sql.table(`${schema}.${name}`)} t where ${which} and ${isKept}
    ) rows)`;
  });
  // A single statement, so that all rows are from the same snapshot.
  const { rows } = await sql<{ readings: string[] }>`select array[${sql.join(readings)}] as readings`.execute(
    db,
  );
  return tables.map(({ name }, place) => `${name}: ${rows[0]?.readings[place]}`).join('\n');
}

/** Rows with columns that change by themselves. */
const rowOf: Record<string, string> = {
  sessions: "(to_jsonb(t) - 'used_at')::text",
  push_devices: "(to_jsonb(t) - 'not_before')::text",
};

/** The tables do not change during a test. */
const known = new WeakMap<Kysely<Tables>, Promise<{ schema: string; name: string }[]>>();

function tablesOf(db: Kysely<Tables>) {
  const tables = known.get(db) ?? readTables(db);
  known.set(db, tables);
  return tables;
}

async function readTables(db: Kysely<Tables>) {
  const { rows } = await sql<{ schema: string; name: string }>`
    select relnamespace::regnamespace::text as schema, relname as name from pg_class
    where relkind = 'r' and relname not in ('key_holders', 'pushes', 'seen_browsers') and relnamespace::regnamespace::text in ('public', 'pgboss') order by 1, 2`.execute(
    db,
  );
  return rows;
}
