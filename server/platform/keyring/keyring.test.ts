import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { openDatabase } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { StartupError } from '../startup-error.ts';
import { copyKeys, type Keyring, LostKeyError, listKeys, openKeyring, rotateKeys } from './keyring.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Kysely<Tables>;
let place: string;
let folder: string;
let opened: Keyring[];
let said: string[];
let warned: string[];
beforeEach(async () => {
  database = await freshDatabase();
  db = await openDatabase(database.url, 4);
  place = await mkdtemp(join(tmpdir(), 'jhalak-keys-'));
  folder = join(place, 'keys');
  [opened, said, warned] = [[], [], []];
});
afterEach(async () => {
  for (const keyring of opened) await keyring.close();
  await db.destroy();
  await database.drop();
  await rm(place, { recursive: true, force: true });
});

/** Another process of the site. */
async function start(at = folder): Promise<Keyring> {
  const keyring = await openKeyring({
    db,
    folder: at,
    say: (sentence) => said.push(sentence),
    warn: (sentence) => warned.push(sentence),
  });
  opened.push(keyring);
  return keyring;
}
const rotate = () => inTransaction(db, (trx) => rotateKeys(trx, folder, () => undefined));
const filesIn = async (at: string) => (await readdir(at)).sort();
const first = [
  'data.1.key',
  'demo.1.key',
  'destinations.1.key',
  'devices.1.key',
  'limits.1.key',
  'places.1.key',
  'push.1.key',
  'showings.1.key',
  'viewers.1.key',
];
const asha = { personId: 'asha', kind: 'mail' };

describe('the first start', () => {
  it('creates each key once, readable by this user only, and the next start uses the same', async () => {
    const keyring = await start();
    expect(await filesIn(folder)).toEqual(first);
    for (const name of first) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(keyring.secret('viewers')).toHaveLength(32);
    expect(keyring.secret('viewers')).not.toEqual(keyring.secret('places'));
    expect((await start()).secret('viewers')).toEqual(keyring.secret('viewers'));
    expect(said).toEqual([]);
  });

  it('of four processes in parallel creates one set of keys that all of them use', async () => {
    const all = await Promise.all([start(), start(), start(), start()]);
    expect(await filesIn(folder)).toEqual(first);
    expect(new Set(all.map((keyring) => keyring.secret('limits').toString('hex'))).size).toBe(1);
  });

  it('that was interrupted between files and rows is completed with the existing keys', async () => {
    const before = (await start()).secret('places');
    await opened.pop()?.close();
    await db.deleteFrom('keyring_keys').execute();
    await writeFile(join(folder, '.new-viewers.1'), 'half');
    expect((await start()).secret('places')).toEqual(before);
    expect(await filesIn(folder)).toEqual(first);
    expect(said).toEqual([]);
  });
});

describe('an encrypted column', () => {
  it('decrypts for the same person and kind only, and not after a change of one bit', async () => {
    const keyring = await start();
    const sealed = keyring.encrypt('a secret of Asha', asha);
    expect(sealed.includes('secret of')).toBe(false);
    expect(keyring.encrypt('a secret of Asha', asha).equals(sealed)).toBe(false);
    expect(await keyring.decrypt(sealed, asha)).toBe('a secret of Asha');
    await expect(keyring.decrypt(sealed, { ...asha, personId: 'ravi' })).rejects.toThrow();
    await expect(keyring.decrypt(sealed, { ...asha, kind: 'totp' })).rejects.toThrow();
    for (let place = 4; place < sealed.length; place += 1) {
      const changed = Buffer.from(sealed);
      changed[place] = (changed[place] ?? 0) ^ 1;
      await expect(keyring.decrypt(changed, asha), `byte ${place}`).rejects.toThrow();
    }
  });

  it('of one version is not accepted as one of another', async () => {
    const keyring = await start();
    const sealed = keyring.encrypt('x', asha);
    await rotate();
    await keyring.refresh();
    const renamed = Buffer.from(sealed);
    renamed.writeUInt32BE(2);
    await expect(keyring.decrypt(renamed, asha)).rejects.toThrow();
  });
});

