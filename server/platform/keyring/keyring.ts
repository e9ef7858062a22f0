import type { Kysely, Transaction } from 'kysely';
import { v7 } from 'uuid';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { StartupError } from '../startup-error.ts';
import { type Binding, decryptWith, encryptWith, fingerprintOf, headOf, versionOf } from './cipher.ts';
import {
  type KeyFile,
  newKey,
  openKeyFolder,
  readKeyFiles,
  removeKeyFiles,
  removeUnfinished,
  writeKeyFiles,
} from './key-files.ts';
import * as queries from './keyring.queries.ts';

/** Secrets that never change, and the consequence of losing each. */
const secrets = {
  viewers:
    'who has seen which reel in this month and the one before: such a showing may count once more, and accounts are established anew',
  places: 'from where people have logged in before: there they are strangers again for the limit of guesses',
  showings: 'showings of the last ten minutes: they do not count as watched',
  limits: 'how often each network has called: rate limits begin anew',
  destinations: 'whether a payout destination is the same: one that is entered again counts as a new one',
  devices:
    'which device is registered for push messages: one that registers again is listed twice until it is unregistered',
  push: 'the key by which push services of browsers know this site: browsers are registered again when their people switch it on again',
  demo: 'the password of the demo creators',
} as const;
export type SecretName = keyof typeof secrets;

/** The key of encrypted columns; it has versions. */
const dataKey = 'data';

const names = [...Object.keys(secrets), dataKey];
const losses: Record<string, string> = { ...secrets, [dataKey]: 'columns that were encrypted with it' };
const lossOf = ({ name }: { name: string }) => losses[name] ?? 'something that this version does not know';

/** How often a process reads new keys and reports which ones it can read, in milliseconds. */
const refreshEvery = 15_000;

/** A value cannot be decrypted: it was changed, or belongs to another row. */
export class UnreadableError extends Error {
  override name = 'UnreadableError';
}

/** A column was encrypted with a key that is lost. */
export class LostKeyError extends UnreadableError {
  override name = 'LostKeyError';
}

/** Keys that protect stored data: files outside the database and its backups (docs/decisions/0041-keyring.md). */
export interface Keyring {
  /** A secret that all processes share and that never changes. */
  secret(name: SecretName): Buffer;
  /** Whether the first key of this name is lost, and another one is used instead. */
  isReplaced(name: SecretName): boolean;
  /** For a column of the database. It decrypts only for the same person and kind. */
  encrypt(text: string, binding: Binding): Buffer;
  /** Throws LostKeyError if the folder no longer has the key, and UnreadableError if the value was altered or copied. */
  decrypt(sealed: Buffer, binding: Binding): Promise<string>;
  /** The first bytes of values that an older key version encrypted and that can be decrypted. */
  olderVersions(): Buffer[];
  /** Reads new keys now, and reports which ones this process can read. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

interface Opening {
  db: Kysely<Tables>;
  folder: string;
  /** Called with the consequences of lost keys. */
  say(sentence: string): void;
  warn(sentence: string): void;
}

type Row = Awaited<ReturnType<typeof queries.listKeys>>[number];
const idOf = ({ name, version }: { name: string; version: number }) => `${name}.${version}`;

/** Keys of the folder that match those in the database, by name and version. */
function matching(files: readonly KeyFile[], rows: readonly Row[]): Map<string, KeyFile> {
  const known = new Map(rows.map((row) => [idOf(row), row.fingerprint]));
  return new Map(
    files
      .filter((file) => known.get(idOf(file))?.equals(fingerprintOf(file)))
      .map((file) => [idOf(file), file]),
  );
}

/**
 * Opens the keys of a site, and creates missing ones. Throws one sentence if the folder cannot be used, or is not the one that the other processes use.
 */
