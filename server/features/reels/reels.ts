import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { categoryOf } from '#contract/categories.ts';
import type { Page } from '#contract/fields.ts';
import type { addReel, Reel } from '#contract/reels.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import type { Caller } from '#server/platform/route.ts';
import { dropCopy, sourceOfUpload } from '../imports/sources.ts';
import { isOwnThumbnail, takeUpload } from '../uploads/uploads.ts';
import { enqueueReel } from './processing.ts';
import * as queries from './reels.queries.ts';
import { indexReel } from './searched.ts';
import { asReel, isPublic } from './show.ts';

export interface ReelPage {
  data: Reel[];
  nextCursor: string | null;
}

/** All public reels, newest first, without those of people who are blocked for the viewer. */
export async function listReels(
  { db, config }: Context<'db' | 'config'>,
  page: Page,
  viewerId?: string,
): Promise<ReelPage> {
  const rows = await queries.listPublic(db, viewerId, page.limit + 1, readCursor(page.cursor));
  const position = (row: queries.ReelRow) => ({ at: row.published_at ?? row.uploaded_at, id: row.id });
  return pageOf(rows, page.limit, position, (row) => asReel(row, config.mediaOrigin));
}

/** Reels of one person. Their owner also sees those that are processing, failed or taken down. */
export async function listReelsOf(
  { db, config }: Context<'db' | 'config'>,
  creatorId: string,
  caller: Caller | undefined,
  page: Page,
): Promise<ReelPage> {
  const which = { creatorId, viewerId: caller?.id };
  const rows = await queries.listOfCreator(db, which, page.limit + 1, readCursor(page.cursor));
  const position = (row: queries.ReelRow) => ({ at: row.uploaded_at, id: row.id });
  return pageOf(rows, page.limit, position, (row) => asReel(row, config.mediaOrigin));
}

/** The public ones of these reels, by their ids. */
export async function reelsById(
  { db, config }: Context<'db' | 'config'>,
  ids: readonly string[],
  viewerId: string | undefined,
): Promise<Map<string, Reel>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.listByIds(db, viewerId, ids);
  return new Map(rows.map((row) => [row.id, asReel(row, config.mediaOrigin)]));
}

/** One reel. A reel that is not public is visible to its owner only. */
export async function showReel(
  { db, config }: Context<'db' | 'config'>,
  id: string,
  caller: Caller | undefined,
): Promise<Reel> {
  const row = await queries.findReel(db, id, caller?.id);
  if (!row || (!isPublic(row) && caller?.id !== row.creator_id)) throw notFound('reel');
  return asReel(row, config.mediaOrigin);
}

/**
 * Creates a reel from an uploaded video. Reel, use of the upload and encoding job are created in one transaction. A
 * repeated request returns the same reel.
 */
export async function publishReel(
  { db, jobs, clock, config }: Context<'db' | 'jobs' | 'clock' | 'config'>,
  creatorId: string,
  form: z.output<(typeof addReel)['body']>,
): Promise<Reel> {
  const now = clock();
  if (form.userId && form.userId !== creatorId) throw new Refusal('not_yours', { what: 'publish' });
  const categories = categoryIds(form.category);
  const thumbnailKey = await thumbnailOf(db, creatorId, form.thumbnillurl);
  const source = await sourceOfUpload(db, creatorId, form);
  const id = newId(now);
  await inTransaction(db, async (trx) => {
    const take = (key: string, kind: 'video' | 'thumbnail') =>
      takeUpload(trx, { key, ownerId: creatorId, kind }, now);
    const upload = await take(form.videoKey, 'video');
    if (!upload) return;
    if (thumbnailKey && !(await take(thumbnailKey, 'thumbnail')))
      throw new Refusal('upload_used', { what: 'thumbnail' }, 'thumbnillurl');
    if (source) await dropCopy(trx, creatorId, upload.key, now);
    const words = { caption: form.caption, credit: form.creadit, categories };
    await queries.insertReel(trx, {
      ...words,
      id,
      creator_id: creatorId,
      media_key: upload.key,
      thumbnail_key: thumbnailKey,
      source_url: source,
      state: 'processing',
      sha256: upload.sha256,
      original_sha256: upload.original_sha256,
      uploaded_at: now,
    });
    await indexReel(trx, { id, creator_id: creatorId, ...words }, now);
    await enqueueReel(trx, { jobs }, { reelId: id, ownerId: creatorId });
  });
  const row = await queries.findByMediaKey(db, creatorId, form.videoKey);
  if (!row) {
    throw new Refusal('upload_unknown', { what: 'video' }, 'videoKey');
  }
  return asReel(row, config.mediaOrigin);
}

/** The ids of chosen categories, each once; they must exist. */
export function categoryIds(chosen: (string | { id: string })[]): string[] {
  const ids = new Set(chosen.map((category) => (typeof category === 'string' ? category : category.id)));
  for (const id of ids) {
    if (!categoryOf(id)) throw new Refusal('unknown_category', {}, 'category');
  }
  return [...ids];
}

/** The key of the thumbnail uploaded by the client, which must be the caller's own. */
async function thumbnailOf(db: Kysely<Tables>, ownerId: string, url: string): Promise<string | null> {
  if (!url) return null;
  const key = /\/media\/([0-9a-f]{32})\//.exec(url)?.[1];
  if (!key || !(await isOwnThumbnail(db, key, ownerId))) {
    throw new Refusal('upload_unknown', { what: 'thumbnail' }, 'thumbnillurl');
  }
  return key;
}

/** Prevents the deletion of a public reel during this transaction. Returns false if it is not public. */
export const lockReelAgainstDeletion = queries.lockAgainstDeletion;

export const countFailedReels = queries.countFailedReels;
