import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#server/platform/clock.ts';
import type { Demo } from './demo.ts';
import { whileDrawing } from './drawing.ts';
import { runningAt, storyAt, timeOf } from './pictures/stories.ts';
import { hasHappened } from './progress.ts';
import { publishStoryAt } from './publish.ts';
import { findPeople } from './society.ts';

type Started = Omit<Demo, 'ids'>;
const often = 10 * 60 * 1000;

/** Publishes each story of the demo again when its 24 hours are over, until the site stops: so there always are some. */
export async function keepStories(started: Started, clock: Clock): Promise<never> {
  for (;;) {
    await publishMissing(started, clock());
    await sleep(often, undefined, { signal: started.signal });
  }
}

/** Publishes the stories that are missing at this time, but those of people who have deleted their account. */
export async function publishMissing(started: Started, now: Date): Promise<void> {
  const { db, now: begun } = started;
  const ids = await findPeople(db);
  const missing: number[] = [];
  for (const index of runningAt(now, begun))
    if (ids.has(storyAt(index).by) && !(await hasHappened(db, `story ${index}`))) missing.push(index);
  if (missing.length === 0) return;
  await whileDrawing(started, async (draw) => {
    for (const index of missing) {
      const drawn = await draw({ kind: 'story', index });
      await publishStoryAt({ ...started, ids, now }, index, timeOf(index, begun), drawn);
    }
  });
}