export async function openKeyring({ db, folder, say, warn }: Opening): Promise<Keyring> {
  await openKeyFolder(folder, warn);
  const id = v7();
  await inTransaction(db, async (trx) => {
    await queries.lockKeys(trx);
    await removeUnfinished(folder);
    await takeUp(trx, folder, { say, warn });
    // Before the lock is released, so that other processes do not consider these keys lost.
    const known = await queries.listKeys(trx);
    await queries.hold(trx, id, [...matching(await readKeyFiles(folder, warn), known).keys()]);
  });

  let held = new Map<string, KeyFile>();
  let rows: Row[] = [];
  let isClosed = false;

  async function refresh(): Promise<void> {
    rows = await queries.listKeys(db);
    // A destroyed key is removed from memory, too.
    if (held.size > rows.length || rows.some((row) => !row.lost_at && !held.has(idOf(row))))
      held = matching(await readKeyFiles(folder, warn), rows);
    if (isClosed) return;
    await queries.hold(db, id, [...held.keys()]);
    await queries.activate(db);
    rows = await queries.listKeys(db);
  }

  /** The usable keys of a name, oldest first. */
  function usable(name: string): KeyFile[] {
    return rows
      .filter((row) => row.name === name && row.active_at && !row.lost_at)
      .flatMap((row) => held.get(idOf(row)) ?? []);
  }

  await refresh();
  let refreshing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    // The database or the folder is unavailable for a moment: the keys in memory still work.
    refreshing = refresh().catch((error: Error) =>
      warn(`The keys could not be looked through: ${error.message}`),
    );
  }, refreshEvery);
  timer.unref();

  return {
    secret(name) {
      const [oldest] = usable(name);
      if (!oldest) throw new Error(`there is no key ${name}`);
      return oldest.key;
    },
    isReplaced: (name) => usable(name)[0]?.version !== 1,
    encrypt(text, binding) {
      const newest = usable(dataKey).at(-1);
      if (!newest) throw new Error('there is no key to encrypt with');
      return encryptWith(newest.key, newest.version, text, binding);
    },
    async decrypt(sealed, binding) {
      const version = versionOf(sealed);
      const find = () => held.get(idOf({ name: dataKey, version }));
      // Another process learned of a new version first.
      if (!find()) await refresh();
      const file = find();
      if (!file) throw new LostKeyError(`the key ${dataKey}.${version} is not in ${folder}`);
      try {
        return decryptWith(file.key, sealed, binding);
      } catch (cause) {
        throw new UnreadableError(`this is no ${binding.kind} of ${binding.personId}`, { cause });
      }
    },
    olderVersions: () =>
      usable(dataKey)
        .slice(0, -1)
        .map(({ version }) => headOf(version)),
    refresh,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await refreshing;
      // Without a database, the row expires and is ignored.
      await queries.release(db, id).catch(() => undefined);
    },
  };
}

/** Makes database and folder consistent and complete. */
async function takeUp(
  trx: Transaction<Tables>,
  folder: string,
  { say, warn }: Pick<Opening, 'say' | 'warn'>,
): Promise<void> {
  const known = await queries.listKeys(trx);
  const files = await readKeyFiles(folder, warn);
  refuseForeign(folder, files, known);
  const held = matching(files, known);

  const missing = known.filter((row) => !row.lost_at && !held.has(idOf(row)));
  const elsewhere = await queries.heldByRunning(trx);
  if (missing.some((row) => elsewhere.has(idOf(row))))
    throw new StartupError(
      `Another process of this site uses keys that are not in ${folder}: KEYS_DIR must be the same folder for all processes.`,
    );
  for (const row of missing) await queries.setLost(trx, row, true);
  for (const row of known) if (row.lost_at && held.has(idOf(row))) await queries.setLost(trx, row, false);
  // A crash came between file and row, or the folder is newer than the database.
  const inUse = known.filter((row) => row.active_at && held.has(idOf(row))).map(({ name }) => name);
  for (const file of files)
    if (!known.some((row) => idOf(row) === idOf(file))) await register(trx, file, !inUse.includes(file.name));

  const rows = await queries.listKeys(trx);
  const fresh = names
    .filter((name) => !rows.some((row) => row.name === name && row.active_at && !row.lost_at))
    .map((name) => ({ name, version: nextVersion(name, rows), key: newKey() }));
  await writeKeyFiles(folder, fresh);
  for (const file of fresh) await register(trx, file, true);
  if (missing.length === 0) return;
  const lost = missing.map((row) => `${idOf(row)} (${lossOf(row)})`).join('; ');
  say(
    `These keys are not in ${folder} any more, and new ones are used instead. What is lost with them: ${lost}. If there is a copy of them, put the files there and start again.`,
  );
}

function refuseForeign(
  folder: string,
  files: readonly KeyFile[],
  known: readonly Pick<Row, 'name' | 'version' | 'fingerprint'>[],
): void {
  const foreign = known.find(({ fingerprint, ...row }) =>
    files.some((file) => idOf(file) === idOf(row) && !fingerprint.equals(fingerprintOf(file))),
  );
  if (foreign)
    throw new StartupError(
      `The key ${idOf(foreign)} in ${folder} is not the one that this database was used with: set KEYS_DIR to the folder of this site, or to an empty one if its keys are lost.`,
    );
}

const nextVersion = (name: string, rows: readonly Row[]) =>
  1 + Math.max(0, ...rows.filter((row) => row.name === name).map(({ version }) => version));

/**
 * Deletes keys, files and rows. They are marked as lost first: if this is interrupted between the files and the rows, the next start has
 * nothing to report, and the next call completes it.
 */
async function destroyKeys(
  db: Kysely<Tables>,
  folder: string,
  choose: (trx: Transaction<Tables>) => Promise<Row[]>,
): Promise<Row[]> {
  const keys = await inTransaction(db, async (trx) => {
    await queries.lockKeys(trx);
    const chosen = await choose(trx);
    for (const row of chosen) await queries.setLost(trx, row, true);
    return chosen;
  });
  await inTransaction(db, async (trx) => {
    await queries.lockKeys(trx);
    await removeKeyFiles(folder, keys);
    for (const row of keys) await queries.deleteKey(trx, row);
  });
  return keys;
}

