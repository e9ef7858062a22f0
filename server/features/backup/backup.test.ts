import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobKinds } from '#server/boot/run-jobs.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { unfinishedJobs } from '#server/platform/jobs.ts';
import { StartupError } from '#server/platform/startup-error.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { dumpOf } from '#testing/models/database-dump.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { jobsIn } from '#testing/servers/queues.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import { findLock } from '../payers/shown-lock.ts';
import { removalJob } from '../stored-files/removal.ts';
import { mustBeUnlocked } from '../withdrawals/payout-lock.ts';
import { makeBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';

let server: TestServer;
let creator: Person;
let folder: string;
let whole: string;
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'jhalak-backups-'));
  creator = await signUpSomebody(server, 'Zoya "क्षत्रिय"\\ \t');
  await publishPicture(
    server.db,
    server.dataDir,
    creator.id,
    'Tab\t, line\n, backslash \\N, 🏳️‍🌈',
    new Date(),
  );
  whole = await backup();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

let places = 0;
function anotherPlace(): string {
  places += 1;
  return join(folder, String(places));
}

async function backup(since?: string, site: Partial<TestServer> = {}): Promise<string> {
  const place = anotherPlace();
  await makeBackup({ ...server, ...site }, place, since, new Date());
  return place;
}

/** Restores into a new database and folder, and passes both to `look`. */
async function restored(
  from: string,
  look: (place: { url: string; dataDir: string }) => Promise<void>,
  keepSessions = true,
) {
  const { url, drop } = await freshDatabase();
  const dataDir = anotherPlace();
  try {
    await restoreBackup(
      from,
      { dataDir, databaseUrl: url, storage: { kind: 'disk' }, jobKinds, keepSessions },
      () => undefined,
    );
    await look({ url, dataDir });
  } finally {
    await drop();
  }
}

async function dumpAt(url: string): Promise<string> {
  const db = await openDatabase(url, 2);
  try {
    return await dumpOf(db, { without: ['kysely_migration', 'payout_locks'] });
  } finally {
    await db.destroy();
  }
}

const refusal = async (restoring: Promise<unknown>) => {
  const error = await restoring.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StartupError);
  return (error as Error).message;
};

it('every row is restored unchanged', async () => {
  const from = await backup();
  const before = await dumpAt(server.url);
  await restored(from, async ({ url }) => expect(await dumpAt(url)).toBe(before));
});

it('payouts are locked after a restore, and pending mails and push messages are dropped', async () => {
  const at = new Date('2026-11-01T00:00:00Z');
  const mail = { id: v7(), recipient: 'asha@people.example', recipient_key: v7(), template: 'new_device' };
  await server.db
    .insertInto('mails')
    .values({
      ...mail,
      person_id: creator.id,
      parameters: null,
      is_notice: true,
      created_at: at,
      next_try_at: at,
    })
    .execute();
  const [device, notification] = [v7(), v7()];
  // A device without a session is deleted.
  const session = await server.db
    .selectFrom('sessions')
    .select('id')
    .where('person_id', '=', creator.id)
    .executeTakeFirstOrThrow();
  await server.db
    .insertInto('push_devices')
    .values({
      id: device,
      person_id: creator.id,
      platform: 'ios',
      session_id: session.id,
      host: 'fcm.googleapis.com',
      token: Buffer.from('token'),
      fingerprint: Buffer.from(device),
      registered_at: at,
    })
    .execute();
  await server.db.transaction().execute(async (trx) => {
    await notifyFromSite(trx, creator.id, 'withdrawal_sent', at);
    const { id } = await trx
      .selectFrom('notifications')
      .select('id')
      .where('person_id', '=', creator.id)
      .where('kind', '=', 'withdrawal_sent')
      .executeTakeFirstOrThrow();
    const push = { id: notification, device_id: device, notification_id: id };
    await trx
      .insertInto('pushes')
      // Not due, so that the site does not send it first.
      .values({ ...push, created_at: at, next_try_at: new Date('2100-01-01') })
      .execute();
  });
  const from = await backup();
  await server.db.deleteFrom('mails').where('id', '=', mail.id).execute();
  await server.db.deleteFrom('push_devices').where('id', '=', device).execute();
  const { madeAt } = JSON.parse(await readFile(join(from, 'manifest.json'), 'utf8'));
  await restored(from, async ({ url }) => {
    const db = await openDatabase(url, 2);
    try {
      const mails = await db.selectFrom('mails').select('outcome').where('id', '=', mail.id).execute();
      expect(mails).toEqual([{ outcome: 'dropped' }]);
      expect(await db.selectFrom('push_devices').select('id').execute()).toEqual([{ id: device }]);
      expect(await db.selectFrom('pushes').select('id').execute()).toEqual([]);
      expect(await findLock(db)).toMatchObject({ since: new Date(madeAt), unmatched: 0 });
      await expect(mustBeUnlocked(db)).rejects.toMatchObject({ code: 'payouts_locked' });
    } finally {
      await db.destroy();
    }
  });
});

