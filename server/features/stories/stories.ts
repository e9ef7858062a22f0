import type { Kysely } from 'kysely';
import type { Page } from '#contract/fields.ts';
import { limits } from '#contract/limits.ts';
import type { Story } from '#contract/stories.ts';
import { monthOf } from '#server/platform/clock.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import type { Jobs } from '#server/platform/jobs.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import type { Caller } from '#server/platform/route.ts';
import { addToMonths } from '../earnings/months.ts';
import { extraFilesJob } from '../media/extra-files.ts';
import { noPhoto, takePhoto } from '../media/photos.ts';
import { noteFirstPublication } from '../media/uploads.ts';
import { announce } from '../notifications/news.ts';
import { asStory } from './show.ts';
import * as queries from './stories.queries.ts';

/** The stories that everybody sees, newest first: those of the last 24 hours (decisions §7). */
export async function listStories(db: Kysely<Tables>, page: Page, mediaOrigin: string, now: Date) {
  const rows = await queries.listStories(
    db,
    { since: startOf(now) },
    page.limit + 1,
    readCursor(page.cursor),
  );
  return showPage(rows, page, mediaOrigin, now);
}

/** One person's stories; their owner also gets those that are over. */
export async function listStoriesOf(
  db: Kysely<Tables>,
  creatorId: string,
  caller: Caller | undefined,
  page: Page,
  mediaOrigin: string,
  now: Date,
) {
  const which = caller?.id === creatorId ? { creatorId } : { creatorId, since: startOf(now) };
  const rows = await queries.listStories(db, which, page.limit + 1, readCursor(page.cursor));
  return showPage(rows, page, mediaOrigin, now);
}

/** One's own story, over or not. */
export async function showOwnStory(
  db: Kysely<Tables>,
  id: string,
  mediaOrigin: string,
  now: Date,
): Promise<Story> {
  const row = await queries.findStory(db, id);
  if (!row) throw notFound('This story was not found.');
  return asStory(row, mediaOrigin, row.published_at <= startOf(now));
}

function showPage(rows: queries.StoryRow[], { limit }: Page, mediaOrigin: string, now: Date) {
  const position = (row: queries.StoryRow) => ({ at: row.published_at, id: row.id });
  return pageOf(rows, limit, position, (row) => asStory(row, mediaOrigin, row.published_at <= startOf(now)));
}

/** Since when a story still stands. */
const startOf = (now: Date) => new Date(now.getTime() - limits.storyHours * 3_600_000);

export interface StoryForm {
  /** Whom the client takes itself for. */
  userId?: string | undefined;
  /** Name of the uploaded photo, from its upload. */
  fileName: string;
  statusText: string;
}

/** Makes a story of an uploaded photo, public at once; returns its id. Sent twice it is the same story. */
export async function publishStory(
  db: Kysely<Tables>,
  jobs: Pick<Jobs, 'send'>,
  creatorId: string,
  form: StoryForm,
  now: Date,
  timeZone: string,
): Promise<string> {
  if (form.userId && form.userId !== creatorId)
    throw new Refusal('not_yours', 'You can publish only as yourself.');
  return await inTransaction(db, async (trx) => {
    const photo = await takePhoto(trx, form.fileName, creatorId, now);
    if (!photo) {
      const known = await queries.findByMediaKey(trx, form.fileName, creatorId);
      if (known) return known.id;
      throw await noPhoto(trx, form.fileName, creatorId);
    }
    const { key, sha256, placeholder, width, height, widths } = photo;
    const duplicate = !(await noteFirstPublication(trx, sha256, creatorId, now));
    const id = newId(now);
    await queries.insertStory(trx, {
      id,
      creator_id: creatorId,
      media_key: key,
      status_text: form.statusText,
      sha256,
      duplicate,
      placeholder,
      width,
      height,
      widths,
      published_at: now,
    });
    await jobs.send(trx, extraFilesJob, { kind: 'story', id, ownerId: creatorId });
    await announce(trx, jobs, 'new_story', creatorId, id, now);
    if (!duplicate) await addToMonths(trx, [{ creatorId, month: monthOf(now, timeZone), stories: 1 }]);
    return id;
  });
}

/** Keeps a public story from being deleted for this transaction; false when it is not there. */
export const holdStory = queries.hold;
