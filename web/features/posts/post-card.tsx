import { Maximize2 } from 'lucide-react';
import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { controls } from '../interactions/controls.ts';
import { FoldedWords } from '../words/folded-words.tsx';
import { PersonWords } from '../words/person-words.tsx';
import { AppOnly } from './app-only.tsx';
import { OverlayLink } from './overlay-link.tsx';
import { Picture } from './picture.tsx';
import type { ShownPost } from './posts.ts';

interface PostCardProps {
  post: ShownPost;
  early: boolean;
  onZoom: () => void;
}

/** A post with author, picture and text. */
export function PostCard({ post, early, onZoom }: PostCardProps) {
  const text = useText();
  const { PostActions = AppOnly } = controls;
  const page = `/post/${post._id}`;
  return (
    <article className="flex h-full flex-col overflow-hidden rounded-panel border border-line bg-surface">
      <header className="flex items-center gap-3 px-4 py-3">
        <Link
          to={`/user/${post.userId}`}
          state={{ username: post.username }}
          className="flex min-h-11 min-w-0 items-center gap-3 rounded-control pr-2"
        >
          <Avatar src={post.profilePic} name={post.username} />
          <span className="truncate font-semibold">@{post.username}</span>
        </Link>
        <Link
          to={page}
          className="ml-auto flex min-h-11 shrink-0 items-center rounded-control text-[0.9375rem] text-soft hover:text-text"
        >
          <span className="sr-only">{text('photo.open')}</span>
          <span>
            <TimeAgo at={post.createdAt} />
            {post.editedAt && ` · ${text('photo.edited')}`}
          </span>
        </Link>
      </header>
      <OverlayLink
        to={page}
        onOpen={onZoom}
        aria-label={text('post.zoom', { username: post.username })}
        className="on-night group relative block aspect-4/5 [content-visibility:auto] w-full cursor-zoom-in overflow-hidden bg-night"
      >
        <Picture post={post} early={early} sizes="(width < 40rem) 100vw, (width < 80rem) 50vw, 30rem" />
        <span className="needs-script absolute bottom-3 right-3 grid size-9 place-items-center rounded-full bg-night/70 text-night-text opacity-0 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100">
          <Maximize2 aria-hidden className="size-4" />
        </span>
      </OverlayLink>
      <div className="grid gap-1 px-4 pb-4 pt-1.5">
        <PostActions post={post} />
        {post.caption && (
          <h2 className="text-lg font-semibold leading-snug">
            <PersonWords words={post.caption} />
          </h2>
        )}
        {post.description && <FoldedWords words={post.description} className="text-soft" />}
      </div>
    </article>
  );
}
