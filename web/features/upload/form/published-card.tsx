import { type ReactNode, useEffect, useRef } from 'react';
import { useText } from '#web/text.tsx';

interface PublishedCardProps {
  /** The URL of the thumbnail; empty while there is none. */
  picture: string;
  title: string;
  /** It is a copy of an earlier work. */
  duplicate: boolean;
  /** The original work, if known. */
  copy?: ReactNode;
  /** The processing state. */
  children: ReactNode;
}

/** Shows what was just published, and takes the focus when it appears. */
export function PublishedCard({ picture, title, duplicate, copy, children }: PublishedCardProps) {
  const text = useText();
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // The focus stays where it is while the person fills in another form of the queue.
    if (!document.activeElement?.closest('[data-several]')) card.current?.focus();
  }, []);
  return (
    <li
      ref={card}
      tabIndex={-1}
      className="flex items-center gap-4 rounded-panel border border-line bg-surface p-4"
    >
      <div
        className="aspect-9/16 w-16 shrink-0 rounded-control bg-night bg-cover bg-center"
        style={{ backgroundImage: picture ? `url(${picture})` : undefined }}
      />
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

/** Says that it is public, and links to it. */
export function PublicNow({ words, link }: { words: string; link: ReactNode }) {
  return (
    <div role="status" className="flex flex-wrap items-center justify-between gap-3">
      <p className="font-medium text-good">{words}</p>
      {link}
    </div>
  );
}
