import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate, openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newKey } from '#server/platform/ids.ts';
import { openDiskStorage } from '#server/platform/storage/disk.ts';
import { filesNamedByRows, filesRegistered } from '#testing/models/files-model.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { deleteExpiredUploads } from '../uploads/expiry.ts';
import { adoptFile, backfillStoredFiles, requireStoredFiles } from './backfill.ts';
import { listHiddenFiles, listQuarantined, nobody } from './stored-files.ts';
import { sweep } from './sweeper.ts';

/** The last migration of the version before the register (6c2fabd). */
const before = '0023_views_by_creator';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Kysely<Tables>;
beforeEach(async () => {
  database = await freshDatabase('template1');
  db = await openDatabase(database.url, 2);
});
const drop = async () => {
  await db.destroy();
  await database.drop();
};

/** Inserts rows as the version before wrote them, each naming files; returns the keys by what they are. */
async function fill(): Promise<{ keys: Record<string, string>; asha: string; binod: string }> {
  const [asha, binod] = [randomUUID(), randomUUID()];
  const keys: Record<string, string> = {};
  const key = (what: string) => {
    keys[what] = newKey();
    return keys[what];
  };
  for (const [id, picture, suspended] of [
    [asha, key('picture'), null],
    [binod, null, new Date()],
  ] as const)
    await sql`
      insert into people (id, name, username, username_key, email, email_key, password_hash, created_at, picture_key, suspended_at)
      values (${id}, 'A', ${id}, ${id}, ${id}, ${id}, '', now(), ${picture}, ${suspended})`.execute(db);
  const upload = (what: string, kind: string, used: boolean, owner = asha) =>
    sql`
    insert into uploads (key, owner_id, kind, bytes, sha256, files, created_at, used_at)
    values (${keys[what] ?? key(what)}, ${owner}, ${kind}, 1000, 'x', ${kind === 'video' ? null : { 'small.webp': 7 }},
      now(), ${used ? new Date() : null})`.execute(db);
  await upload('waiting video', 'video', false);
  await upload('waiting photo', 'photo', false, binod);
  await upload('waiting thumbnail', 'thumbnail', false);
  await upload('fetched', 'video', false);
  await upload('used photo', 'photo', true);
  await upload('fetched and published', 'video', true);
  for (const [what, copy] of [
    ['fetched', 'copy'],
    ['fetched and published', 'old copy'],
  ])
    await sql`
      insert into imports (upload_key, person_id, source_url, title, copy_key, thumbnail_key, imported_at)
      values (${keys[what ?? '']}, ${asha}, '', '', ${key(copy ?? '')}, ${keys['waiting thumbnail']}, now())`.execute(
      db,
    );
  for (const [what, answer] of [
    ['arriving', null],
    ['refused', { refused: {} }],
  ] as const)
    await sql`
      insert into resumable_uploads (key, owner_id, kind, bytes, answer, created_at, touched_at)
      values (${key(what)}, ${asha}, 'story', 5, ${answer && JSON.stringify(answer)}, now(), now())`.execute(
      db,
    );
  const reel = async (what: string, state: string, { deleted = false, down = false } = {}) => {
    const id = randomUUID();
    await sql`
      insert into reels (id, creator_id, media_key, thumbnail_key, caption, credit, categories, state, sha256, uploaded_at,
        renditions, published_at, failure, deleted_at, taken_down_at, taken_down_reason)
      values (${id}, ${asha}, ${keys[what] ?? key(what)}, ${key(`thumbnail of ${what}`)}, '', '', '{}', ${state}, 'x', now(),
        '[{"file":"360.mp4"}]', ${state === 'ready' ? new Date() : null}, ${state === 'failed' ? 'x' : null}, ${deleted ? new Date() : null}, ${down ? new Date() : null}, ${down ? 'x' : null})`.execute(
      db,
    );
    await sql`
      insert into reel_captions (reel_id, language, key, cues, set_at)
      values (${id}, 'en-IN', ${key(`captions of ${what}`)}, 1, now())`.execute(db);
  };
  await reel('fetched and published', 'processing');
  await reel('reel', 'ready');
  await reel('hidden reel', 'ready', { down: true });
  await reel('failed reel', 'failed');
  await reel('deleted reel', 'ready', { deleted: true });
  for (const table of ['posts', 'stories'])
    for (const [what, deleted, down] of [
      [`${table}`, null, null],
      [`hidden ${table}`, null, new Date()],
      [`deleted ${table}`, new Date(), null],
    ] as const)
      await sql`
        insert into ${sql.table(table)} (id, creator_id, media_key, ${sql.raw(table === 'posts' ? 'caption, description' : 'status_text')},
          sha256, placeholder, width, height, widths, published_at, deleted_at, taken_down_at, taken_down_reason)
        values (${randomUUID()}, ${binod}, ${key(what)}, ${sql.raw(table === 'posts' ? "'', ''" : "''")},
          'x', '', 1, 1, '{360,720}', now(), ${deleted}, ${down}, ${down && 'x'})`.execute(db);
  return { keys, asha, binod };
}

