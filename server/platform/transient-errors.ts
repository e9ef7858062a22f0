import { isDatabaseUnavailable } from './database/availability.ts';
import { codeOf } from './files.ts';
import { Refusal, unavailable } from './refusal.ts';

/** Codes of a full disk, and of our own refusal shortly before. */
const full = new Set(['ENOSPC', 'EDQUOT', 'storage_full']);
/** Codes of a disk that failed or is read-only, and of a process with too many open files. */
const failed = new Set([
  'EROFS',
  'EIO',
  'ENXIO',
  'ENODEV',
  'ESTALE',
  'ENOTCONN',
  'EBUSY',
  'EMFILE',
  'ENFILE',
]);
/** Codes of a folder that is missing or not accessible. A single missing file has the same codes. */
const inaccessible = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM']);

/**
 * The refusal for an error of the database or the file system, undefined for any other error. Such errors pass without a
 * restart, so the client may retry.
 */
export function asTransientRefusal(error: unknown): Refusal | undefined {
  if (isDatabaseUnavailable(error)) return unavailable();
  const code = codeOf(error);
  if (full.has(code)) return storageFull();
  if (failed.has(code) || inaccessible.has(code)) return unavailable('files');
  return undefined;
}

/** Whether a job should wait and retry after this error. */
export function isTransient(error: unknown): boolean {
  return isDatabaseUnavailable(error) || full.has(codeOf(error)) || failed.has(codeOf(error));
}

/** The refusal for a full disk. */
export function storageFull(): Refusal {
  const refusal = new Refusal('storage_full');
  refusal.retryAfter = 60;
  return refusal;
}
