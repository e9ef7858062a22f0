import { isHidden } from '#server/features/people/blocks.ts';
import { setPicture } from '#server/features/people/profile.ts';
import { publishPost } from '#server/features/posts-and-stories/posts.ts';
import { markStorySeen } from '#server/features/posts-and-stories/seen-stories.ts';
import { publishStory } from '#server/features/posts-and-stories/stories.ts';
import { processReel } from '#server/features/reels/processing.ts';
import { publishReel } from '#server/features/reels/reels.ts';
import { acceptPhoto } from '#server/features/uploads/photos.ts';
import { acceptReelFile } from '#server/features/uploads/uploads.ts';
import { holding } from '#server/platform/storage.ts';
import { clips } from './clips/catalogue.ts';
import { before, contextAt, type Demo, type Drawn } from './demo.ts';
import { addLikes } from './history/likes.ts';
import { unlessClosed } from './history/unless-closed.ts';
import { people } from './people.ts';
import { pictures } from './pictures/catalogue.ts';
import { storyAt } from './pictures/stories.ts';
import { note } from './progress.ts';
import { randomOf } from './random.ts';
import { idOf } from './society.ts';

/**
 * Uploads and publishes a clip as its creator, at its time in the past. It is processed immediately and with that time,
 * instead of by the queue with the current time.
 */
export async function publishClip(demo: Demo, index: number, drawn: Drawn): Promise<void> {
  const { db, ids, now, signal } = demo;
  const clip = clips[index];
  if (!clip) throw new RangeError(`there is no demo clip ${index}`);
  const creatorId = idOf(ids, clip.by);
  const at = before(now, clip.daysAgo);
  const upload = await holding(await drawn(), (file) => acceptReelFile(contextAt(demo, at), creatorId, file));
  const { caption, credit, categories } = clip;
  const form = {
    caption,
    creadit: credit,
    videoKey: upload.fileName,
    thumbnillurl: '',
    category: categories,
  };
  const reel = await publishReel(contextAt(demo, at), creatorId, form);
  await unlessClosed(now, (instead) =>
    processReel(contextAt(demo, instead ?? at), {
      data: { reelId: reel._id, ownerId: creatorId, long: true },
      signal,
    }),
  );
  await note(db, `clip ${index}`, reel._id);
}

/** Publishes a picture as a post with its likes. */
export async function publishPicture(demo: Demo, index: number, drawn: Drawn): Promise<void> {
  const { db, ids, now } = demo;
  const picture = pictures[index];
  if (!picture) return;
  const creatorId = idOf(ids, picture.by);
  const at = before(now, picture.daysAgo);
  const { fileName } = await holding(await drawn(), (file) =>
    acceptPhoto(contextAt(demo, at), creatorId, file),
  );
  const { caption, description } = picture;
  const form = { fileName, caption, description };
  const { id } = await unlessClosed(now, (instead) =>
    publishPost(contextAt(demo, instead ?? at), creatorId, form),
  );
  await addLikes(demo, id, creatorId, at, index);
  await note(db, `picture ${index}`);
}

/** Publishes a story, which some people have seen; the one whose login is printed has not. */
export async function publishStoryAt(demo: Demo, index: number, at: Date, drawn: Drawn): Promise<void> {
  const { db, ids, now } = demo;
  const { by, text } = storyAt(index);
  const creatorId = idOf(ids, by);
  const { fileName } = await holding(await drawn(), (file) =>
    acceptPhoto(contextAt(demo, at), creatorId, file),
  );
  const form = { fileName, statusText: text };
  await unlessClosed(now, async (instead) => {
    const context = contextAt(demo, instead ?? at);
    const story = await publishStory(context, creatorId, form);
    const random = randomOf(index + 211);
    for (const [username, id] of ids)
      if (username !== people[0]?.username && random() < 0.6 && !(await isHidden(db, creatorId, id)))
        await markStorySeen(context, story.id, id);
  });
  await note(db, `story ${index}`);
}

/** Sets the profile picture of a person. */
export async function setAvatar(demo: Demo, index: number, drawn: Drawn): Promise<void> {
  const { db, ids, now } = demo;
  const person = people[index];
  if (!person) return;
  const id = idOf(ids, person.username);
  const { fileName } = await holding(await drawn(), (file) => acceptPhoto(contextAt(demo, now), id, file));
  await setPicture(contextAt(demo, now), id, fileName);
  await note(db, `avatar ${index}`);
}
