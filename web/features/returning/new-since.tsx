import { Sparkles } from 'lucide-react';
import { Link } from 'react-router';
import { loadPart } from '#web/messages/catalogues.ts';
import { dateIn } from '#web/messages/dates.ts';
import { useText } from '#web/text.tsx';
import type { PlayerState } from '../player/playlist.ts';
import { useSession } from '../session/use-session.ts';
import type { NewSinceProps } from './new-since-props.ts';

await loadPart('returning');

const day = 24 * 3_600_000;
const isSameDay = (one: Date, other: Date) => dateIn('en', 'day', one) === dateIn('en', 'day', other);

/** How many reels of others are new since a time, as a link to the newest in the player. It lies on the first row, so nothing moves. */
export default function NewSince({ before, videos, rest }: NewSinceProps) {
  const text = useText();
  const { user } = useSession();
  const isNew = videos.map((reel) => new Date(reel.createdAt) > before && reel.userId !== user?._id);
  const startIndex = isNew.indexOf(true);
  const newest = videos[startIndex];
  if (!newest) return null;
  const count = isNew.filter(Boolean).length;
  // Then there may be more on the next page.
  const andMore = isNew.at(-1) && rest?.cursor !== undefined ? 'yes' : 'no';
  const since = isSameDay(before, new Date())
    ? 'lastVisit'
    : isSameDay(before, new Date(Date.now() - day))
      ? 'yesterday'
      : 'day';
  return (
    <div className="pointer-events-none absolute inset-x-2 top-2 z-10 grid justify-items-center">
      <Link
        to={`/videoplayer?reel=${newest._id}`}
        state={{ videos, startIndex, rest } satisfies PlayerState}
        className="pointer-events-auto flex min-h-11 items-center gap-2 rounded-full bg-accent px-4 pt-0.5 text-center font-semibold leading-snug text-on-accent shadow-raised hover:bg-accent-hover"
      >
        <Sparkles aria-hidden className="size-4 shrink-0" />
        {text(`returning.${since}`, { count, andMore, date: before })}
      </Link>
    </div>
  );
}
