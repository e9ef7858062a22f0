import type { Page } from '#contract/fields.ts';
import { limits } from '#contract/limits.ts';
import type { Story } from '#contract/stories.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import type { Caller } from '#server/platform/route.ts';
import { addToMonths } from '../earnings/months.ts';
import { scheduleFanOut } from '../notifications/fan-out.ts';
import { extraFilesJob } from '../stored-files/extra-files.ts';
import { noPhoto, takePhoto } from '../uploads/photos.ts';
import { noteFirstPublication } from '../uploads/uploads.ts';
import { asStory } from './show.ts';
import * as queries from './stories.queries.ts';

type Showing = Context<'db' | 'clock' | 'config'>;

/** Public stories of the last 24 hours, newest first (decisions §7). */
export async function listStories(context: Showing, page: Page) {
  return await listBy(context, {}, page);
}

/** Stories of one person. Their owner also sees older ones. */
export async function listStoriesOf(
  context: Showing,
  creatorId: string,
  caller: Caller | undefined,
  page: Page,
) {
  return await listBy(context, { creatorId, all: caller?.id === creatorId }, page);
}

async function listBy(
  { db, clock, config }: Showing,
  { creatorId, all = false }: { creatorId?: string; all?: boolean },
  page: Page,
): Promise<{ data: Story[]; nextCursor: string | null }> {
  const since = startOf(clock());
  const which = { ...(creatorId ? { creatorId } : {}), ...(all ? {} : { since }) };
  const rows = await queries.listStories(db, which, page.limit + 1, readCursor(page.cursor));
  const position = (row: queries.StoryRow) => ({ at: row.published_at, id: row.id });
  return pageOf(rows, page.limit, position, (row) =>
    asStory(row, config.mediaOrigin, row.published_at <= since),
  );
}

/** A story of the caller, of any age. */
export async function showOwnStory({ db, clock, config }: Showing, id: string): Promise<Story> {
  const row = await queries.findStory(db, id);
  if (!row) throw notFound('This story was not found.');
  return asStory(row, config.mediaOrigin, row.published_at <= startOf(clock()));
}

/** Stories published after this time are public. */
const startOf = (now: Date) => new Date(now.getTime() - limits.storyHours * 3_600_000);

export interface StoryForm {
  /** Id of the person as the client assumes it. */
  userId?: string | undefined;
  /** Name of the uploaded photo, from its upload. */
  fileName: string;
  statusText: string;
}

/** Publishes an uploaded photo as a story. A repeated request returns the same story. */
export async function publishStory(
  { db, jobs, clock, config }: Context<'db' | 'jobs' | 'clock' | 'config'>,
  creatorId: string,
  form: StoryForm,
): Promise<{ id: string; isNew: boolean }> {
  if (form.userId && form.userId !== creatorId)
    throw new Refusal('not_yours', 'You can publish only as yourself.');
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const photo = await takePhoto(trx, form.fileName, creatorId, now);
    if (!photo) {
      const known = await queries.findByMediaKey(trx, form.fileName, creatorId);
      if (known) return { id: known.id, isNew: false };
      throw await noPhoto(trx, form.fileName, creatorId);
    }
    const { key, sha256, placeholder, width, height, widths } = photo;
    const duplicate = !(await noteFirstPublication(trx, photo, creatorId, now));
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
    await scheduleFanOut(trx, jobs, { kind: 'new_story', senderId: creatorId, aboutId: id }, now);
    if (!duplicate) await addToMonths(trx, [{ creatorId, month: monthOf(now, config.timeZone), stories: 1 }]);
    return { id, isNew: true };
  });
}

/** Prevents the deletion of a public story during this transaction. Returns false if it is not public. */
export const lockStoryAgainstDeletion = queries.lockAgainstDeletion;
