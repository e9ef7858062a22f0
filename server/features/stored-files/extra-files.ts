import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { encodeAvif } from '#server/media/encode-avif.ts';
import { avifFile, photoFile } from '#server/media/file-names.ts';
import { MediaRefusal } from '#server/media/refusal.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { sizesIn } from '#server/platform/files.ts';
import { newKey } from '#server/platform/ids.ts';
import type { Attempt, JobKind } from '#server/platform/jobs.ts';
import type { Storage } from '#server/platform/storage.ts';
import * as queries from './extra-files.queries.ts';
import { fetchFile } from './fetch-file.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';
import { registerFile } from './stored-files.ts';

/** Makes AVIF of a published photo (docs/decisions/0034-photos-as-avif.md). */
export const extraFilesJob: JobKind<queries.Unmade> = {
  name: 'extra-files',
  // For errors of the machine: a killed server, a child that the system ends. An error of the photo itself is not retried.
  retries: 5,
  seconds: 10 * 60,
  ownerOf: ({ ownerId }) => ownerId,
};

/** Maximum size relative to the WebP of the same width: a smaller saving is not worth another file. */
const share = 0.9;

/**
 * One try. The files get their own folder, complete before its row names it: after a crash it belongs to no row and is deleted by the
 * sweeper.
 */
export async function makeExtraFiles(
  { db, storage, clock }: Context<'db' | 'storage' | 'clock'>,
  { data, signal }: Pick<Attempt<queries.Unmade>, 'data' | 'signal'>,
): Promise<void> {
  const row = await queries.findUnmade(db, data);
  if (!row) return;
  const key = newKey();
  const made = await storage
    .inWorkspace(async (workspace, full) => {
      const folder = join(workspace, 'made');
      await mkdir(folder);
      const ending = AbortSignal.any([signal, full]);
      const work = { storage, key: row.media_key, workspace, folder, signal: ending };
      if (!(await makeAvif(work, row.widths))) return null;
      const files = await sizesIn(folder);
      await retryWhileUnavailable(signal, () => storage.publish(key, folder));
      return { key, files };
    })
    .catch((error: unknown) => {
      if (error instanceof MediaRefusal) return null;
      throw error;
    });
  // The photo was deleted or another try was faster: delete these files.
  if (!(await noteExtraFiles({ db, clock }, data, made)) && made) await storage.remove(key);
}

/** Stores the key of the new files in the row, once; false if there is one already, or the row is deleted. */
export async function noteExtraFiles(
  { db, clock }: Context<'db' | 'clock'>,
  photo: queries.Unmade,
  made: { key: string; files: Record<string, number> } | null,
): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    const noted = await queries.note(trx, photo, made);
    if (noted && made) {
      const bytes = Object.values(made.files).reduce((sum, size) => sum + size, 0);
      const stored = { ownerId: photo.ownerId, ...made, kind: 'extra', bytes } as const;
      const state = noted.taken_down_at ? 'withheld' : 'in_use';
      await registerFile(trx, { ...stored, state }, clock());
    }
    return noted !== undefined;
  });
}

interface AvifTask {
  storage: Storage;
  /** The folder of the existing files. */
  key: string;
  workspace: string;
  /** The folder for the new files. */
  folder: string;
  signal: AbortSignal;
}

async function makeAvif({ storage, key, workspace, folder, signal }: AvifTask, widths: number[]) {
  const path = join(workspace, photoFile);
  const sizes = new Map<string, number>();
  await retryWhileUnavailable(signal, async () => {
    await fetchFile(storage, key, photoFile, path);
    for await (const { key: name, size } of storage.list(`media/${key}/`))
      sizes.set(name.split('/').at(-1) ?? '', size);
  });
  const steps = widths
    .toSorted((width, other) => width - other)
    .map((width) => ({ width, file: avifFile(width), most: share * (sizes.get(`${width}.webp`) ?? 0) }));
  return await encodeAvif(path, folder, steps, { signal });
}

/** Gives up on a photo permanently, after the queue's last try. */
export async function giveUpExtraFiles(db: Kysely<Tables>, photo: queries.Unmade): Promise<void> {
  await inTransaction(db, (trx) => queries.note(trx, photo, null));
}