/** The registered files, by the names that `fill` gave. */
async function registered(keys: Record<string, string>): Promise<Record<string, string>> {
  const names = new Map(Object.entries(keys).map(([name, key]) => [key, name]));
  const rows = await db.selectFrom('stored_files').selectAll().execute();
  return Object.fromEntries(rows.map((row) => [names.get(row.key), `${row.kind} ${row.state}`]));
}

describe('a database from before the register', () => {
  let filled: Awaited<ReturnType<typeof fill>>;
  beforeEach(async () => {
    await migrate(db, before);
    filled = await fill();
    await migrate(db);
    await sql`update posts set extra_key = md5(id::text), extra_files = '{"360.avif": 5}' where deleted_at is null`.execute(
      db,
    );
  });

  it('gets one row for each file that a row of any kind names, and none for deleted ones', async () => {
    expect(await filesRegistered(db)).toEqual({});
    await backfillStoredFiles(db);
    expect(await filesRegistered(db)).toEqual(await filesNamedByRows(db));
    const { undefined: avif, ...others } = await registered(filled.keys);
    expect(avif).toMatch(/^extra /);
    expect(others).toEqual({
      picture: 'photo in_use',
      'waiting video': 'video waiting',
      'waiting photo': 'photo waiting',
      'waiting thumbnail': 'thumbnail waiting',
      fetched: 'video waiting',
      copy: 'copy waiting',
      arriving: 'photo arriving',
      'fetched and published': 'video in_use',
      'thumbnail of fetched and published': 'thumbnail in_use',
      'captions of fetched and published': 'captions in_use',
      reel: 'reel in_use',
      'thumbnail of reel': 'thumbnail in_use',
      'captions of reel': 'captions in_use',
      'hidden reel': 'reel withheld',
      'thumbnail of hidden reel': 'thumbnail withheld',
      'captions of hidden reel': 'captions withheld',
      'thumbnail of failed reel': 'thumbnail in_use',
      'captions of failed reel': 'captions in_use',
      posts: 'photo in_use',
      'hidden posts': 'photo withheld',
      stories: 'photo in_use',
      'hidden stories': 'photo withheld',
    });
    await drop();
  });

  it('knows the names of all files, and the stored sizes', async () => {
    await backfillStoredFiles(db);
    const filesOf = async (what: string) => {
      const { bytes, files } = await db
        .selectFrom('stored_files')
        .selectAll()
        .where('key', '=', filled.keys[what] ?? '')
        .executeTakeFirstOrThrow();
      return { bytes, files };
    };
    expect(await filesOf('reel')).toEqual({
      bytes: 0,
      files: { '360.mp4': null, 'video.mp4': null, 'poster.webp': null, 'tile.webp': null },
    });
    expect(await filesOf('posts')).toEqual({
      bytes: 0,
      files: { 'photo.jpg': null, 'small.webp': null, '360.webp': null, '720.webp': null },
    });
    expect(await filesOf('captions of reel')).toEqual({ bytes: 0, files: { 'captions-en-in.vtt': null } });
    expect(await filesOf('waiting photo')).toEqual({
      bytes: 1000,
      files: { 'photo.jpg': null, 'small.webp': 7 },
    });
    expect(await filesOf('waiting video')).toEqual({ bytes: 1000, files: null });
    expect(await filesOf('copy')).toEqual({ bytes: 1000, files: { 'video.mp4': null } });
    await drop();
  });

  it('is updated again after the version before has run beside this one', async () => {
    await backfillStoredFiles(db);
    // That version publishes, deletes, and deletes an account, without writing to the register.
    await sql`update uploads set used_at = now() where key = ${filled.keys['waiting video']}`.execute(db);
    await sql`update posts set deleted_at = now()`.execute(db);
    await sql`update reels set taken_down_at = null, taken_down_reason = null`.execute(db);
    await sql`update stories set deleted_at = now()`.execute(db);
    await sql`delete from people where id = ${filled.binod}`.execute(db);
    await sql`
      insert into uploads (key, owner_id, kind, bytes, sha256, created_at)
      values (${newKey()}, ${filled.asha}, 'photo', 1, 'x', now())`.execute(db);
    expect(await filesRegistered(db)).not.toEqual(await filesNamedByRows(db));
    await backfillStoredFiles(db);
    expect(await filesRegistered(db)).toEqual(await filesNamedByRows(db));
    expect(await backfillStoredFiles(db)).toEqual({ registered: 0, forgotten: 0 });
    await drop();
  });

  it('every column that contains keys of stored files is known', async () => {
    await backfillStoredFiles(db);
    const files = [
      'imports.copy_key',
      'imports.thumbnail_key',
      'imports.upload_key',
      'people.picture_key',
      'posts.extra_key',
      'posts.media_key',
      'reel_captions.key',
      'reels.extra_key',
      'reels.media_key',
      'reels.thumbnail_key',
      'resumable_uploads.key',
      'stored_files.key',
      'stories.extra_key',
      'stories.media_key',
      'uploads.key',
    ];
    const others: Record<string, string> = {
      'account_links.email_key': 'how an e-mail address is compared',
      'email_changes.email_key': 'how an e-mail address is compared',
      'email_changes.old_email_key': 'how an e-mail address is compared',
      'mails.recipient_key': 'how an e-mail address is compared',
      'people.email_key': 'how an e-mail address is compared',
      'people.username_key': 'how a username is compared',
      'unmatched_payments.key': 'the id or the reference of a payment',
      'purges.keys': 'an outbox: what caches elsewhere are told',
      'posts.extra_files': 'sizes by name',
      'reels.extra_files': 'sizes by name',
      'stories.extra_files': 'sizes by name',
      'stored_files.files': 'sizes by name',
      'uploads.files': 'sizes by name',
    };
    const { rows: columns } = await sql<{ table: string; column: string; type: string }>`
      select table_name as table, column_name as column, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name not like 'kysely%'`.execute(db);
    const suspicious = columns
      .filter(
        ({ column, type }) =>
          ['text', 'ARRAY', 'jsonb'].includes(type) &&
          /key|file|media|picture|thumb|poster|image/.test(column),
      )
      .map(({ table, column }) => `${table}.${column}`);
    expect(suspicious.filter((name) => !files.includes(name) && !others[name])).toEqual([]);
    // Independent of its name: a text that contains the key of a file.
    const holding: string[] = [];
    for (const { table, column } of columns.filter((one) => one.type === 'text')) {
      const { rows } = await sql`
        select from ${sql.table(table)} where ${sql.ref(column)} in (select key from stored_files) limit 1`.execute(
        db,
      );
      if (rows.length > 0) holding.push(`${table}.${column}`);
    }
    expect(holding.filter((name) => !files.includes(name))).toEqual([]);
    await drop();
  });

  it('is completed at the start of a server that runs alone; beside others the start is refused with instructions', async () => {
    await expect(requireStoredFiles(db, false)).rejects.toThrow(
      /is not complete\. Once .*, run: npm run admin -- files backfill$/,
    );
    expect(await filesRegistered(db)).toEqual({});
    await backfillStoredFiles(db);
    await requireStoredFiles(db, false);
    // Back to the version before, and forward again.
    await db.deleteFrom('stored_files').execute();
    await requireStoredFiles(db, true);
    expect(await filesRegistered(db)).toEqual(await filesNamedByRows(db));
    await drop();
  });
});

