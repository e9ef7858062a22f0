import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate, openDatabase } from '#server/platform/database/database.ts';
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts';
import { fillDatabase } from '../filling.ts';
import { fillSearch } from './filling.ts';

const folder = fileURLToPath(new URL('../.filled-search', import.meta.url));

/** Two searchable sites, of so many reels and a tenth of the people, in one PostgreSQL; the next run with these numbers finds them. */
export async function openSearched(
  sizes: readonly [small: number, large: number],
  say: (line: string) => void,
) {
  const stamp = join(folder, 'sizes');
  const wanted = sizes.join(' ');
  const isFilled = existsSync(stamp) && (await readFile(stamp, 'utf8')) === wanted;
  if (!isFilled) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    say: () => undefined,
    // After a crash the filling starts again.
    settings: isFilled
      ? {}
      : { fsync: 'off', max_wal_size: '2GB', maintenance_work_mem: '256MB', work_mem: '128MB' },
  });
  const url = (name: string) => {
    const address = new URL(postgres.url);
    address.pathname = `/${name}`;
    return address.href;
  };
  for (const reels of isFilled ? [] : sizes) {
    say(`Filling a searchable site of ${reels} reels …`);
    await administer(url('postgres'), `create database site_${reels}`);
    const db = await openDatabase(url(`site_${reels}`), 1);
    await migrate(db);
    await fillDatabase(url(`site_${reels}`), { reels, people: Math.ceil(reels / 10) }, '');
    await fillSearch(url(`site_${reels}`));
    await db.destroy();
  }
  await writeFile(stamp, wanted);
  await administer(url('postgres'), 'drop database if exists answers');
  await administer(url('postgres'), 'create database answers');
  return {
    small: url(`site_${sizes[0]}`),
    large: url(`site_${sizes[1]}`),
    empty: url('answers'),
    stop: () => postgres.stop(),
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