it('no file and no row of a backup contains a key', async () => {
  const from = await backup();
  const keys = await Promise.all(
    (await readdir(join(server.dataDir, 'keys'))).map((name) =>
      readFile(join(server.dataDir, 'keys', name), 'utf8'),
    ),
  );
  expect(keys.length).toBeGreaterThan(3);
  const files = (await readdir(from, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  expect(files.length).toBeGreaterThan(10);
  for (const { parentPath, name } of files) {
    const bytes = await readFile(join(parentPath, name));
    const plain = name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
    for (const key of keys) {
      const secret = Buffer.from(key.trim(), 'hex');
      for (const form of [secret, key.trim(), secret.toString('base64'), secret.toString('base64url')])
        expect(plain.includes(form), `${name} holds a key`).toBe(false);
    }
  }
});

it('a restored site has no sessions, unless an option keeps them', async () => {
  const from = await backup();
  const sessionsAt = async (keepSessions?: boolean) => {
    let sessions = -1;
    const look = async ({ url }: { url: string }) => {
      const db = await openDatabase(url, 1);
      sessions = (await db.selectFrom('sessions').selectAll().execute()).length;
      await db.destroy();
    };
    await restored(from, look, keepSessions);
    return sessions;
  };
  expect(await sessionsAt(true)).toBe(1);
  expect(await sessionsAt(false)).toBe(0);
});

it('pending jobs are done by the restored site', async () => {
  const keys = ['ab'.repeat(16)];
  // Later than this test, so that no worker takes it before.
  const job = { name: 'removal', data: { keys }, ahead: 3 };
  const before = await server.db.transaction().execute(async (trx) => {
    await server.jobs.send(trx, { name: job.name, retries: 1, seconds: 9 }, job.data, { ahead: job.ahead });
    return await unfinishedJobs(trx);
  });
  expect(before).toContainEqual(job);
  const from = anotherPlace();
  await cp(whole, from, { recursive: true });
  const text = JSON.stringify([job]);
  await writeFile(join(from, 'jobs.json'), text);
  await amend(from, 'jobs', { count: 1, sha256: await sha256(text) });
  await restored(from, async ({ url }) => {
    const db = await openDatabase(url, 1);
    expect(await unfinishedJobs(db)).toContainEqual(job);
    // The number of tries is restored, too.
    const waiting = (await jobsIn(db, 'removal')).filter(({ state }) => state === 'created');
    expect(waiting.map(({ retryLimit }) => retryLimit)).toEqual([removalJob.retries]);
    await db.destroy();
  });
});

it('a backup based on another one links its files, and is complete by itself [long]', async () => {
  const from = await backup(whole);
  const file = (await readFile(join(whole, 'files.sha256'), 'utf8')).split('\n')[0]?.split('  ')[1] ?? '';
  expect((await stat(join(from, file))).ino).toBe((await stat(join(whole, file))).ino);
  await restored(from, async ({ dataDir }) => {
    expect((await readdir(join(dataDir, 'media'))).length).toBeGreaterThan(0);
  });
});

it('files that are deleted during a backup are not in its rows [long]', async () => {
  const post = await publishPicture(server.db, server.dataDir, creator.id, 'Soon gone', new Date());
  const { storage } = server;
  let looked = 0;
  // The first listing of the store does not contain the picture yet, the second not any more.
  const list = async function* (prefix?: string) {
    looked += 1;
    const { media_key } = await server.db
      .selectFrom('posts')
      .select('media_key')
      .where('id', '=', post)
      .executeTakeFirstOrThrow();
    if (looked === 2) {
      await server.inject({
        method: 'DELETE',
        url: `/api/post/deletePost/${post}`,
        headers: creator.headers,
      });
      await storage.remove(media_key);
    }
    for await (const one of storage.list(prefix)) if (!one.key.includes(media_key)) yield one;
  };
  const from = anotherPlace();
  const manifest = await makeBackup(
    { ...server, storage: { ...storage, list } },
    from,
    undefined,
    new Date(),
  );
  expect(looked).toBe(3);
  expect(manifest.missing).toEqual([]);
});

it('reports files that the site itself has lost, and contains all others [long]', async () => {
  const key = 'cd'.repeat(16);
  const lost = {
    owner_id: creator.id,
    key,
    kind: 'photo',
    state: 'in_use',
    bytes: 0,
    touched_at: new Date(),
  } as const;
  await server.db.insertInto('stored_files').values(lost).execute();
  const from = anotherPlace();
  const manifest = await makeBackup(server, from, undefined, new Date());
  await server.db.deleteFrom('stored_files').where('key', '=', key).execute();
  expect(manifest.missing).toEqual([`media/${key}`]);
  await restored(from, async () => undefined);
});

describe('a backup is not written', () => {
  it('into a folder that is not empty', async () => {
    expect(await refusal(makeBackup(server, whole, undefined, new Date()))).toMatch(/is not empty/);
  });

  it('completely if it is interrupted, and cannot be restored', async () => {
    const place = anotherPlace();
    const url = 'postgres://nobody@127.0.0.1:1/none';
    await expect(makeBackup({ ...server, url }, place, undefined, new Date())).rejects.toThrow();
    expect(existsSync(join(place, 'media'))).toBe(true);
    expect(
      await refusal(
        restoreBackup(
          place,
          { dataDir: anotherPlace(), databaseUrl: undefined, storage: { kind: 'disk' }, jobKinds },
          () => undefined,
        ),
      ),
    ).toMatch(/no whole backup.*manifest\.json, which is written last, is missing/);
  });
});

describe('nothing is restored, and one sentence gives the reason,', () => {
  const damages: [string, (copy: string) => Promise<void>, RegExp][] = [
    ['of a folder that is no backup', (copy) => rm(join(copy, 'manifest.json')), /no whole backup/],
    [
      'of another program’s manifest',
      (copy) => writeFile(join(copy, 'manifest.json'), '{'),
      /is not one that/,
    ],
    [
      'of rows that were changed',
      (copy) => appendFile(join(copy, 'rows', 'people.copy.gz'), 'x'),
      /people.copy.gz is not/,
    ],
    ['of rows that are gone', (copy) => rm(join(copy, 'rows', 'posts.copy.gz')), /posts.copy.gz is not/],
    [
      'of a list that was changed',
      (copy) => appendFile(join(copy, 'files.sha256'), '\n'),
      /files.sha256 is not/,
    ],
    [
      'of a picture that was changed',
      async (copy) => appendFile(await firstFile(copy), 'x'),
      /damaged: media\/.* is not/,
    ],
    ['of a picture that is gone', async (copy) => rm(await firstFile(copy)), /damaged: media\/.* is not/],
    [
      'of a later version',
      (copy) => amend(copy, 'migrations', ['0300_people', '9999_later']),
      /another version of Jhalak/,
    ],
    [
      'of a version before 0.3.0',
      (copy) => amend(copy, 'migrations', ['0001_people_content_earnings', '0121_paid_and_seen']),
      /^This backup is of a version before 0\.3\.0, which this version does not read: commit d442f1b4 reads it, and exports from it\.$/,
    ],
  ];
  it.each(damages)('%s', async (_, damage, sentence) => {
    const copy = anotherPlace();
    await cp(whole, copy, { recursive: true });
    await damage(copy);
    const dataDir = anotherPlace();
    const restoring = restoreBackup(
      copy,
      { dataDir, databaseUrl: undefined, storage: { kind: 'disk' }, jobKinds },
      () => undefined,
    );
    expect(await refusal(restoring)).toMatch(sentence);
    expect(existsSync(dataDir) ? await readdir(dataDir) : []).toEqual([]);
  });

  it('into a folder that is not empty', async () => {
    const dataDir = anotherPlace();
    await mkdir(join(dataDir, 'media'), { recursive: true });
    const restoring = restoreBackup(
      whole,
      { dataDir, databaseUrl: undefined, storage: { kind: 'disk' }, jobKinds },
      () => undefined,
    );
    expect(await refusal(restoring)).toMatch(/is not empty/);
    expect(await readdir(dataDir)).toEqual(['media']);
  });

  it('into a database that is not empty', async () => {
    const before = await dumpAt(server.url);
    const restoring = restoreBackup(
      whole,
      { dataDir: anotherPlace(), databaseUrl: server.url, storage: { kind: 'disk' }, jobKinds },
      () => undefined,
    );
    expect(await refusal(restoring)).toMatch(/database of DATABASE_URL is not empty/);
    expect(await dumpAt(server.url)).toBe(before);
  });
});

async function firstFile(copy: string): Promise<string> {
  const [line = ''] = (await readFile(join(copy, 'files.sha256'), 'utf8')).split('\n');
  return join(copy, line.split('  ')[1] ?? '');
}

async function amend(copy: string, part: string, value: unknown): Promise<void> {
  const path = join(copy, 'manifest.json');
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), [part]: value }));
}

async function sha256(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex');
}
