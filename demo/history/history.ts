import { commentOnReel, likeReel, shareReel } from '#server/features/reels/engagement.ts';
import { recordViews, type SeenReel } from '#server/features/views/views.ts';
import { newId } from '#server/platform/ids.ts';
import { clips } from '../clips/catalogue.ts';
import { contextAt, type Demo } from '../demo.ts';
import { comments } from '../people.ts';
import { hasHappened, note, noted } from '../progress.ts';
import { type Random, randomOf } from '../random.ts';
import { idOf } from '../society.ts';
import { audience } from './audience.ts';
import { unlessSettled } from './settled.ts';

const atOnce = 500;

/** What happened to a clip's reel since it was published: views, likes, comments, shares. */
export async function addHistory(demo: Demo, index: number): Promise<void> {
  const { db, ids, now, signal } = demo;
  const clip = clips[index];
  const reelId = await noted(db, `clip ${index}`);
  if (!clip || !reelId || (await hasHappened(db, `history ${index}`))) return;
  const random = randomOf(index + 31);
  const creatorId = idOf(ids, clip.by);
  const publishedAt = new Date(now.getTime() - clip.daysAgo * 24 * 60 * 60 * 1000);

  await respond(demo, reelId, creatorId, publishedAt, random);
  let batch: SeenReel[] = [];
  for (const view of audience(reelId, creatorId, publishedAt, now, clip.views, random)) {
    batch.push(view);
    if (batch.length < atOnce) continue;
    signal.throwIfAborted();
    await look(demo, batch);
    batch = [];
  }
  if (batch.length > 0) await look(demo, batch);
  await note(db, `history ${index}`);
}

async function look(demo: Demo, batch: SeenReel[]): Promise<void> {
  await unlessSettled(demo.now, (at) =>
    recordViews(contextAt(demo, demo.now), at ? batch.map((view) => ({ ...view, at })) : batch),
  );
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
  for (const personId of ids.values()) {
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
