import type { Kysely } from 'kysely';
import type { Page } from '#contract/fields.ts';
import { limits } from '#contract/limits.ts';
import type { Story } from '#contract/stories.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { notFound } from '#server/platform/refusal.ts';
import type { Caller } from '#server/platform/route.ts';
import { lockAgainstDeletion } from './photos.queries.ts';
import { type Publishing, publishPhoto, type StoryForm } from './publish.ts';
import { asStory } from './show.ts';
import * as queries from './stories.queries.ts';

type Showing = Context<'db' | 'clock' | 'config'>;

/** Public stories of the last 24 hours, newest first (decisions §7). */
export async function listStories(context: Showing, page: Page, viewerId?: string) {
  return await listBy(context, { viewerId }, page);
}

/** Stories of one person. Their owner also sees older ones. */
export async function listStoriesOf(
  context: Showing,
  creatorId: string,
  caller: Caller | undefined,
  page: Page,
) {
  return await listBy(context, { creatorId, viewerId: caller?.id }, page);
}

async function listBy(
  { db, clock, config }: Showing,
  { creatorId, viewerId }: { creatorId?: string; viewerId: string | undefined },
  page: Page,
): Promise<{ data: Story[]; nextCursor: string | null }> {
  const since = startOf(clock());
  const isOwn = creatorId !== undefined && creatorId === viewerId;
  const which = { viewerId, ...(creatorId ? { creatorId } : {}), ...(isOwn ? {} : { since }) };
  const rows = await queries.listStories(db, which, page.limit + 1, readCursor(page.cursor));
  const position = (row: queries.StoryRow) => ({ at: row.published_at, id: row.id });
  return pageOf(rows, page.limit, position, (row) =>
    asStory(row, config.mediaOrigin, { over: row.published_at <= since, isOwn }),
  );
}

/** A story of the caller, of any age. */
export async function showOwnStory({ db, clock, config }: Showing, id: string): Promise<Story> {
  const row = await queries.findStory(db, id);
  if (!row) throw notFound('story');
  return asStory(row, config.mediaOrigin, { over: row.published_at <= startOf(clock()), isOwn: true });
}

/** Stories published after this time are public. */
export const startOf = (now: Date) => new Date(now.getTime() - limits.storyHours * 3_600_000);

/** Publishes an uploaded photo as a story. A repeated request returns the same story. */
export const publishStory = (context: Publishing, creatorId: string, form: StoryForm) =>
  publishPhoto(context, creatorId, { kind: 'story', ...form });

/** Prevents the deletion of a public story during this transaction. Returns false if it is not public. */
export const lockStoryAgainstDeletion = (db: Kysely<Tables>, id: string) =>
  lockAgainstDeletion(db, 'story', id);
