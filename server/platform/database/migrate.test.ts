import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { migrate, migrationsOf, openDatabase } from './database.ts';

it('an older version starts on the tables of a newer one, and not on tables of an unknown version', async () => {
  const database = await freshDatabase();
  const db = await openDatabase(database.url, 1);
  await sql`insert into kysely_migration (name, timestamp) values ('9999_tomorrow', 'now')`.execute(db);
  await migrate(db);
  // The newer version has not made all changes that this version needs.
  await sql`delete from kysely_migration where name like '0014%'`.execute(db);
  await expect(migrate(db)).rejects.toThrow('9999_tomorrow');
  // Nor does the connection hold the lock, which through a pooler would pass to the next client.
  const locks = await sql`
    select 1 from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`.execute(db);
  expect(locks.rows).toEqual([]);
  await db.destroy();
  await database.drop();
});

it('several servers can migrate an empty database at the same time', async () => {
  const database = await freshDatabase('template1');
  const all = await Promise.all(Array.from({ length: 4 }, () => openDatabase(database.url, 2)));
  await Promise.all(all.map((db) => migrate(db)));
  expect(await all[0]?.selectFrom('people').select('id').execute()).toEqual([]);
  await Promise.all(all.map((db) => db.destroy()));
  await database.drop();
});

it('migrating a locked table fails with one sentence and changes nothing', async () => {
  const database = await freshDatabase('template1');
  const [db, other] = await Promise.all([openDatabase(database.url, 1), openDatabase(database.url, 1)]);
  const { known } = await migrationsOf(db);
  await migrate(db, known[0]);
  await other.transaction().execute(async (trx) => {
    await sql`lock table people in access share mode`.execute(trx);
    await sql`lock table reels in access share mode`.execute(trx);
    await expect(migrate(db)).rejects.toThrow(/something else, such as a backup, has held one of them/);
  });
  expect((await migrationsOf(db)).done).toEqual(known.slice(0, 1));
  await migrate(db);
  expect((await migrationsOf(db)).done).toEqual(known);
  await Promise.all([db.destroy(), other.destroy()]);
  await database.drop();
});
