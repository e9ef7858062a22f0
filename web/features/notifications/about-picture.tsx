import { useState } from 'react';
import type { Notification } from '#contract/notifications.ts';
import { languageOf } from '../words/language-of.ts';

/** A small picture of what a notification is about. A stored list may name one that has been deleted since: its place stays empty. */
export function AboutPicture({ about }: { about: NonNullable<Notification['about']> }) {
  const { picture, caption } = about;
  const [broken, setBroken] = useState<string>();
  return (
    <span className="size-12 shrink-0 overflow-hidden rounded-control bg-night sm:size-14">
      {picture !== broken && (
        <img
          src={picture}
          alt={caption}
          lang={languageOf(caption)}
          width={56}
          height={56}
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
          onError={() => setBroken(picture)}
        />
      )}
    </span>
  );
}
