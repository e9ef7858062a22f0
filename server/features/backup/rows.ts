import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { writeHashed } from './hashed-file.ts';
import { type Manifest, places } from './manifest.ts';

type Table = Manifest['tables'][number];

/** Settings that make the text format the same on every PostgreSQL. */
const plainly = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'iso_8601';
  set bytea_output = 'hex'; set extra_float_digits = 1; set client_encoding = 'UTF8'; set statement_timeout = 0`;

/** A separate connection without a statement timeout, since copying a table may take long. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'jhalak backup' });
  await client.connect();
  await client.query(plainly);
  return client;
}

/** Excludes tables without rows of the site: the bookkeeping of migrations. */
const ours = `c.relkind in ('r', 'p') and not c.relispartition and n.nspname = 'public' and c.relname not like 'kysely_%'`;

/** Every table, referenced ones first. */
async function tablesOf(client: pg.Client): Promise<Pick<Table, 'name' | 'columns'>[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refers_to: string[] }>(`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns,
      array(select distinct t.relname::text from pg_constraint k join pg_class t on t.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as refers_to
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${ours} order by 1`);
  const ordered: typeof rows = [];
  while (ordered.length < rows.length) {
    const placed = new Set(ordered.map(({ name }) => name));
    const next = rows.filter(
      ({ name, refers_to }) => !placed.has(name) && refers_to.every((other) => placed.has(other)),
    );
    if (next.length === 0) throw new Error('tables refer to each other in a circle');
    ordered.push(...next);
  }
  return ordered.map(({ name, columns }) => ({ name, columns }));
}

/** Writes every row of the snapshot, one file for each table. */
export async function writeRows(url: string, snapshot: string, folder: string): Promise<Table[]> {
  const client = await connect(url);
  try {
    await client.query('begin isolation level repeatable read, read only');
    await client.query(`set transaction snapshot '${snapshot}'`);
    const written: Table[] = [];
    for (const { name, columns } of await tablesOf(client)) {
      const copy = copyTo(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) to stdout`);
      const open = () => client.query(copy);
      const { sha256 } = await writeHashed(join(folder, places.rows(name)), open, createGzip({ level: 3 }));
      written.push({ name, columns, rows: copy.rowCount, sha256 });
    }
    return written;
  } finally {
    await client.end();
  }
}

/** Reads every table back, in the current transaction of `client`. */
export async function readRows(client: pg.Client, tables: readonly Table[], folder: string): Promise<void> {
  for (const { name, columns, rows } of tables) {
    // Triggers have done their work: what they added is in these rows.
    await client.query(`alter table ${quoted(name)} disable trigger user`);
    const copy = client.query(
      copyFrom(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`),
    );
    await pipeline(createReadStream(join(folder, places.rows(name))), createGunzip(), copy);
    if (copy.rowCount !== rows) throw new Error(`${name} has ${copy.rowCount} rows and not ${rows}`);
    await client.query(`alter table ${quoted(name)} enable trigger user`);
  }
}

/** Whether this database is still empty. */
export async function holdsNothing(client: pg.Client): Promise<boolean> {
  for (const { name } of await tablesOf(client)) {
    const { rowCount } = await client.query(`select 1 from ${quoted(name)} limit 1`);
    if (rowCount !== 0) return false;
  }
  return true;
}

const quoted = (name: string) => pg.escapeIdentifier(name);
