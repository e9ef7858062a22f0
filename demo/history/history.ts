import { commentOnReel, likeReel, shareReel } from '#server/features/reels/engagement.ts';
import { recordShowings, type SeenReel } from '#server/features/views/views.ts';
import { newId } from '#server/platform/ids.ts';
import { clips } from '../clips/catalogue.ts';
import { before, contextAt, type Demo } from '../demo.ts';
import { comments, people, viewers } from '../people.ts';
import { hasHappened, note, noted } from '../progress.ts';
import { type Random, randomOf } from '../random.ts';
import { idOf } from '../society.ts';
import { audience, type Showing } from './audience.ts';
import { visitsOf } from './visits.ts';

const atOnce = 2000;

/** What happened to a clip's reel since it was published: showings, likes, comments, shares. Watched views follow when all reels are there. */
export async function addHistory(demo: Demo, index: number): Promise<void> {
  const { db, ids, now, signal } = demo;
  const clip = clips[index];
  const reelId = await noted(db, `clip ${index}`);
  if (!clip || !reelId || (await hasHappened(db, `history ${index}`))) return;
  const creatorId = idOf(ids, clip.by);
  const publishedAt = before(now, clip.daysAgo);

  await respond(demo, reelId, creatorId, publishedAt, randomOf(index + 131));
  const visits = [...viewers.keys()]
    .flatMap((viewer) => visitsOf(viewer, now))
    .filter(({ clip: of }) => of === index);
  const showings = [...showingsOf(index, now), ...visits.map(({ at }) => ({ at, who: 'visitor' }))].map(
    ({ at, who }): SeenReel => ({
      reelId,
      personId: who === 'creator' ? creatorId : undefined,
      bot: who === 'bot',
      at,
    }),
  );
  for (let from = 0; from < showings.length; from += atOnce) {
    signal.throwIfAborted();
    await recordShowings(contextAt(demo, now), showings.slice(from, from + atOnce));
  }
  await note(db, `history ${index}`);
}

/** The showings of a clip, the same at every start. */
export function showingsOf(index: number, now: Date): Showing[] {
  const clip = clips[index];
  if (!clip) return [];
  // The months that are over have to pay something; of this one few rows are enough.
  const watchedShare = clip.daysAgo < 30 ? 0.3 : 0.7;
  const publication = { publishedAt: before(now, clip.daysAgo), showings: clip.views, watchedShare };
  return [...audience(publication, now, randomOf(index + 31))];
}

async function respond(
  demo: Demo,
  reelId: string,
  creatorId: string,
  publishedAt: Date,
  random: Random,
): Promise<void> {
  const { ids, now } = demo;
  const since = now.getTime() - publishedAt.getTime();
  const sometime = () => contextAt(demo, new Date(publishedAt.getTime() + since * random() ** 2));
  for (const { username } of people) {
    const personId = idOf(ids, username);
    if (personId === creatorId) continue;
    if (random() < 0.7) await likeReel(sometime(), reelId, personId);
    if (random() < 0.28) {
      const text = comments[Math.floor(random() * comments.length)] ?? '';
      const sentAs = newId(now);
      await commentOnReel(sometime(), reelId, personId, { text, sentAs });
    }
    if (random() < 0.35) await shareReel(sometime(), reelId, personId);
  }
}
