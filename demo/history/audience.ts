import { createHash } from 'node:crypto';
import type { SeenReel } from '#server/features/views/views.ts';
import type { Random } from '../random.ts';

const hour = 60 * 60 * 1000;

/** An invented visitor: the same number is the same visitor. */
function visitor(number: number): Buffer {
  return createHash('sha256').update(`demo visitor ${number}`).digest().subarray(0, 16);
}

/**
 * Views of one reel between its publication and now, oldest first: most in its first days, then a long tail; mostly
 * new eyes, some who come back the same day, a few bots and its own creator looking, as a real record has.
 */
export function* audience(
  reelId: string,
  creatorId: string,
  publishedAt: Date,
  now: Date,
  views: number,
  random: Random,
): Generator<SeenReel> {
  const span = now.getTime() - publishedAt.getTime();
  if (span < hour) return;
  const moments = Array.from({ length: views }, () => publishedAt.getTime() + span * random() ** 3).sort(
    (a, b) => a - b,
  );
  let last: SeenReel | undefined;
  for (const moment of moments) {
    const dice = random();
    const at = new Date(moment);
    if (dice < 0.06 && last) last = { ...last, at };
    else if (dice < 0.08) last = { reelId, viewer: visitor(-1), personId: undefined, bot: true, at };
    else if (dice < 0.09) last = { reelId, viewer: visitor(-2), personId: creatorId, bot: false, at };
    else
      last = { reelId, viewer: visitor(Math.floor(random() * 40_000)), personId: undefined, bot: false, at };
    yield last;
  }
}
