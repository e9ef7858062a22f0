import { memo, useState } from 'react';
import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { useCategoryName } from '../categories/use-category-name.ts';
import { controls } from '../interactions/controls.ts';
import { fetchedPart } from '../offline/fetched-part.tsx';
import { RingedAvatar } from '../stories/ringed-avatar.tsx';
import { StoryLink } from '../stories/story-link.tsx';
import { useStoryOf } from '../stories/use-story-of.ts';
import { PersonWords } from '../words/person-words.tsx';
import type { PlayedReel } from './playlist.ts';

const Reason = fetchedPart(() => import('../taste/reason.tsx'));

/** The creator and the text of a reel. The key prevents that the previous creator's picture appears beside this name. */
export const Details = memo(({ reel }: { reel: PlayedReel }) => (
  <div key={reel._id} className="player-details">
    <Creator reel={reel} />
    <Words reel={reel} />
  </div>
));

/** The creator's name leads to the profile, and so does the picture, or to the stories if there are some. */
function Creator({ reel }: { reel: PlayedReel }) {
  const { userId, userProfilePic, username } = reel;
  const { FollowButton } = controls;
  const story = useStoryOf(userId);
  const profile = { to: `/user/${userId}`, state: { username } };
  return (
    <div className="flex max-w-full items-center gap-3">
      {story ? (
        <StoryLink
          userId={userId}
          src={userProfilePic}
          name={username}
          seen={story.seen}
          className="size-8.5"
        />
      ) : (
        // As large as with a ring, which comes once the stories are known. For the keyboard the name is the link.
        <Link {...profile} tabIndex={-1} aria-hidden className="shrink-0 rounded-full">
          <RingedAvatar src={userProfilePic} name={username} seen={undefined} className="size-8.5" />
        </Link>
      )}
      <Link {...profile} className="flex min-h-11 min-w-0 items-center rounded-control pr-2">
        <span className="truncate pt-0.5 text-lg font-bold">@{username}</span>
      </Link>
      {FollowButton && <FollowButton person={{ _id: userId, username }} className="shrink-0 px-4!" />}
    </div>
  );
}

/** Longer texts are cut; the second limit is for short screens, which show one line. */
const long = 90;
const longWhereShort = 16;

/** Caption, credit, source and categories. A short screen shows one line, and all of it after a click. */
function Words({ reel }: { reel: PlayedReel }) {
  const text = useText();
  const nameOf = useCategoryName();
  const [open, setOpen] = useState(false);
  const { caption, creadit, source, category, editedAt, label, why } = reel;
  const more = Boolean(why || creadit || source || category.length > 0);
  const isLong = caption.length > long || caption.includes('\n') || why?.code === 'watched';
  const canOpen = isLong || more || caption.length > longWhereShort;
  return (
    <div className="player-said" data-open={open || undefined}>
      <div className="player-said-words">
        {label && <p className="font-semibold">{text(`player.label.${label}`)}</p>}
        {(caption || editedAt) && (
          <p className="player-caption">
            {caption && <PersonWords words={caption} />}
            {editedAt && (
              <span className="text-[0.9375rem] text-night-soft">
                {caption && ' · '}
                {text('player.edited')}
              </span>
            )}
          </p>
        )}
        {why && (
          <p className="player-more player-why text-[0.9375rem] text-night-soft">
            <Reason why={why} />
          </p>
        )}
        {creadit && (
          <p className="player-more text-[0.9375rem] text-night-soft">
            {text('player.credit', { credit: creadit })}
          </p>
        )}
        {source && <Source address={source} />}
        {category.length > 0 && (
          <ul className="player-more flex flex-wrap gap-x-4 text-[0.9375rem] text-night-soft">
            {category.map(({ id }) => (
              <li key={id}>{nameOf({ id })}</li>
            ))}
          </ul>
        )}
      </div>
      {canOpen && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className={classNames(
            'min-h-11 w-fit shrink-0 font-semibold underline underline-offset-4',
            !isLong && 'player-only-short',
          )}
        >
          {text(open ? 'words.less' : 'words.more')}
        </button>
      )}
    </div>
  );
}

/** A link to the site that the video was imported from. */
function Source({ address }: { address: string }) {
  const text = useText();
  const site = new URL(address).hostname.replace(/^www\./, '');
  return (
    <p className="player-more text-[0.9375rem] text-night-soft">
      <a
        href={address}
        target="_blank"
        rel="noopener nofollow"
        className="inline-flex min-h-11 items-center underline underline-offset-4 hover:text-night-text"
      >
        {text('player.source', { site })}
      </a>
    </p>
  );
}
