import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { newId } from '#server/platform/ids.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { publishCompared } from '../copies/matching.ts';
import { waiting } from '../copies/waiting.ts';
import { addToMonths } from '../month-counts/months.ts';
import { scheduleFanOut } from '../notifications/fan-out.ts';
import { indexWork } from '../search-index/search-index.ts';
import { extraFilesJob } from '../stored-files/extra-files.ts';
import { noPhoto, printOfPhoto, takePhoto } from '../uploads/photos.ts';
import { findByMediaKey } from './photos.queries.ts';
import { addToPostCount, insertPost } from './posts.queries.ts';
import { insertStory } from './stories.queries.ts';
import { postTakeDown, storyTakeDown } from './take-down.ts';

const hiding = { post: postTakeDown, story: storyTakeDown };

export type Publishing = Context<'db' | 'jobs' | 'clock' | 'config'>;

interface PhotoForm {
  /** Id of the person as the client assumes it. */
  userId?: string | undefined;
  /** Name of the uploaded photo, from its upload. */
  fileName: string;
}

export type PostForm = PhotoForm & { caption: string; description: string };
export type StoryForm = PhotoForm & { statusText: string };

/** Publishes an uploaded photo. A repeated request returns the same post or story. */
export async function publishPhoto(
  { db, jobs, clock, config }: Publishing,
  creatorId: string,
  form: ({ kind: 'post' } & PostForm) | ({ kind: 'story' } & StoryForm),
): Promise<{ id: string; isNew: boolean }> {
  const { kind } = form;
  if (form.userId && form.userId !== creatorId) throw new Refusal('not_yours', { what: 'publish' });
  const now = clock();
  const month = monthOf(now, config.timeZone);
  const print = await printOfPhoto(db, form.fileName, creatorId);
  return await publishCompared({ db }, { print, creatorId }, async (trx, recognize) => {
    const photo = await takePhoto(trx, form.fileName, creatorId, now);
    if (!photo) {
      const known = await findByMediaKey(trx, kind, form.fileName, creatorId);
      if (known) return { id: known.id, isNew: false };
      throw await noPhoto(trx, form.fileName, creatorId);
    }
    const { key, sha256, placeholder, width, height, widths } = photo;
    const id = newId(now);
    const { duplicate, waits } = await recognize(trx, { creatorId, kind, id }, photo, now);
    const row = {
      id,
      creator_id: creatorId,
      media_key: key,
      sha256,
      duplicate,
      placeholder,
      width,
      height,
      widths,
      published_at: now,
    };
    if (form.kind === 'post') {
      const { caption, description } = form;
      await insertPost(trx, { ...row, caption, description });
      await indexWork(trx, { kind: 'post', id, text: `${caption}\n${description}` }, now);
      await addToPostCount(trx, creatorId, 1);
    } else await insertStory(trx, { ...row, status_text: form.statusText });
    await jobs.send(trx, extraFilesJob, { kind, id, ownerId: creatorId });
    if (waits) await hiding[kind].takeDown(trx, id, waiting, now);
    else await scheduleFanOut(trx, jobs, { kind: `new_${kind}`, senderId: creatorId, aboutId: id }, now);
    const counted = kind === 'post' ? { posts: 1 } : { stories: 1 };
    if (!duplicate) await addToMonths(trx, [{ creatorId, month, ...counted }]);
    return { id, isNew: true };
  });
}
