import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../server/platform/database/tables.ts';

/** All but the reels that the queue is at work on. */
export const settled = sql`coalesce(to_jsonb(t)->>'state', '') not in ('processing', 'failed')`;

interface What {
  schemas?: string[];
  /** Tables to leave out. */
  without?: string[];
  /** Which rows of each table, called `t`. */
  rows?: RawBuilder<unknown>;
}

/** What the database holds, as text: each row of each table, but when a session was last used, in one order. */
export async function dumpOf(
  db: Kysely<Tables>,
  { schemas = ['public'], without = [], rows: which = sql`true` }: What = {},
): Promise<string> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select relnamespace::regnamespace::text as schema, relname as name from pg_class
    where relnamespace::regnamespace::text = any(${schemas}) and relkind = 'r' and relname <> all(${without})
    order by 1, 2`.execute(db);
  const dumps = tables.map(({ schema, name }) => {
    const row = name === 'sessions' ? sql`to_jsonb(t) - 'used_at'` : sql`to_jsonb(t)`;
    return sql`(select coalesce(string_agg(row, ' ' order by row), '') from (
      select (${row})::text as row from ${sql.table(`${schema}.${name}`)} t where ${which}
    ) rows)`;
  });
  // One statement, so that it is also of one moment.
  const { rows } = await sql<{ dumps: string[] }>`select array[${sql.join(dumps)}] as dumps`.execute(db);
  return tables.map(({ name }, place) => `${name}: ${rows[0]?.dumps[place]}`).join('\n');
}