it('a new database beside others needs no command', async () => {
  await migrate(db);
  await requireStoredFiles(db, false);
  await fill();
  await requireStoredFiles(db, false);
  await drop();
});

describe('a file without a row', () => {
  const day = 24 * 60 * 60 * 1000;
  let folder: string;
  let storage: Awaited<ReturnType<typeof openDiskStorage>>;
  let filled: Awaited<ReturnType<typeof fill>>;
  const at = (days: number) => ({ db, storage, clock: () => new Date(Date.now() + days * day) });
  const isThere = async (key = '') => (await storage.find(key, 'a.txt')) !== undefined;
  const adopt = (key = '') => inTransaction(db, (trx) => adoptFile(trx, key, new Date()));
  const isHidden = async (key = '') => (await listHiddenFiles(db)).includes(key);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jhalak-sweep-'));
    storage = await openDiskStorage(folder);
    await migrate(db);
    filled = await fill();
    await backfillStoredFiles(db);
    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    filled.keys.unknown = newKey();
    for (const what of ['reel', 'unknown'])
      await storage.inWorkspace(async (made) => {
        await writeFile(join(made, 'a.txt'), 'abc');
        await utimes(join(made, 'a.txt'), twoHoursAgo, twoHoursAgo);
        await storage.publish(filled.keys[what] ?? '', made);
      });
    await db
      .deleteFrom('stored_files')
      .where('key', '=', filled.keys.reel ?? '')
      .execute();
    expect(await sweep(at(0))).toEqual({ removed: 0, quarantined: 2 });
  });
  afterEach(async () => {
    await drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is not served, is listed for a week, and is then deleted', async () => {
    for (const what of ['reel', 'unknown']) expect(await isHidden(filled.keys[what])).toBe(true);
    const keys = (await listQuarantined(db)).map(({ key }) => key);
    expect(keys.sort()).toEqual([filled.keys.reel, filled.keys.unknown].sort());
    await sweep(at(6.9));
    expect([await isThere(filled.keys.reel), await isThere(filled.keys.unknown)]).toEqual([true, true]);
    await sweep(at(7.1));
    expect([await isThere(filled.keys.reel), await isThere(filled.keys.unknown)]).toEqual([false, false]);
    expect(await adopt(filled.keys.reel)).toBeUndefined();
    expect(await listQuarantined(db)).toEqual([]);
  });

  it('is registered by adoption as what a row of content says, and stays', async () => {
    expect(await adopt(filled.keys.reel)).toBe(filled.asha);
    expect(await filesRegistered(db)).toEqual(await filesNamedByRows(db));
    expect(await isHidden(filled.keys.reel)).toBe(false);
    await sweep(at(7.1));
    expect([await isThere(filled.keys.reel), await isThere(filled.keys.unknown)]).toEqual([true, false]);
  });

  it('that no row names is adopted without an owner, and stays', async () => {
    expect(await adopt(filled.keys.unknown)).toBe(nobody);
    expect(await isHidden(filled.keys.unknown)).toBe(false);
    expect(await adopt(filled.keys.unknown)).toBeUndefined();
    await sweep(at(7.1));
    expect(await sweep(at(20))).toEqual({ removed: 0, quarantined: 0 });
    expect(await isThere(filled.keys.unknown)).toBe(true);
  });

  it('leaves quarantine when a backfill has found its row', async () => {
    await backfillStoredFiles(db);
    expect((await listQuarantined(db)).map(({ key }) => key)).toEqual([filled.keys.unknown]);
    expect(await isHidden(filled.keys.reel)).toBe(false);
  });
});

