import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StartupError } from '#server/platform/startup-error.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A name that is valid in SQL and as a file name. */
const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);

/** The content of a backup. It is written last: a folder without it is no backup. */
const manifest = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  /** The migrations of the database. */
  migrations: z.array(z.string()).min(1),
  /** Referenced tables come before those that refer to them. */
  tables: z.array(z.object({ name, columns: z.array(name).min(1), rows: z.int().min(0), sha256 })),
  /** About `jobs.json`: the pending jobs of the queue. */
  jobs: z.object({ count: z.int(), sha256 }),
  /** About `files.sha256`: one line for each file of the inbox and the media store, in the format of sha256sum. */
  files: z.object({ count: z.int(), bytes: z.int(), sha256 }),
  /** Folders of media and files of the inbox that rows refer to but the site itself had lost. */
  missing: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifest>;

const fileName = 'manifest.json';
export const places = {
  rows: (table: string) => join('rows', `${table}.copy.gz`),
  jobs: 'jobs.json',
  files: 'files.sha256',
};

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, fileName);
  await writeFile(`${path}.new`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** Reads the manifest of the backup in `folder`. Throws one sentence if there is none, or it is incomplete. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, fileName), 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new StartupError(
      `There is no whole backup in ${folder}: ${fileName}, which is written last, is missing.`,
    );
  const parsed = manifest.safeParse(asJson(text));
  if (!parsed.success)
    throw new StartupError(`The ${fileName} in ${folder} is not one that this version of Jhalak writes.`);
  return parsed.data;
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
