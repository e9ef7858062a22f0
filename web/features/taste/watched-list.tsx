import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';

export interface ListedReel {
  _id: string;
  caption: string;
  username: string;
  tileurl: string;
  toEnd: boolean;
}

interface WatchedListProps {
  watched: ListedReel[];
  /** The reel that is being forgotten. */
  busy?: string | undefined;
  onForget: (id: string) => void;
}

/** Watched reels, each of which can be forgotten. */
export function WatchedList({ watched, busy, onForget }: WatchedListProps) {
  const text = useText();
  return (
    <ul className="max-h-96 divide-y divide-line overflow-y-auto">
      {watched.map(({ _id, caption, username, tileurl, toEnd }) => {
        const name = caption || text('reel.untitled');
        return (
          <li key={_id} className="flex items-center gap-3 py-2">
            <img
              src={tileurl || undefined}
              alt=""
              width={36}
              height={64}
              loading="lazy"
              className="h-16 w-9 shrink-0 rounded-control bg-night object-cover"
            />
            <p className="min-w-0 flex-1">
              <Link to={`/videoplayer?reel=${_id}`} className="line-clamp-1 font-semibold hover:underline">
                {name}
              </Link>
              <span className="line-clamp-1 text-[0.9375rem] text-soft">
                @{username}
                {toEnd && ` · ${text('taste.toEnd')}`}
              </span>
            </p>
            <Button
              kind="quiet"
              className="shrink-0 px-3!"
              busy={busy === _id}
              aria-label={text('taste.forgetThis', { caption: name, username })}
              onClick={() => onForget(_id)}
            >
              {text('taste.forget')}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
