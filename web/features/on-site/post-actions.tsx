import { Heart, Share2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { useText } from '#web/text.tsx';
import type { Controls } from '../interactions/controls.ts';
import { ShareDialog } from '../share/share-button.tsx';
import { act } from './responses.ts';
import { useOwn } from './use-own.ts';

const look =
  'group flex min-h-11 min-w-11 items-center justify-center gap-1.5 rounded-control px-2.5 hover:bg-sunken';

/** Like and share of a photo. No call takes comments on photos. */
export const PostActions: Controls['PostActions'] = ({ post, children }) => {
  const text = useText();
  const navigate = useNavigate();
  const own = useOwn('work', post._id);
  const [sharing, setSharing] = useState(false);
  const count = own?.likeCount ?? post.likeCount;
  const like = () => act('like', { work: { ...post, kind: 'post' }, tapped: undefined, navigate });
  return (
    <div className="needs-script -mx-2.5 flex">
      <Pressed label={text('post.like', { count })} isOn={own?.liked ?? false} onClick={like}>
        <Heart aria-hidden className="size-6 group-aria-pressed:fill-heart group-aria-pressed:text-heart" />
        <span aria-hidden className="figures pt-0.5 font-semibold">
          {text('count', { count })}
        </span>
      </Pressed>
      <button
        type="button"
        aria-label={text('post.share')}
        title={text('post.share')}
        onClick={() => setSharing(true)}
        className={look}
      >
        <Share2 aria-hidden className="size-6" />
      </button>
      {children}
      {sharing && <ShareDialog path={`/post/${post._id}`} onClose={() => setSharing(false)} />}
    </div>
  );
};

interface PressedProps {
  label: string;
  isOn: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Pressed({ label, isOn, onClick, children }: PressedProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isOn}
      title={label}
      onClick={onClick}
      className={look}
    >
      {children}
    </button>
  );
}
