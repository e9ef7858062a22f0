import { globSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints, nameOf } from '#testing/endpoints.ts';
import { tableBounds } from '#testing/models/table-bounds.ts';
import { freshDatabase, poolOf } from '#testing/servers/postgres.ts';

let pool: pg.Pool;
let drop: () => Promise<void>;

const rowsOf = async <Row extends object>(statement: string) => (await pool.query<Row>(statement)).rows;

beforeAll(async () => {
  const database = await freshDatabase();
  drop = database.drop;
  pool = poolOf(database, 2);
});
afterAll(async () => {
  await pool.end();
  await drop();
});

interface Key {
  table: string;
  name: string;
  columns: string[];
}

const uniqueKeys = () =>
  rowsOf<Key>(`
    select c.relname as table, i.relname as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = any(x.indkey)) as columns
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    where x.indisunique and c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%' order by 1, 2`);

describe('the tables', () => {
  it('all have a bound', async () => {
    const tables = await rowsOf<{ name: string }>(`
      select relname as name from pg_class
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname not like 'kysely%'`);
    expect(Object.keys(tableBounds).sort()).toEqual(tables.map(({ name }) => name).sort());
  });

  it('are filled by people within a bound that exists', async () => {
    const keys = await uniqueKeys();
    const sources = globSync('{server,contract}/**/*.ts', { exclude: (name) => name.endsWith('.test.ts') })
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const names = new Set(endpoints.map(nameOf));
    const missing = Object.entries(tableBounds).filter(([table, { most }]) => {
      if ('key' in most)
        return !keys.some(
          (one) => one.table === table && one.columns.every((column) => most.key.includes(column)),
        );
      if ('daily' in most)
        return !most.daily.every((kind) => endpoints.some(({ limit }) => limit.perDay === kind));
      if ('minutes' in most) return !most.minutes.every((name) => names.has(name));
      return 'constant' in most && !new RegExp(`\\b${most.constant}(?: =|:)`).test(sources);
    });
    expect(missing.map(([table]) => table)).toEqual([]);
  });

  it('lose their rows as they say: by a step of the hourly job, or with another row', async () => {
    const jobs = readFileSync('server/boot/run-jobs.ts', 'utf8');
    const cascades = await rowsOf<{ from: string; to: string }>(`
      select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
      where contype = 'f' and confdeltype = 'c' and connamespace = 'public'::regnamespace`);
    const missing = Object.entries(tableBounds).filter(([table, { until }]) => {
      if ('step' in until) return !new RegExp(`\\b${until.step}\\b\\s*(?:\\(\\)|:)`).test(jobs);
      return 'with' in until && !cascades.some(({ from, to }) => from === table && to === until.with);
    });
    expect(missing.map(([table]) => table)).toEqual([]);
  });

  it('have no triggers, except those that make logs and results append-only, or complete rows of the version before', async () => {
    const triggers = await rowsOf<{ tgname: string }>(
      'select tgname from pg_trigger where not tgisinternal order by 1',
    );
    expect(triggers.map(({ tgname }) => tgname)).toEqual([
      'adjustments_append_only',
      'audit_log_append_only',
      'ledger_append_only',
      'month_results_append_only',
      'post_likes_creator',
      'posts_work',
      'reel_captions_creator',
      'reel_comments_creator',
      'reel_likes_creator',
      'reel_shares_creator',
      'reels_work',
    ]);
  });
});
