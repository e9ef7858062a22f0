import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { undefinedIfMissing } from '#server/platform/files.ts';
import { StartupError } from '#server/platform/startup-error.ts';
import type { Storage } from '#server/platform/storage.ts';
import { writeHashed } from './hashed-file.ts';

/** Copies every file of a backup into the storage, and verifies its hash. */
export async function restoreFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
  storage: Storage,
): Promise<void> {
  const folders = new Map<string, string[]>();
  for (const name of files.keys()) {
    const [area = '', key = '', file] = name.split('/');
    if (area === 'media') folders.set(key, [...(folders.get(key) ?? []), file ?? '']);
    else
      await storage.inWorkspace(async (made) => {
        await put(name, join(made, key));
        await storage.append(key, 0, createReadStream(join(made, key)));
      });
  }
  for (const [key, names] of folders) {
    await storage.inWorkspace(async (made) => {
      for (const name of names) await put(`media/${key}/${name}`, join(made, name));
      await storage.publish(key, made);
    });
  }

  async function put(name: string, target: string): Promise<void> {
    const written = await undefinedIfMissing(writeHashed(target, () => createReadStream(join(folder, name))));
    if (written?.sha256 !== files.get(name))
      throw new StartupError(`The backup is damaged: ${name} is not what was written.`);
  }
}

/** Whether a storage is empty. */
export async function isEmpty(storage: Storage): Promise<boolean> {
  for await (const _ of storage.list()) return false;
  return true;
}

/** Deletes everything in a storage that was empty before. */
export async function empty(storage: Storage): Promise<void> {
  const names = new Set<string>();
  for await (const { key } of storage.list()) names.add(key.split('/', 2).join('/'));
  for (const name of names) {
    const [area, key = ''] = name.split('/');
    await (area === 'inbox' ? storage.discard(key) : storage.remove(key));
  }
}
