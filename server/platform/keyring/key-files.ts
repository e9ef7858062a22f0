import { randomBytes } from 'node:crypto';
import { chmod, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode } from '../files.ts';
import { keyFolder, openFolder } from '../setting-paths.ts';
import { StartupError } from '../startup-error.ts';

export interface KeyFile {
  name: string;
  version: number;
  key: Buffer;
}

const temporary = '.new-';
export const newKey = () => randomBytes(32);

/** Creates the folder of keys or uses the existing one. Throws one sentence if this user cannot use it. */
export async function openKeyFolder(folder: string, warn: (sentence: string) => void): Promise<void> {
  await openFolder(keyFolder(folder));
  await closeToOthers(folder, 0o700, warn);
}

/** Every key in the folder. Other files are ignored; a damaged key throws one sentence. */
export async function readKeyFiles(folder: string, warn: (sentence: string) => void): Promise<KeyFile[]> {
  const files: KeyFile[] = [];
  for (const fileName of (await readdir(folder)).sort()) {
    const [, name, version] = /^([a-z][a-z-]*)\.(\d{1,9})\.key$/.exec(fileName) ?? [];
    if (!name || !version) continue;
    const path = join(folder, fileName);
    await closeToOthers(path, 0o600, warn);
    const text = (await readFile(path, 'utf8')).trim();
    if (!/^[0-9a-f]{64}$/.test(text))
      throw new StartupError(
        `The key ${path} is damaged: put it back from a copy, or delete it if there is none.`,
      );
    files.push({ name, version: Number(version), key: Buffer.from(text, 'hex') });
  }
  return files;
}

/** Writes keys that the folder does not have. After a crash each of them is complete or missing. */
export async function writeKeyFiles(folder: string, keys: readonly KeyFile[]): Promise<void> {
  if (keys.length === 0) return;
  for (const { name, version, key } of keys) {
    const path = join(folder, `${temporary}${name}.${version}`);
    const file = await open(path, 'w', 0o600);
    try {
      await file.writeFile(`${key.toString('hex')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path, join(folder, `${name}.${version}.key`));
  }
  await syncFolder(folder);
}

/** Deletes keys permanently; a missing one is no error. */
export async function removeKeyFiles(
  folder: string,
  keys: readonly Pick<KeyFile, 'name' | 'version'>[],
): Promise<void> {
  for (const { name, version } of keys) await rm(join(folder, `${name}.${version}.key`), { force: true });
  await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Deletes temporary files of an interrupted write. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(temporary)) await rm(join(folder, name), { force: true });
}

/** Removes access for other users from a file or folder, and reports that to `warn`. */
async function closeToOthers(path: string, mode: number, warn: (sentence: string) => void): Promise<void> {
  const isOpen = async () => ((await stat(path)).mode & 0o077) !== 0;
  if (!(await isOpen())) return;
  try {
    await chmod(path, mode);
  } catch (error) {
    if (!isCode(error, 'EPERM', 'EROFS', 'EACCES')) throw error;
  }
  if (await isOpen())
    throw new StartupError(
      `Other users of this machine may read ${path}, and this user cannot change that: its mode must be ${mode.toString(8)}.`,
    );
  warn(
    `Other users of this machine could read ${path} until now. Its mode is ${mode.toString(8)} from now on.`,
  );
}
