import { readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { migrate, migrationsOf, openDatabase } from './database.ts';
import type { Tables } from './tables.ts';

/*
 * During an upgrade the previous version runs on the tables of the next one: it reads the columns that it knows and writes
 * rows without the new ones. So a migration only adds (CONTRIBUTING.md, decision 0022). An index on a table with many writes
 * is built `if not exists`: large sites build it `concurrently` before the upgrade.
 */

/** Migrations are compared from here on. */
const baseline = '0313_site';
/** Exceptions, each with its reason. */
const known: Record<string, string[]> = {
  // A new column, to which no version before writes.
  '0321_appeals': ['decisions_appeal_id_fkey of decisions lets less in'],
  '0340_queue_of_cases': ['cases_merged_into_fkey of cases lets less in'],
  // A trigger adds it where the version before does not give it.
  '0450_creators_of_likes': ['reel_likes', 'post_likes', 'reel_shares'].map(
    (table) => `${table}.creator_id must be given`,
  ),
  '0490_creators_of_comments': ['reel_comments', 'reel_captions'].map(
    (table) => `${table}.creator_id must be given`,
  ),
};

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  database = await freshDatabase('template1');
  db = await openDatabase(database.url, 1);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

interface Column {
  name: string;
  type: string;
  must: boolean;
  given: boolean;
}
interface Index {
  name: string;
  table: string;
  unique: boolean;
}

async function shape(at: Kysely<Tables> = db) {
  const columns = await sql<Column>`
    select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as must, a.atthasdef or a.attidentity <> '' as given
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p', 'v') and c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'`.execute(
    at,
  );
  const indexes = await sql<Index>`
    select i.relname as name, c.relname as table, x.indisunique as unique
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    where c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'`.execute(at);
  const checks = await sql<{ name: string; table: string; means: string }>`
    select conname as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as means
    from pg_constraint where contype in ('c', 'f') and connamespace = 'public'::regnamespace`.execute(at);
  return {
    columns: new Map(columns.rows.map((row) => [row.name, row])),
    indexes: new Map(indexes.rows.map((row) => [row.name, row])),
    checks: checks.rows,
  };
}
type Shape = Awaited<ReturnType<typeof shape>>;

const tableOf = (column: string) => column.split('.')[0] ?? '';

/** What an older program, or its users, would notice of this migration. */
function harm(before: Shape, after: Shape, source: string): string[] {
  const had = new Set([...before.columns.keys()].map(tableOf));
  const found: string[] = [];
  for (const [name, old] of before.columns) {
    const now = after.columns.get(name);
    if (!now) found.push(`${name} is gone`);
    else {
      if (now.type !== old.type) found.push(`${name} is ${now.type} and was ${old.type}`);
      if (now.must && !old.must && !now.given) found.push(`${name} must be given`);
      if (!now.must && old.must) found.push(`${name} may be null`);
    }
  }
  for (const [name, now] of after.columns)
    if (!before.columns.has(name) && had.has(tableOf(name)) && now.must && !now.given)
      found.push(`${name} must be given`);
  for (const [name, index] of before.indexes)
    if (index.unique && !after.indexes.get(name)?.unique)
      found.push(`${name}, by which ON CONFLICT finds, is gone`);
  for (const [name, { table, unique }] of after.indexes) {
    if (before.indexes.has(name) || !had.has(table)) continue;
    if (unique) found.push(`${name} lets less in`);
    else if (!source.includes(`create index if not exists ${name} `))
      found.push(`${name} is built while nobody may write to ${table}`);
  }
  for (const { name, table, means } of after.checks) {
    const known = before.checks.some((one) => one.table === table && one.means === means);
    // A list with more words accepts more than before.
    const wider = before.checks.some(
      (one) => one.name === name && one.table === table && isWider(one.means, means),
    );
    const ofNewColumns = ![...before.columns.keys()].some(
      (column) => tableOf(column) === table && new RegExp(`\\b${column.split('.')[1]}\\b`).test(means),
    );
    if (had.has(table) && !known && !wider && !ofNewColumns) found.push(`${name} of ${table} lets less in`);
  }
  return found;
}

const wordsOf = (means: string) => new Set(means.match(/'[^']*'/g) ?? []);
const isWider = (before: string, after: string) =>
  [...wordsOf(before)].every((word) => wordsOf(after).has(word));

beforeAll(() => migrate(db, baseline));

it.each<[string, string[]]>([
  ['alter table people add column city text', []],
  ["alter table people add column city text not null default ''", []],
  ['create table cities (name text primary key)', []],
  ['create index if not exists people_by_language on people (language)', []],
  ['alter table copies drop constraint copies_verdict_check', []],
  ['alter table people drop column language', ['people.language is gone']],
  ['alter table people rename column language to tongue', ['people.language is gone']],
  [
    'alter table people alter column language type varchar(9)',
    ['people.language is character varying(9) and was text'],
  ],
  ['alter table people alter column language set not null', ['people.language must be given']],
  ['alter table people alter column name drop not null', ['people.name may be null']],
  ['alter table people add column city text not null', ['people.city must be given']],
  [
    'create index people_by_language on people (language)',
    ['people_by_language is built while nobody may write to people'],
  ],
  ['create unique index people_one_name on people (name)', ['people_one_name lets less in']],
  [
    'alter table reels drop constraint reels_media_key_key',
    ['reels_media_key_key, by which ON CONFLICT finds, is gone'],
  ],
  ['alter table people add constraint short check (length(name) < 9)', ['short of people lets less in']],
])('“%s” harms %j', async (statement, expected) => {
  const before = await shape();
  await db
    .transaction()
    .execute(async (trx) => {
      await sql.raw(statement).execute(trx);
      expect(harm(before, await shape(trx), statement)).toEqual(expected);
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
});

/** Ends a transaction without its changes. */
class Undone extends Error {}

it('each migration since the baseline lets the version before it read and write, or is listed with its reason', async () => {
  const found: Record<string, string[]> = {};
  let before = await shape();
  for (const name of (await migrationsOf(db)).known.filter((one) => one > baseline)) {
    await migrate(db, name);
    const after = await shape();
    const source = await readFile(new URL(`../../../migrations/${name}.ts`, import.meta.url), 'utf8');
    const seen = harm(before, after, source);
    if (seen.length > 0) found[name] = seen;
    before = after;
  }
  expect(found).toEqual(known);
});
