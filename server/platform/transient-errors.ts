import { isDatabaseUnavailable } from './database/availability.ts';
import { codeOf } from './files.ts';
import { Refusal, unavailable } from './refusal.ts';

/** What a disk answers that is full, and our own refusal before it is. */
const full = new Set(['ENOSPC', 'EDQUOT', 'storage_full']);
/** What a disk answers that has failed or may not be written, and a process that has too many files open. */
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
/** What a folder answers that is not there or may not be entered; one file alone may answer the same. */
const away = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM']);

/**
 * What to say where something we stand on has failed: the database or the files. Undefined where the fault is another.
 * It passes without a restart, so whatever failed by it may be tried again.
 */
export function asTransientRefusal(error: unknown): Refusal | undefined {
  if (isDatabaseUnavailable(error)) return unavailable();
  const code = codeOf(error);
  if (full.has(code)) return storageFull();
  if (failed.has(code) || away.has(code))
    return unavailable('We cannot store or read files right now. Please try again in a moment.');
  return undefined;
}

/** Whether it is worth waiting for, whatever was being done. */
export function isTransient(error: unknown): boolean {
  return isDatabaseUnavailable(error) || full.has(codeOf(error)) || failed.has(codeOf(error));
}

/** The disk is full. */
export function storageFull(): Refusal {
  const refusal = new Refusal(
    'storage_full',
    'There is no space for more files right now. Please try again later.',
  );
  refusal.retryAfter = 60;
  return refusal;
}
