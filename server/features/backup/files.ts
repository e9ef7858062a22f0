import { createReadStream } from 'node:fs';
import { link, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { isCode, makeFolder, sha256Of, undefinedIfMissing } from '#server/platform/files.ts';
import { holding, type Storage } from '#server/platform/storage.ts';
import { type Hashed, writeHashed } from './hashed-file.ts';
import { places } from './manifest.ts';

/** The files of the inbox and the media store in a backup, by `inbox/<key>` and `media/<key>/<name>`. */
export type Copied = Map<string, Hashed>;

/** Another backup, from which immutable files are taken by a hard link. */
export interface Earlier {
  folder: string;
  files: ReadonlyMap<string, string>;
}

/** A backup that is being written. */
export interface Backup {
  folder: string;
  copied: Copied;
  earlier: Earlier | undefined;
}

const atOnce = 8;

/** A file that was deleted since it was listed. */
class Gone extends Error {}

/**
 * Copies files of the media store that the backup does not have yet. Files are immutable under their names, so earlier
 * copies stay valid; files that are deleted in the meantime are left out.
 */
export async function copyMedia(storage: Storage, backup: Backup): Promise<void> {
  let batch: Promise<void>[] = [];
  for await (const { key: name } of storage.list('media/')) {
    const [, key = '', file = ''] = name.split('/');
    const open = async () => {
      const stored = await storage.find(key, file);
      if (!stored) throw new Gone(name);
      return stored.open();
    };
    batch.push(copyFile(name, backup, open));
    if (batch.length < atOnce) continue;
    await Promise.all(batch);
    batch = [];
  }
  await Promise.all(batch);
}

/** Copies files of the inbox under these keys that have arrived completely. */
export async function copyInbox(storage: Storage, keys: readonly string[], backup: Backup): Promise<void> {
  // A file of the inbox changes until it is complete, so it is never linked to an earlier copy.
  const anew = { ...backup, earlier: undefined };
  for (const key of keys) {
    await holding(await storage.fetch(key), async (file) => {
      if (file) await copyFile(`inbox/${key}`, anew, async () => createReadStream(file.path));
    });
  }
}

async function copyFile(
  name: string,
  { folder, copied, earlier }: Backup,
  open: () => Promise<Readable>,
): Promise<void> {
  if (copied.has(name)) return;
  const target = join(folder, name);
  try {
    const known = earlier?.files.get(name);
    if (earlier && known && (await linked(join(earlier.folder, name), target))) {
      copied.set(name, { sha256: known, bytes: (await stat(target)).size });
      return;
    }
    copied.set(name, await writeHashed(target, open));
  } catch (error) {
    if (!(error instanceof Gone) && !isCode(error, 'ENOENT')) throw error;
  }
}

/** False if the two files are on different disks, or the other file no longer exists. */
async function linked(existing: string, target: string): Promise<boolean> {
  await makeFolder(dirname(target), 0o700);
  try {
    await link(existing, target);
    return true;
  } catch (error) {
    if (isCode(error, 'EXDEV', 'ENOENT', 'EMLINK', 'EPERM')) return false;
    throw error;
  }
}

/** The keys of which the backup has no files. */
export function missingFrom(
  copied: Copied,
  { media, inbox }: { media: string[]; inbox: string[] },
): string[] {
  const folders = new Set([...copied.keys()].map((name) => name.split('/', 2).join('/')));
  return [...media.map((key) => `media/${key}`), ...inbox.map((key) => `inbox/${key}`)].filter(
    (name) => !folders.has(name),
  );
}

/** Writes the list of copied files, in the format of `sha256sum --check`. */
export async function writeList(folder: string, copied: Copied): Promise<Hashed> {
  const lines = [...copied]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { sha256 }]) => `${sha256}  ${name}\n`);
  return await writeHashed(join(folder, places.files), () => Readable.from(lines));
}

/** The list of another backup: hashes by name. */
export async function readList(folder: string): Promise<Map<string, string>> {
  const text = await readFile(join(folder, places.files), 'utf8');
  const lines = text.split('\n').filter(Boolean);
  return new Map(
    lines.map((line) => {
      const [, sha256 = '', name = ''] =
        /^([0-9a-f]{64}) {2}((?:inbox|media)\/[0-9a-f]{32}(?:\/\w[\w.-]*)?)$/.exec(line) ?? [];
      if (!name) throw new Error(`${places.files} holds a line that is none: ${line.slice(0, 200)}`);
      return [name, sha256];
    }),
  );
}

export async function isWhole(path: string, sha256: string): Promise<boolean> {
  return (await undefinedIfMissing(sha256Of(path)))?.toString('hex') === sha256;
}
