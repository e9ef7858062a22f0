import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#server/config.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import type { Storage } from '#server/platform/storage.ts';
import { type S3Server, startS3Server } from './s3/server.ts';

export interface OpenedStorage {
  /** One storage used by two processes; each has its own folder if the storage is a bucket. */
  one: Storage;
  other: Storage;
  s3: S3Server | undefined;
  /** The content of the workspace folders. */
  workspaces(): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * An empty storage on a disk or in a bucket. The timeout of the bucket leaves room for two failures, the waits after them and a
 * machine that stands still for two seconds.
 */
export async function openEmptyStorage(kind: 'disk' | 's3'): Promise<OpenedStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-storage-'));
  const s3 = kind === 's3' ? await startS3Server({ pageSize: 3 }) : undefined;
  const { storage: settings } = readConfig({ ...s3?.settings, S3_TIMEOUT_SECONDS: s3 ? '3' : '' });
  const folders = ['one', kind === 's3' ? 'other' : 'one'].map((name) => join(folder, name));
  const open = (place: number) =>
    openStorage(settings, folders[place] ?? '', (error) => {
      throw error;
    });
  const [one, other] = [await open(0), await open(1)];
  return {
    one,
    other,
    s3,
    async workspaces() {
      const places = [...new Set(folders)];
      return (await Promise.all(places.map((place) => readdir(join(place, 'workspaces'))))).flat();
    },
    async close() {
      await Promise.all([one.close(), other.close()]);
      await s3?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
