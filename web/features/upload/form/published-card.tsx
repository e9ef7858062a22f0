import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import type { Publication } from '#web/features/earnings/publication-coins.tsx';
import { fetchedPart } from '#web/features/offline/fetched-part.tsx';
import { useText } from '#web/text.tsx';
import { useMedia } from '#web/ui/use-media.ts';

const ShareAtOnce = fetchedPart(() => import('#web/features/share/share-at-once.tsx'));
const PublicationCoins = lazy(() => import('#web/features/earnings/publication-coins.tsx'));

interface PublishedCardProps {
  /** The URL of the thumbnail; empty while there is none. */
  picture: string;
  /** The URL of the video of a reel that is ready, which plays without sound. */
  video?: string | undefined;
  title: string;
  /** It is a copy of an earlier work. */
  duplicate: boolean;
  /** The original work, if known. */
  copy?: ReactNode;
  /** The processing state. */
  children: ReactNode;
}

/** Shows what was just published, and takes the focus when it appears. */
export function PublishedCard({ picture, video, title, duplicate, copy, children }: PublishedCardProps) {
  const text = useText();
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // The focus stays where it is while the person fills in another form of the queue.
    if (!document.activeElement?.closest('[data-several]')) card.current?.focus();
  }, []);
  return (
    <li
      ref={card}
      tabIndex={-1}
      className="flex items-start gap-4 rounded-panel border border-line bg-surface p-4"
    >
      <div
        className="aspect-9/16 w-24 shrink-0 sm:w-28 overflow-hidden rounded-control bg-night bg-cover bg-center"
        style={{ backgroundImage: picture ? `url(${picture})` : undefined }}
      >
        {video && !isStill && (
          <video src={video} aria-hidden muted autoPlay loop playsInline className="size-full object-cover" />
        )}
      </div>
      <div className="grid min-w-0 flex-1 gap-2">
        <p dir="auto" className="truncate font-semibold">
          {title}
        </p>
        {children}
        {copy && <div className="text-[0.9375rem] text-soft">{copy}</div>}
        {duplicate && !copy && <p className="text-[0.9375rem] text-soft">{text('upload.duplicate')}</p>}
      </div>
    </li>
  );
}

interface PublicNowProps {
  words: string;
  link: ReactNode;
  /** The page to share. */
  path: string;
  work: Publication;
}

/** Says that it is public and what it counts, links to it, and shares it. */
export function PublicNow({ words, link, path, work }: PublicNowProps) {
  return (
    <>
      <p role="status" className="font-medium text-good">
        {words}
      </p>
      <Suspense>
        <PublicationCoins work={work} />
      </Suspense>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {link}
        <ShareAtOnce path={path} />
      </div>
    </>
  );
}
