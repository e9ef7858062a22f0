import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newKey } from '#server/platform/ids.ts';
import { openDiskStorage } from '#server/platform/storage/disk.ts';
import { personIn } from '#testing/fixtures/earnings.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { adoptFile, dropFiles, listHiddenFiles, listQuarantined, registerFile } from './stored-files.ts';
import { sweep } from './sweeper.ts';

const hour = 60 * 60 * 1000;
const days = (count: number) => new Date(Date.now() + count * 24 * hour);

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Kysely<Tables>;
let folder: string;
let storage: Awaited<ReturnType<typeof openDiskStorage>>;
beforeEach(async () => {
  database = await freshDatabase();
  db = await openDatabase(database.url, 2);
  folder = await mkdtemp(join(tmpdir(), 'jhalak-sweep-'));
  storage = await openDiskStorage(folder);
});
afterEach(async () => {
  await storage.close();
  await db.destroy();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const sweepAt = (now: Date) => sweep({ db, storage, clock: () => now });
const isThere = async (key: string) => (await storage.find(key, 'a.txt')) !== undefined;
const adopt = (key: string) => inTransaction(db, (trx) => adoptFile(trx, key, new Date()));
const isHidden = async (key: string) => (await listHiddenFiles(db)).includes(key);
const quarantined = async () => (await listQuarantined(db)).map(({ key }) => key);

/** A published folder of two hours ago. */
async function stored(): Promise<string> {
  const key = newKey();
  const before = new Date(Date.now() - 2 * hour);
  await storage.inWorkspace(async (made) => {
    await writeFile(join(made, 'a.txt'), 'abc');
    await utimes(join(made, 'a.txt'), before, before);
    await storage.publish(key, made);
  });
  return key;
}

describe('a file without a row', () => {
  let key: string;
  let other: string;
  beforeEach(async () => {
    [key, other] = [await stored(), await stored()];
    expect(await sweepAt(new Date())).toEqual({ removed: 0, quarantined: 2 });
  });

  it('is not served, is listed for a week, and is then deleted', async () => {
    for (const one of [key, other]) expect(await isHidden(one)).toBe(true);
    expect((await quarantined()).sort()).toEqual([key, other].sort());
    await sweepAt(days(6.9));
    expect([await isThere(key), await isThere(other)]).toEqual([true, true]);
    await sweepAt(days(7.1));
    expect([await isThere(key), await isThere(other)]).toEqual([false, false]);
    expect(await adopt(key)).toBe(false);
    expect(await quarantined()).toEqual([]);
  });

  it('is served again and kept, without an owner, once it is adopted', async () => {
    expect(await adopt(key)).toBe(true);
    expect(await isHidden(key)).toBe(false);
    expect(await adopt(key)).toBe(false);
    await sweepAt(days(7.1));
    expect(await sweepAt(days(20))).toEqual({ removed: 0, quarantined: 0 });
    expect([await isThere(key), await isThere(other)]).toEqual([true, false]);
  });

  it('leaves quarantine when it gets a row of its own', async () => {
    const ownerId = await personIn(db, new Date());
    await inTransaction(db, (trx) =>
      registerFile(trx, { ownerId, key, kind: 'photo', state: 'in_use', bytes: 3 }, new Date()),
    );
    await sweepAt(days(7.1));
    expect([await isThere(key), await isThere(other)]).toEqual([true, false]);
    expect(await isHidden(key)).toBe(false);
  });
});

it('a file that a person or a deadline removed is deleted by the next sweep, and is no orphan', async () => {
  const [key, ownerId] = [await stored(), await personIn(db, new Date())];
  await inTransaction(db, async (trx) => {
    await registerFile(trx, { ownerId, key, kind: 'photo', state: 'in_use', bytes: 3 }, new Date());
    await dropFiles(trx, { ownerId, keys: [key] }, new Date());
  });
  expect(await sweepAt(new Date())).toEqual({ removed: 1, quarantined: 0 });
  expect(await isThere(key)).toBe(false);
  expect(await db.selectFrom('stored_files').selectAll().execute()).toEqual([]);
});
