import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What a folder holds: sizes in bytes by name, as `uploads.files` keeps them. */
export async function sizesIn(folder: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const name of await readdir(folder)) sizes[name] = (await stat(join(folder, name))).size;
  return sizes;
}
