import { ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { useDrag } from '#web/ui/use-drag.ts';
import { useKeys } from '#web/ui/use-keys.ts';
import { controls } from '../interactions/controls.ts';
import { fetchedPart } from '../offline/fetched-part.tsx';
import { BackLink, useGoBack } from '../reading/back-link.tsx';
import { ReportButton } from '../reports/report-button.tsx';
import { ReportWithoutScript } from '../reports/report-without-script.tsx';
import { FoldedWords } from '../words/folded-words.tsx';
import { OverlayLink } from './overlay-link.tsx';
import { PhotoActions } from './photo-actions.tsx';
import './photo-page.css';
import { Picture, pictureText } from './picture.tsx';
import type { ShownPost } from './posts.ts';

const Zoom = fetchedPart(() => import('./zoom.tsx'));

export interface PhotoPageProps {
  post: ShownPost;
  /** Ids of the photos of the same person that were published next and before; null at either end. */
  newer: string | null;
  older: string | null;
}

/** A photo with its author, its text, the way to the person's other photos, and below or beside it `children`. */
export function PhotoPage({ post, newer, older, children }: PhotoPageProps & { children?: ReactNode }) {
  const text = useText();
  const navigate = useNavigate();
  const goBack = useGoBack();
  const frame = useRef<HTMLElement>(null);
  const [zoomed, setZoomed] = useState(false);
  const profile = `/user/${post.userId}`;
  const photos = `${profile}?tab=posts`;

  // Moving on replaces the page in the history, as in the player: Back leads to where the visitor came from.
  const move = (id: string | null) =>
    id && void navigate(`/post/${id}`, { replace: true, preventScrollReset: true });
  useDrag(frame, {
    axis: 'x',
    isEnough: (pixels, milliseconds) => pixels > 80 || (pixels > 30 && pixels / milliseconds > 0.4),
    move: (by) => move(by === 1 ? older : newer),
  });
  const close = () => void (goBack() || navigate(photos));
  useKeys(!zoomed, (target) =>
    target.closest('dialog')
      ? {}
      : { arrowleft: () => move(newer), arrowright: () => move(older), escape: close },
  );

  const { _id } = post;
  const { PostActions } = controls;
  const [opened] = useState(_id);
  const [shown, setShown] = useState({ id: _id, isFirst: true });
  if (shown.id !== _id) setShown({ id: _id, isFirst: false });
  useEffect(() => {
    // A link that has the focus is gone at the end of the photos.
    if (_id !== opened && document.activeElement === document.body)
      frame.current?.focus({ preventScroll: true });
  }, [_id, opened]);

  return (
    <>
      <h1 className="sr-only">{text('post.pictureUntitled', { username: post.username })}</h1>
      {/* Says which photo has replaced the one before. */}
      <p role="status" className="sr-only">
        {!shown.isFirst && pictureText(text, post)}
      </p>
      <article className="photo-page" style={{ '--ratio': ratioOf(post) } as object}>
        <header className="photo-head flex items-center gap-2 py-2 sm:py-3">
          <BackLink to={photos} />
          <Link
            to={profile}
            state={{ username: post.username }}
            className="flex min-h-11 min-w-0 items-center gap-3 rounded-control pr-2"
          >
            <Avatar src={post.profilePic} name={post.username} />
            <span className="truncate font-semibold">@{post.username}</span>
          </Link>
        </header>
        <figure ref={frame} tabIndex={-1} className="photo-frame on-night outline-none">
          <OverlayLink
            to={post.imageurl}
            onOpen={() => setZoomed(true)}
            aria-label={text('post.zoom', { username: post.username })}
            draggable={false}
            className="photo-picture"
          >
            <Picture
              key={_id}
              post={post}
              early
              sizes="(width < 64rem) 100vw, 56rem"
              className="object-contain!"
            />
          </OverlayLink>
          <Neighbour
            id={newer}
            icon={ChevronLeft}
            label={text('zoom.previous')}
            className="left-2 sm:left-3"
          />
          <Neighbour
            id={older}
            icon={ChevronRight}
            label={text('zoom.next')}
            className="right-2 sm:right-3"
          />
        </figure>
        <div className="photo-side grid content-start gap-6 pb-5">
          <div className="grid gap-2 pt-1.5">
            {PostActions ? (
              <PostActions post={post}>
                <ReportButton kind="post" id={_id} ownerId={post.userId} className="ml-auto" />
              </PostActions>
            ) : (
              <PhotoActions post={post} />
            )}
            <ReportWithoutScript className="-ml-3 grid size-11 place-items-center text-soft" />
            {post.caption && (
              <FoldedWords words={post.caption} className="text-lg font-semibold leading-snug" />
            )}
            {post.description && <FoldedWords words={post.description} />}
            {post.label && <p className="font-semibold">{text(`photo.label.${post.label}`)}</p>}
            <p className="text-[0.9375rem] text-soft">
              <TimeAgo at={post.createdAt} />
              {post.editedAt && ` · ${text('photo.edited')}`}
            </p>
          </div>
          {children}
        </div>
      </article>
      {zoomed && <Zoom posts={[post]} index={0} onClose={() => setZoomed(false)} />}
    </>
  );
}

/** Of a panorama and of a long strip the frame has a shape that fits a screen. */
const ratioOf = ({ width, height }: ShownPost) => Math.min(2.4, Math.max(0.56, width / height || 1));

interface NeighbourProps {
  id: string | null;
  icon: LucideIcon;
  label: string;
  className: string;
}

function Neighbour({ id, icon: Icon, label, className }: NeighbourProps) {
  if (!id) return null;
  return (
    <Link
      to={`/post/${id}`}
      replace
      preventScrollReset
      aria-label={label}
      title={label}
      className={`absolute top-[calc(50%-1.375rem)] grid size-11 place-items-center rounded-full bg-night/60 text-night-text hover:bg-night/85 ${className}`}
    >
      <Icon aria-hidden className="size-6" />
    </Link>
  );
}
