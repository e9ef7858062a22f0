import { Pencil, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { ShownTile } from '../showcase/shown-tile.tsx';
import type { Own, OwnKind } from './own.ts';

const untitled = {
  reels: 'reel.untitled',
  posts: 'preview.untitledPhoto',
  stories: 'profile.untitledStory',
} as const;
const previewOf = { reels: 'preview.reel', posts: 'preview.photo', stories: 'profile.previewStory' } as const;

/** Stories have the shape of reels, posts are square. */
export const shapeOf = (kind: OwnKind) => (kind === 'posts' ? 'aspect-square' : 'aspect-9/16');

interface OwnTileProps {
  own: Own;
  /** Of a reel: how often it was shown, and how many of its views count. */
  views: { shown: number; counted: number } | undefined;
  /** Whether it is on the first screen; then its picture is loaded at once. */
  early: boolean;
  onOpen: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

/** A tile of the person's own item: its state, a preview and buttons to edit and delete it. */
export function OwnTile({ own, views, early, onOpen, onEdit, onDelete }: OwnTileProps) {
  const text = useText();
  const name = own.caption || text(untitled[own.kind]);
  const shape = shapeOf(own.kind);
  const state = stateOf(own);
  return (
    <li className="grid content-start gap-2">
      <div className={classNames('relative', own.over && 'opacity-60')}>
        {own.shown ? (
          <ShownTile
            item={own.shown}
            early={early}
            label={text(previewOf[own.kind], { name })}
            onOpen={onOpen}
            className={shape}
          />
        ) : (
          <HiddenTile hidden={own.hidden} className={shape} />
        )}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-1">
        <div className="grid gap-0.5 pt-1.5">
          {state && (
            <p className={classNames('text-[0.9375rem] font-semibold', own.hidden?.reason && 'text-alert')}>
              {text(state)}
            </p>
          )}
          <p dir="auto" className="line-clamp-2 text-[0.9375rem] leading-snug">
            {name}
          </p>
          {own.hidden?.reason && (
            <p className="text-[0.9375rem] leading-snug text-alert">{own.hidden.reason}</p>
          )}
          {own.hidden?.why === 'waits' && (
            <p className="text-[0.9375rem] leading-snug text-soft">{text('profile.waitsWhy')}</p>
          )}
          {own.soundLost && (
            <p className="text-[0.9375rem] leading-snug text-soft">{text('reel.soundLost')}</p>
          )}
          {own.kind === 'reels' && own.shown && (
            // The line is there before its figures, so that nothing moves when they come.
            <p className="figures grid min-h-11 content-center text-[0.9375rem] leading-snug">
              {views && (
                <Link to={`/EarningHistory/reel/${own._id}`} className="py-2.5 underline underline-offset-4">
                  {text('profile.reelViews', { shown: views.shown, counted: views.counted })}
                </Link>
              )}
            </p>
          )}
          <TimeAgo at={own.createdAt} className="text-[0.9375rem] text-soft" />
        </div>
        <div className="-mr-2 grid text-soft">
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
