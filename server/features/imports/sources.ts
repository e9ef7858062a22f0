import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { dropFiles } from '../stored-files/stored-files.ts';
import * as queries from './imports.queries.ts';

interface Claim {
  videoKey: string;
  sourceUrl?: string | undefined;
  isMine?: boolean | undefined;
}

/**
 * The address from which an upload was imported; empty if it was not. An imported video can be published only if the
 * person confirms that they may publish it (decisions §3).
 */
export async function sourceOfUpload(db: Kysely<Tables>, personId: string, claim: Claim): Promise<string> {
  const source = (await queries.sourceOf(db, claim.videoKey, personId)) ?? '';
  if (claim.sourceUrl && claim.sourceUrl !== source) throw new Refusal('source_unknown', {}, 'sourceUrl');
  if (source && !claim.isMine) throw new Refusal('not_confirmed', {}, 'isMine');
  return source;
}

/** Drops the copy to watch of a fetched video that is being published; the sweep deletes it. */
export async function dropCopy(
  trx: Transaction<Tables>,
  personId: string,
  uploadKey: string,
  now: Date,
): Promise<void> {
  const key = await queries.copyOf(trx, uploadKey, personId);
  if (key) await dropFiles(trx, { ownerId: personId, keys: [key] }, now);
}