describe('keys rotate while processes run', () => {
  const versionsIn = async () => (await listKeys(db)).filter(({ name }) => name === 'data');

  it('a process encrypts with the new version only when every process can read it', async () => {
    const [one, other] = [await start(), await start()];
    const before = one.encrypt('before', asha);
    await rotate();
    await one.refresh();
    // The other process has not read the folder yet.
    expect(one.encrypt('x', asha).readUInt32BE()).toBe(1);
    expect(await versionsIn()).toMatchObject([
      { version: 1, state: 'in use' },
      { version: 2, state: 'waits until every process can read it' },
    ]);
    await other.refresh();
    const after = other.encrypt('after', asha);
    expect(after.readUInt32BE()).toBe(2);
    for (const reader of [one, other, await start()]) {
      expect(await reader.decrypt(before, asha)).toBe('before');
      expect(await reader.decrypt(after, asha)).toBe('after');
    }
    expect(await versionsIn()).toMatchObject([
      { version: 1, state: 'kept for what it encrypted' },
      { version: 2, state: 'in use' },
    ]);
  });

  it('a process that ended, or was killed a minute ago, does not delay the others', async () => {
    const [one, ended, killed] = [await start(), await start(), await start()];
    await ended.close();
    await killed.close();
    const longAgo = new Date(Date.now() - 61_000);
    await db
      .insertInto('key_holders')
      .values({ id: '00000000-0000-7000-8000-000000000000', held: ['data.1'], seen_at: longAgo })
      .execute();
    await rotate();
    await one.refresh();
    expect(one.encrypt('x', asha).readUInt32BE()).toBe(2);
  });

  it('a process that has not read the folder for long reads it again at an unknown version', async () => {
    const [late, one] = [await start(), await start()];
    await rotate();
    // As after a pause of a minute without heartbeats.
    await db.deleteFrom('key_holders').execute();
    await one.refresh();
    expect(await late.decrypt(one.encrypt('new', asha), asha)).toBe('new');
  });

  it('refuses a folder of another site', async () => {
    await start();
    const other = join(place, 'other');
    await expect(inTransaction(db, (trx) => rotateKeys(trx, other, () => undefined))).rejects.toThrow(
      /does not have all keys of this site: data\.1, demo\.1.*KEYS_DIR/,
    );
  });
});

describe('keys that are lost', () => {
  it('a site without its keys starts, and reports the loss, once', async () => {
    const keyring = await start();
    const sealed = keyring.encrypt('gone', asha);
    const before = keyring.secret('viewers');
    await keyring.close();
    const away = join(place, 'away');
    await copyKeys(db, { from: folder, to: away }, () => undefined);
    await rm(folder, { recursive: true });

    const again = await start();
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(folder);
    for (const word of ['viewers.1', 'places.1', 'limits.1', 'demo.1', 'data.1', 'columns', 'log'])
      expect(said[0]).toContain(word);
    expect(again.secret('viewers')).not.toEqual(before);
    expect(again.isReplaced('demo')).toBe(true);
    await expect(again.decrypt(sealed, asha)).rejects.toThrow(LostKeyError);
    const since = again.encrypt('since', asha);
    expect(await again.decrypt(since, asha)).toBe('since');
    await start();
    expect(said).toHaveLength(1);

    // A restored copy works again, beside keys that were created since.
    for (const name of first) await copyFile(join(away, name), join(folder, name));
    const found = await start();
    expect(found.secret('viewers')).toEqual(before);
    expect(found.isReplaced('demo')).toBe(false);
    expect(await found.decrypt(sealed, asha)).toBe('gone');
    expect(await found.decrypt(since, asha)).toBe('since');
  });

  it('a process with another folder than a running one is refused', async () => {
    const running = await start();
    await expect(start(join(place, 'other'))).rejects.toThrow(
      `Another process of this site uses keys that are not in ${join(place, 'other')}: KEYS_DIR must be the same folder for all processes.`,
    );
    expect((await listKeys(db)).filter(({ state }) => state === 'lost')).toEqual([]);
    expect((await start()).secret('places')).toEqual(running.secret('places'));
  });

  it('the folder of another site is refused, and does not change', async () => {
    await start();
    await opened.pop()?.close();
    const theirs = join(place, 'theirs');
    await mkdir(theirs, { mode: 0o700 });
    await writeFile(join(theirs, 'viewers.1.key'), `${'ab'.repeat(32)}\n`, { mode: 0o600 });
    await expect(start(theirs)).rejects.toThrow(/viewers\.1 in .* is not the one .* KEYS_DIR/);
    expect(await filesIn(theirs)).toEqual(['viewers.1.key']);
  });
});

describe('the folder', () => {
  it('is closed to other users if it was open, with a warning', async () => {
    await start();
    await chmod(join(folder, 'viewers.1.key'), 0o644);
    await chmod(folder, 0o755);
    await start();
    expect((await stat(join(folder, 'viewers.1.key'))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(warned).toHaveLength(2);
    expect(warned.join()).toContain(join(folder, 'viewers.1.key'));
  });

  it('that is a file, or contains a damaged key, is refused with one sentence', async () => {
    await writeFile(join(place, 'file'), '');
    await expect(start(join(place, 'file'))).rejects.toThrow(
      new StartupError(
        `The folder of keys ${join(place, 'file')} cannot be used: it is not a folder. Set KEYS_DIR to another one.`,
      ),
    );
    await start();
    await writeFile(join(folder, 'places.1.key'), 'x');
    await expect(start()).rejects.toThrow(/The key .*places\.1\.key is damaged/);
  });

  it('is copied completely to an empty folder, and not over other keys', async () => {
    await start();
    await rotate();
    const to = join(place, 'copy');
    const copy = () => copyKeys(db, { from: folder, to }, () => undefined);
    expect(await copy()).toBe(10);
    for (const name of await filesIn(folder)) {
      expect(await readFile(join(to, name), 'utf8')).toBe(await readFile(join(folder, name), 'utf8'));
      expect((await stat(join(to, name))).mode & 0o777).toBe(0o600);
    }
    await expect(copy()).rejects.toThrow(/has keys already/);
  });
});
