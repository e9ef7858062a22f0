import { Pencil, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { ReelTile } from '../feed/reel-tile.tsx';
import type { PlayerState } from '../player/playlist.ts';
import { PictureTile } from '../showcase/picture-tile.tsx';
import { square, upright } from '../showcase/tile-grid.tsx';
import type { Own, OwnKind } from './own.ts';

const untitled = {
  reels: 'reel.untitled',
  posts: 'preview.untitledPhoto',
  stories: 'profile.untitledStory',
} as const;

/** Stories have the shape of reels, posts are square. */
export const shapeOf = (kind: OwnKind) => (kind === 'posts' ? square : upright);

interface OwnTileProps {
  own: Own;
  /** What the player plays from a reel on. */
  playlist: Pick<PlayerState, 'videos' | 'rest'>;
  /** Of a reel: how often it was shown, and how many of its views count. */
  views: { shown: number; counted: number } | undefined;
  /** Whether it is on the first screen; then its picture is loaded at once. */
  early: boolean;
  /** Opens the preview of a picture. */
  onOpen: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

/** A tile of the person's own item: what it opens, its state, and buttons to edit and delete it. */
export function OwnTile(props: OwnTileProps) {
  const { own, views, onEdit, onDelete } = props;
  const text = useText();
  const name = own.caption || text(untitled[own.kind]);
  const state = stateOf(own);
  const smallLook = 'text-sm leading-snug sm:text-[0.9375rem]';
  return (
    <li className="grid content-start gap-1.5">
      <div className={classNames('relative', own.over && 'opacity-60')}>
        <Picture {...props} name={name} />
      </div>
      <div className="grid items-start gap-x-1 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="grid min-w-0 gap-0.5 pt-1 wrap-break-word">
          {state && (
            <p className={classNames(smallLook, 'font-semibold', own.hidden?.reason && 'text-alert')}>
              {text(state)}
            </p>
          )}
          <p dir="auto" className={classNames(smallLook, 'truncate')}>
            {name}
          </p>
          {own.hidden?.reason && <p className={classNames(smallLook, 'text-alert')}>{own.hidden.reason}</p>}
          {own.hidden?.why === 'waits' && (
            <p className={classNames(smallLook, 'text-soft')}>{text('profile.waitsWhy')}</p>
          )}
          {own.soundLost && <p className={classNames(smallLook, 'text-soft')}>{text('reel.soundLost')}</p>}
          {own.reel && (
            // The lines are there before their figures, so that nothing moves when they come.
            <p className={classNames(smallLook, 'figures grid min-h-12 max-sm:tracking-tight')}>
              {views && (
                <Link
                  to={`/EarningHistory/reel/${own._id}`}
                  className="grid content-center whitespace-pre-line underline underline-offset-4"
                >
                  {text('profile.reelViews', { shown: views.shown, counted: views.counted })}
                </Link>
              )}
            </p>
          )}
          <TimeAgo at={own.createdAt} className={classNames(smallLook, 'text-soft')} />
        </div>
        <div className="-ml-3 flex text-soft sm:-mr-2 sm:ml-0">
          {own.editable && (
            <IconButton label={text('profile.edit', { name })} onClick={onEdit} className="hover:text-text">
              <Pencil aria-hidden className="size-5" />
            </IconButton>
          )}
          <IconButton
            label={text('profile.delete', { name })}
            onClick={onDelete}
            className="hover:text-alert"
          >
            <Trash2 aria-hidden className="size-5" />
          </IconButton>
        </div>
      </div>
    </li>
  );
}

/** A reel opens the player limited to the person's reels, a picture the preview. */
function Picture({ own, playlist, early, onOpen, name }: OwnTileProps & { name: string }) {
  const text = useText();
  const { reel, picture, hidden, kind } = own;
  const shape = shapeOf(kind);
  if (reel) {
    const startIndex = playlist.videos.indexOf(reel);
    return <ReelTile reel={reel} state={{ ...playlist, startIndex }} early={early} isBrief />;
  }
  if (!picture) return <HiddenTile hidden={hidden} className={shape} />;
  const label = text(kind === 'posts' ? 'preview.photo' : 'profile.previewStory', { name });
  return <PictureTile {...{ picture, early, label, onOpen }} className={shape} />;
}

function stateOf({ hidden, over }: Own) {
  if (hidden) return `profile.${hidden.why}` as const;
  return over ? 'profile.storyOver' : undefined;
}

/** An item that is not public. A reel that is processing shows the thumbnail of its uploader. */
function HiddenTile({ hidden, className }: { hidden: Own['hidden']; className: string }) {
  return (
    <div
      className={classNames(
        'overflow-hidden rounded-tile bg-night bg-cover bg-center',
        hidden?.why === 'processing' && 'shimmer',
        className,
      )}
      style={hidden?.placeholder ? { backgroundImage: `url(${hidden.placeholder})` } : undefined}
    >
      {hidden?.thumbnillurl && (
        <img
          src={hidden.thumbnillurl}
          alt=""
          width={300}
          height={533}
          loading="lazy"
          decoding="async"
          className="size-full object-cover opacity-60"
        />
      )}
    </div>
  );
}
