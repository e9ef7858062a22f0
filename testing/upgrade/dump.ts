import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/*
 * The rows and keys of a small site as text: what a version has stored, kept for the versions after it. A comment names the last
 * migration of its tables, and each key is a comment of its own.
 */

/** Settings that make the text the same everywhere. */
const plainly = `set timezone = 'UTC'; set bytea_output = 'hex'`;

interface Place {
  url: string;
  keysDir: string;
}

/** Writes every row of a site and its keys into a file. */
export async function writeDump(file: string, version: string, { url, keysDir }: Place): Promise<void> {
  const client = await connect(url);
  const { rows: tables } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relkind = 'r' and relpersistence = 'p' and relnamespace = 'public'::regnamespace and relname not like 'kysely%' order by 1`);
  const { rows: migrations } = await client.query<{ name: string }>(
    'select max(name) as name from kysely_migration',
  );
  const lines = [
    `-- What version ${version} stores; made by: npx node testing/upgrade/make.ts`,
    `-- migration ${migrations[0]?.name}`,
  ];
  for (const name of (await readdir(keysDir)).sort())
    lines.push(`-- key ${name} ${(await readFile(join(keysDir, name), 'utf8')).trim()}`);
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(
      `select json_strip_nulls(row_to_json(t))::text as row from ${name} t order by 1`,
    );
    if (rows.length === 0) continue;
    const list = rows.map(({ row }) => row).join(',\n');
    lines.push(
      `insert into ${name} select * from json_populate_recordset(null::${name}, ${pg.escapeLiteral(`[\n${list}\n]`)});`,
    );
  }
  await client.end();
  await writeFile(file, `${lines.join('\n')}\n`);
}

/** The last migration of the tables of a dump, to which a database is migrated first. */
export async function migrationOf(file: string): Promise<string> {
  const [, name] = /^-- migration (\w+)$/m.exec(await readFile(file, 'utf8')) ?? [];
  if (!name) throw new Error(`${file} names no migration`);
  return name;
}

/** Fills an empty database of that migration, and a folder of keys. */
export async function readDump(file: string, { url, keysDir }: Place): Promise<void> {
  const text = await readFile(file, 'utf8');
  await mkdir(keysDir, { recursive: true, mode: 0o700 });
  for (const [, name = '', key] of text.matchAll(/^-- key (\S+) (\w+)$/gm))
    await writeFile(join(keysDir, name), `${key}\n`, { mode: 0o600 });
  const client = await connect(url);
  // Tables are in alphabetical order, so rows come before those that they refer to.
  await client.query(`begin; set local session_replication_role = replica; ${text} commit`);
  await client.end();
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(plainly);
  return client;
}