async function register(trx: Transaction<Tables>, file: KeyFile, isActive: boolean): Promise<void> {
  const { name, version } = file;
  await queries.insertKey(trx, { name, version, fingerprint: fingerprintOf(file), isActive });
}

/** A key as shown to operators. */
export interface ListedKey {
  name: string;
  version: number;
  state: 'in use' | 'kept for what it encrypted' | 'waits until every process can read it' | 'lost';
  madeAt: string;
  /** For an older version: the columns with values that it has encrypted, and how many. */
  left: Record<string, number>;
}

export async function listKeys(db: Kysely<Tables>): Promise<ListedKey[]> {
  const rows = await queries.listKeys(db);
  const newest = Math.max(
    ...rows
      .filter((row) => row.name === dataKey && row.active_at && !row.lost_at)
      .map(({ version }) => version),
  );
  const stateOf = (row: Row): ListedKey['state'] => {
    if (row.lost_at) return 'lost';
    if (!row.active_at) return 'waits until every process can read it';
    return row.name === dataKey && row.version < newest ? 'kept for what it encrypted' : 'in use';
  };
  const older = rows.filter(({ name, version }) => name === dataKey && version < newest);
  const left = await queries.countBeginning(
    db,
    older.map(({ version }) => headOf(version)),
  );
  const leftOf = (row: Row) =>
    older.includes(row) ? left.filter(({ head }) => head.equals(headOf(row.version))) : [];
  return rows.map((row) => ({
    name: row.name,
    version: row.version,
    state: stateOf(row),
    madeAt: row.made_at.toISOString(),
    left: Object.fromEntries(leftOf(row).map(({ column, count }) => [column, count])),
  }));
}

/** The site's keys in the folder. Throws one sentence if one is missing. */
async function wholeFolder(db: Kysely<Tables>, folder: string, warn: (sentence: string) => void) {
  const known = (await queries.listKeys(db)).filter((row) => !row.lost_at);
  if (known.length === 0)
    throw new StartupError('This site has no keys yet: they are made at its first start with this version.');
  await openKeyFolder(folder, warn);
  const held = matching(await readKeyFiles(folder, warn), known);
  const missing = known.filter((row) => !held.has(idOf(row))).map(idOf);
  if (missing.length > 0)
    throw new StartupError(
      `The folder ${folder} does not have all keys of this site: ${missing.join(', ')}. Set KEYS_DIR as the site has it.`,
    );
  return [...held.values()];
}

/**
 * Creates a new version of the key of encrypted columns. Running processes use it when each of them can read it; older values stay readable
 * with the version before.
 */
export async function rotateKeys(
  trx: Transaction<Tables>,
  folder: string,
  warn: (sentence: string) => void,
): Promise<number> {
  await queries.lockKeys(trx);
  await wholeFolder(trx, folder, warn);
  const version = nextVersion(dataKey, await queries.listKeys(trx));
  const file = { name: dataKey, version, key: newKey() };
  await writeKeyFiles(folder, [file]);
  await register(trx, file, false);
  return version;
}

/** A process that has not read the new key yet, for example because it was paused, may encrypt with the one before. */
const retireAfter = 24 * 60 * 60 * 1000;

/**
 * Deletes the unused versions of the key of encrypted columns; returns them. Throws one sentence if there is a value that only they
 * decrypt.
 */
export async function retireKeys(db: Kysely<Tables>, folder: string, now: Date): Promise<number[]> {
  const retired = await destroyKeys(db, folder, async (trx) => {
    const rows = (await queries.listKeys(trx)).filter(({ name }) => name === dataKey);
    const newest = rows.findLast((row) => row.active_at && !row.lost_at);
    const older = newest ? rows.filter(({ version }) => version < newest.version) : [];
    if (!newest?.active_at || older.length === 0) return [];
    if (now.getTime() - newest.active_at.getTime() < retireAfter)
      throw new StartupError(
        `The key data.${newest.version} is in use for less than a day: a process may still encrypt with the one before. Try again tomorrow.`,
      );
    const heads = older.map(({ version }) => headOf(version));
    const [left] = await queries.countBeginning(trx, heads);
    if (left)
      throw new StartupError(
        `The column ${left.column} has values that only an older key decrypts. A job encrypts them again each hour, unless that key is lost, or does not decrypt them: the log names those, and keys list counts them.`,
      );
    return older;
  });
  return retired.map(({ version }) => version);
}

/** Copies the keys of the site to an empty folder elsewhere; returns how many. */
export async function copyKeys(
  db: Kysely<Tables>,
  { from, to }: { from: string; to: string },
  warn: (sentence: string) => void,
): Promise<number> {
  const keys = await wholeFolder(db, from, warn);
  await openKeyFolder(to, warn);
  if ((await readKeyFiles(to, warn)).length > 0)
    throw new StartupError(`The folder ${to} has keys already; each copy gets a folder of its own.`);
  await writeKeyFiles(to, keys);
  return keys.length;
}

/** For a restored site, on which no process runs yet. */
export async function forgetHolders(db: Kysely<Tables>): Promise<void> {
  await queries.releaseEverybody(db);
}
