import type { DiskSpace } from '../disk-space.ts';
import { type BucketStorage, openBucketStorage } from './bucket.ts';
import { type DiskStorage, openDiskStorage } from './disk.ts';
import type { S3Settings } from './s3-client.ts';

/** Either kind of storage, for code that must distinguish them. */
export type AnyStorage = DiskStorage | BucketStorage;

export type StorageSettings = { kind: 'disk' } | ({ kind: 's3' } & S3Settings);

/**
 * The configured storage; `folder` is this machine's own. Throws StartupError if it can never work; a store that does not respond now only
 * causes a `warn`. Files on the machine's disk reserve `room`.
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
