import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { migrate, migrationsOf, openDatabase } from './database.ts';

/*
 * During an upgrade the previous version runs on the tables of the next one: it reads the columns that it knows and writes
 * rows without the new ones. So a migration only adds (CONTRIBUTING.md, decision 0022). An index on a table with many writes
 * is built `if not exists`: large sites build it `concurrently` before the upgrade.
 */

/** Known exceptions: all of them are from before the first version that anybody else runs. */
const known: Record<string, string[]> = {
  '0005_identities': ['people.password_hash may be null'],
  '0006_responses': ['reel_comments.sent_as must be given', 'reel_comments_sent lets less in'],
  '0014_ledger_guard': ['withdrawals_one_reference lets less in'],
  // The earlier version joins the sender, so it lists no notification without one.
  '0046_site_notifications': ['notifications.sender_id may be null'],
  // A pattern that matches every earlier kind.
  '0071_payout_destinations': ['notifications_kind_check of notifications lets less in'],
  // The earlier key with the attempt, which is 0 in rows of the earlier version; it has no ON CONFLICT there.
  '0091_payments': [
    'ledger_transactions_withdrawal_id_step_key, by which ON CONFLICT finds, is gone',
    'ledger_transactions_one_step lets less in',
  ],
};
/** Until this migration indexes were built while tables were small. */
const small = '0014_ledger_guard';

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

async function shape() {
  const columns = await sql<Column>`
    select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as must, a.atthasdef or a.attidentity <> '' as given
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p', 'v') and c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'`.execute(
    db,
  );
  const indexes = await sql<Index>`
    select i.relname as name, c.relname as table, x.indisunique as unique
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    where c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'`.execute(db);
  const checks = await sql<{ name: string; table: string; means: string }>`
    select conname as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as means
    from pg_constraint where contype in ('c', 'f') and connamespace = 'public'::regnamespace`.execute(db);
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

it('each migration lets the earlier version read and write, or is listed with its reason', async () => {
  const found: Record<string, string[]> = {};
  let before = await shape();
  for (const name of (await migrationsOf(db)).known) {
    await migrate(db, name);
    const after = await shape();
    const source = await readFile(new URL(`../../../migrations/${name}.ts`, import.meta.url), 'utf8');
    const seen = harm(before, after, source).filter(
      (one) => name > small || !one.includes(' is built while '),
    );
    if (seen.length > 0) found[name] = seen;
    before = after;
  }
  expect(found).toEqual(known);
});

it('the migration of the tables of views waits for a running batch, and the batch does not wait for it', async () => {
  const site = await freshDatabase('template1');
  const [program, upgrade] = [await openDatabase(site.url, 1), await openDatabase(site.url, 2)];
  try {
    await migrate(upgrade, '0022_view_windows_by_time');
    let migrated: Promise<void> | undefined;
    await program.transaction().execute(async (batch) => {
      await sql`select from view_windows`.execute(batch);
      migrated = migrate(upgrade, '0023_views_by_creator');
      await expect
        .poll(async () => (await sql`select from pg_locks where not granted`.execute(batch)).rows.length)
        .toBe(1);
      await sql`
        insert into view_windows values (gen_random_uuid(), 'somebody', now())`.execute(batch);
      await sql`
        insert into view_events (id, creator_id, reel_id, viewer, verdict, seen_at)
        values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'somebody', 'counted', now())`.execute(
        batch,
      );
    });
    await migrated;
  } finally {
    await Promise.all([program.destroy(), upgrade.destroy()]);
    await site.drop();
  }
});
