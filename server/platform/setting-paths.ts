import { readFileSync, statSync } from 'node:fs';
import { access, constants, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, makeFolder } from './files.ts';
import { StartupError } from './startup-error.ts';

interface Folder {
  path: string;
  /** For people, such as `data folder`. */
  name: string;
  setting: string;
  mode: number;
}

export const dataFolder = (path: string): Folder => ({
  path,
  name: 'data folder',
  setting: 'DATA_DIR',
  mode: 0o777,
});
export const keyFolder = (path: string): Folder => ({
  path,
  name: 'folder of keys',
  setting: 'KEYS_DIR',
  mode: 0o700,
});

/** Creates the folder that a setting names, or uses the existing one. Throws a StartupError if this user cannot write there. */
export async function openFolder({ path, name, setting, mode }: Folder): Promise<void> {
  try {
    await makeFolder(path, mode);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    // Some file systems, such as /proc, refuse only the writing itself.
    await rm(await mkdtemp(join(path, 'try-')), { recursive: true });
  } catch (error) {
    throw new StartupError(
      `The ${name} ${path} cannot be used: ${reasonOf(codeOf(error))}. Set ${setting} to another one.`,
    );
  }
}

function reasonOf(code: string): string {
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'it is not a folder';
  if (code === 'EROFS') return 'it is on a read-only disk';
  if (code === 'ENOSPC') return 'the disk is full';
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not write there';
  return `it cannot be made or written (${code})`;
}

/** Larger files are no setting. */
const maxBytes = 1024 * 1024;

/** Reads a file that a setting names. A pipe or a device, whose end may never come, throws. */
export function readSettingFile(path: string): string {
  const facts = statSync(path);
  if (!facts.isFile()) throw new Error(`${path} is not a file`);
  if (facts.size > maxBytes) throw new Error(`${path} is larger than 1 MB`);
  return readFileSync(path, 'utf8');
}
