import type { Random } from '../random.ts';

const hour = 60 * 60 * 1000;

/** One showing of a reel in the demo's past. */
export interface Showing {
  at: Date;
  /** A new viewer, one who was here just before, the creator, or a bot. */
  who: 'visitor' | 'same' | 'creator' | 'bot';
  /** Whether they watched for five seconds. */
  watched: boolean;
}

/**
 * Showings of one reel between its publication and now, oldest first: most in its first days, then a long tail; mostly
 * new viewers, some who soon return, a few bots and the creator, as in real records.
 */
export function* audience(
  { publishedAt, showings, watchedShare }: { publishedAt: Date; showings: number; watchedShare: number },
  now: Date,
  random: Random,
): Generator<Showing> {
  const span = now.getTime() - publishedAt.getTime();
  if (span < hour) return;
  const moments = Array.from({ length: showings }, () => publishedAt.getTime() + span * random() ** 3).sort(
    (a, b) => a - b,
  );
  for (const [place, moment] of moments.entries()) {
    const dice = random();
    const who = dice < 0.06 && place > 0 ? 'same' : dice < 0.08 ? 'bot' : dice < 0.09 ? 'creator' : 'visitor';
    yield { at: new Date(moment), who, watched: random() < watchedShare };
  }
}
