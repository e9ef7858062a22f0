import type { DiskSpace } from '../disk-space.ts';
import { type BucketStorage, openBucketStorage } from './bucket.ts';
import { type DiskStorage, openDiskStorage } from './disk.ts';
import type { S3Settings } from './s3-client.ts';

/** Either kind of storage, for code that must distinguish them. */
export type AnyStorage = DiskStorage | BucketStorage;

export type StorageSettings = { kind: 'disk' } | ({ kind: 's3' } & S3Settings);

/**
 * The storage that the configuration names; `folder` is this machine's own. Throws StartupError where it can never work,
 * while a store that does not answer just now only causes a `warn`. What is written to the machine's disk reserves `room`.
 */
export async function openStorage(
  settings: StorageSettings,
  folder: string,
  warn: (error: Error) => void,
  room?: DiskSpace,
): Promise<AnyStorage> {
  return settings.kind === 'disk'
    ? await openDiskStorage(folder, room)
    : await openBucketStorage(settings, folder, warn, room);
}
