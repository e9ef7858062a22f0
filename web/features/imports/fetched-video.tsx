import { useText } from '#web/text.tsx';
import type { Fetched } from './use-fetch-link.ts';

/** A player for an imported video. */
export function FetchedVideo({ fetched }: { fetched: Fetched }) {
  const text = useText();
  return (
    <div className="on-night lit-night aspect-9/16 max-h-[34rem] w-full overflow-hidden rounded-panel">
      {/* biome-ignore lint/a11y/useMediaCaption: there are no captions for it */}
      <video
        key={fetched.fileUrl}
        src={fetched.fileUrl}
        poster={fetched.thumbnailUrl}
        controls
        playsInline
        preload="metadata"
        aria-label={fetched.title || text('link.preview')}
        className="size-full object-contain"
      />
    </div>
  );
}
