import type { Reel } from '#contract/reels.ts';

export type CaptionTrack = Reel['captionTracks'][number];

/** What somebody chose once, for all reels: whether captions stand, and in which language. */
export interface CaptionChoice {
  on: boolean;
  /** Undefined until one was chosen: the page's. */
  language: string | undefined;
}

const primary = (tag: string) => tag.split('-')[0];

/** The captions that a choice shows: of its language, else of a relative, else the first there are. */
export function chosenTrack(
  tracks: readonly CaptionTrack[],
  { on, language }: CaptionChoice,
  pageLanguage: string,
): CaptionTrack | undefined {
  if (!on) return undefined;
  const wanted = language ?? pageLanguage;
  return (
    tracks.find((track) => track.language === wanted) ??
    tracks.find((track) => primary(track.language) === primary(wanted)) ??
    tracks[0]
  );
}
