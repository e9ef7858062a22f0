import { Play, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import type { Reel } from '../../../contract/reels.ts';
import { useText } from '../../text.tsx';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';

/** A reel as its owner sees it: where it stands, and a way to delete it. */
export function OwnReel({ reel, onDelete }: { reel: Reel; onDelete: () => void }) {
  const text = useText();
  const name = reel.caption || text('reel.untitled');
  return (
    <li className="grid content-start gap-2">
      <div
        className={classNames(
          'on-night relative aspect-9/16 overflow-hidden rounded-tile bg-night bg-cover bg-center text-night-text',
          reel.state === 'processing' && 'shimmer',
        )}
        style={{ backgroundImage: reel.placeholder ? `url(${reel.placeholder})` : undefined }}
      >
        {reel.thumbnillurl && (
          <img
            src={reel.thumbnillurl}
            alt=""
            loading="lazy"
            className="absolute inset-0 size-full object-cover"
          />
        )}
        {reel.state === 'ready' ? (
          <Link
            to={`/videoplayer?reel=${reel._id}`}
            aria-label={text('profile.watch', { name })}
            className="absolute inset-0 rounded-tile"
          />
        ) : (
          <p className="absolute inset-x-2 top-2 rounded-control bg-night/85 px-3 py-2 text-[0.9375rem] font-medium">
            {text(reel.state === 'processing' ? 'profile.processing' : 'profile.failed')}
          </p>
        )}
        <IconButton
          label={text('profile.delete', { name })}
          onClick={onDelete}
          className="absolute bottom-1.5 right-1.5 bg-night/75 text-night-text hover:bg-night"
        >
          <Trash2 aria-hidden className="size-5" />
        </IconButton>
        {reel.state === 'ready' && (
          <span className="figures absolute bottom-3 left-3 inline-flex items-center gap-1 rounded-full bg-night/75 px-2 text-[0.9375rem]">
            <Play aria-hidden className="size-3 fill-current" />
            {text('count', { count: reel.views })}
          </span>
        )}
      </div>
      <p className="line-clamp-2 text-[0.9375rem] leading-snug">{name}</p>
      {reel.failure && <p className="text-[0.9375rem] leading-snug text-alert">{reel.failure}</p>}
    </li>
  );
}
