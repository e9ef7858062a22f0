import { useState } from 'react';
import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { useCategoryName } from '../categories/use-category-name.ts';
import type { FeedReel } from '../feed/feed.ts';

/** Who made it and what they say about it. */
export function Details({ reel }: { reel: FeedReel }) {
  const text = useText();
  const nameOf = useCategoryName();
  return (
    <div className="grid min-w-0 gap-2.5">
      <Link
        to={`/user/${reel.userId}`}
        state={{ username: reel.username }}
        className="flex min-h-11 w-fit max-w-full items-center gap-3 rounded-control pr-2"
      >
        <Avatar
          src={reel.userProfilePic}
          name={reel.username}
          className="ml-0.5 size-11 ring-2 ring-night-text"
        />
        <span className="truncate pt-0.5 text-lg font-bold">@{reel.username}</span>
      </Link>
      {reel.caption && <Caption key={reel._id} caption={reel.caption} />}
      {reel.creadit && (
        <p className="text-[0.9375rem] text-night-soft">{text('player.credit', { credit: reel.creadit })}</p>
      )}
      {reel.source && <Source address={reel.source} />}
      {reel.category.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {reel.category.map(({ id }) => (
            <li key={id} className="over-video rounded-full px-3 pb-0.5 pt-1 text-[0.9375rem] font-medium">
              {nameOf({ id })}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Where a video fetched by its link comes from. */
function Source({ address }: { address: string }) {
  const text = useText();
  const site = new URL(address).hostname.replace(/^www\./, '');
  return (
    <p className="text-[0.9375rem] text-night-soft">
      <a
        href={address}
        target="_blank"
        rel="noopener nofollow"
        className="inline-flex min-h-8 items-center underline underline-offset-4 hover:text-night-text"
      >
        {text('player.source', { site })}
      </a>
    </p>
  );
}

const longFrom = 90;

function Caption({ caption }: { caption: string }) {
  const text = useText();
  const [open, setOpen] = useState(false);
  const long = caption.length > longFrom || caption.includes('\n');
  return (
    <div>
      <p
        className={`whitespace-pre-line leading-snug ${open ? 'max-h-[40dvh] overflow-y-auto' : 'line-clamp-2'}`}
      >
        {caption}
      </p>
      {long && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="min-h-8 font-semibold underline underline-offset-4"
        >
          {text(open ? 'player.less' : 'player.more')}
        </button>
      )}
    </div>
  );
}
