import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { notFound } from '#server/platform/refusal.ts';
import * as queries from './stored-files.queries.ts';

/*
 * The register of stored files (docs/decisions/0039-register-of-files.md). Every change of it is part of the transaction
 * that changes the row which names the file.
 */

export const nobody = queries.nobody;

export const uploadGone = () => notFound('upload');

/** Registers a file under its owner, or changes its registration. Throws if the file is being deleted. */
export async function registerFile(
  trx: Transaction<Tables>,
  file: queries.NewFile,
  now: Date,
): Promise<void> {
  if (!(await queries.put(trx, file, now))) throw uploadGone();
}

const to =
  (state: 'in_use' | 'withheld' | 'removed') =>
  (trx: Transaction<Tables>, files: queries.OwnedKeys, now: Date): Promise<void> =>
    queries.setState(trx, files, state, now);

/** Marks these files as used by published content. */
export const putInUse = to('in_use');
/** Withholds these files: they are not served until they are in use again. */
export const withholdFiles = to('withheld');
/** Marks these files as removed: no longer served, and deleted by the sweeper if the caller does not do it. */
export const dropFiles = to('removed');
/** The same for all files of an owner; returns their keys. */
export const dropAllFilesOf = queries.removeAllOf;
/** The same for files of several owners. */
export const dropEach = queries.removeEach;
export const registerBytes = queries.setBytes;
/** Stores that a folder of renditions was published under the key of the received video. */
export const registerRenditions = queries.setRenditions;
/** The keys of those received videos that are kept for another try. */
export async function keptForRetry(db: Kysely<Tables>, keys: readonly string[]): Promise<Set<string>> {
  const files = await queries.findFiles(db, keys);
  return new Set(
    files.filter(({ kind, state }) => kind === 'video' && state === 'withheld').map(({ key }) => key),
  );
}
/** The files that must not be served, and the ids of suspended people. */
export const listHiddenFiles = queries.listHidden;
/** The unpublished files of an owner, including arriving files and copies of fetched videos. */
export const waitingOf = queries.waitingOf;
export const totalBytes = queries.sumBytes;
/** The files of an owner that may have been served. */
export const listFilesOf = queries.listOf;
/** The files that a backup must contain. */
export const listStoredFiles = queries.listKeys;
export const listQuarantined = queries.listQuarantined;
/** Takes a file out of quarantine; it then has no owner. Returns false if it is not in quarantine. */
export const adoptFile = queries.adopt;
export const quarantinedFor = queries.quarantinedFor;