it('files removed by a person or a deadline are deleted by the next sweep, and are no orphans', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-sweep-'));
  const storage = await openDiskStorage(folder);
  await migrate(db);
  const { keys } = await fill();
  await backfillStoredFiles(db);
  for (const what of ['posts', 'copy', 'waiting photo'])
    await storage.inWorkspace(async (made) => {
      await writeFile(join(made, 'a.txt'), 'abc');
      await storage.publish(keys[what] ?? '', made);
    });
  await sql`update posts set deleted_at = now()`.execute(db);
  await db
    .updateTable('stored_files')
    .set({ state: 'removed' })
    .where('key', '=', keys.posts ?? '')
    .execute();
  const now = new Date(Date.now() + 60_000);
  expect(await sweep({ db, storage, clock: () => now })).toEqual({ removed: 1, quarantined: 0 });
  expect(await storage.find(keys.posts ?? '', 'a.txt')).toBeUndefined();
  const inADay = new Date(Date.now() + 25 * 60 * 60 * 1000);
  await deleteExpiredUploads({ db, clock: () => inADay });
  // Also if the register is completed in between.
  await backfillStoredFiles(db);
  expect((await sweep({ db, storage, clock: () => inADay })).quarantined).toBe(0);
  for (const what of ['copy', 'waiting photo'])
    expect(await storage.find(keys[what] ?? '', 'a.txt'), what).toBeUndefined();
  await drop();
  await rm(folder, { recursive: true, force: true });
});
