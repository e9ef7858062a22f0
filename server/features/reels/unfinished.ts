import type { Transaction } from 'kysely';
import type { Page } from '#contract/fields.ts';
import type { UnfinishedReel, UnfinishedState } from '#contract/media.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { keptForRetry, putInUse } from '../stored-files/stored-files.ts';
import { enqueueReel } from './processing.ts';
import * as queries from './reels.queries.ts';

/** Reels that could not be processed, or are in processing, oldest first. */
export async function listUnfinished(
  { db }: Context<'db'>,
  { state, limit, cursor }: Page & { state: UnfinishedState },
): Promise<{ data: UnfinishedReel[]; nextCursor: string | null }> {
  const rows = await queries.listUnfinished(db, state, limit + 1, readCursor(cursor));
  const position = (row: queries.UnfinishedRow) => ({ at: row.uploaded_at, id: row.id });
  return pageOf(rows, limit, position, await shownOf(db, rows));
}

export async function showUnfinished({ db }: Context<'db'>, id: string): Promise<UnfinishedReel> {
  const row = await queries.findUnfinished(db, id);
  if (!row) throw notFound('reel');
  return (await shownOf(db, [row]))(row);
}

async function shownOf(db: Context<'db'>['db'], rows: readonly queries.UnfinishedRow[]) {
  const kept = await keptForRetry(
    db,
    rows.map((row) => row.media_key),
  );
  return (row: queries.UnfinishedRow): UnfinishedReel => ({
    _id: row.id,
    state: row.state === 'failed' ? 'failed' : 'processing',
    userId: row.creator_id,
    username: row.username,
    caption: row.caption,
    progress: row.progress,
    failure: row.failure,
    failureReason: row.failure_reason,
    uploadedAt: row.uploaded_at.toISOString(),
    canRetry: row.state === 'failed' && kept.has(row.media_key),
  });
}

/** Processes a failed reel again, whose file is kept for that. */
export async function retryReel(
  trx: Transaction<Tables>,
  { jobs, clock }: Context<'jobs' | 'clock'>,
  id: string,
): Promise<void> {
  const reel = await queries.lockReel(trx, id);
  if (!reel) throw notFound('reel');
  const retried = await queries.markRetried(trx, reel);
  if (!retried) throw new Refusal('not_retried', { what: 'state' });
  const { creator_id: ownerId, media_key: key } = retried;
  if (!(await keptForRetry(trx, [key])).has(key)) throw new Refusal('not_retried', { what: 'file' });
  await putInUse(trx, { ownerId, keys: [key] }, clock());
  await enqueueReel(trx, { jobs }, { reelId: id, ownerId });
}
