import type { Reel } from '#contract/reels.ts';

export type CaptionTrack = Reel['captionTracks'][number];

/**
 * The visitor's choice for all reels: whether captions are on, and in which language. The site's texts call them "subtitles";
 * in code, paths and tables they are `captions`.
 */
export interface CaptionChoice {
  on: boolean;
  /** Undefined until the visitor chose one; then the page's language is used. */
  language: string | undefined;
}

const primary = (tag: string) => tag.split('-')[0];

/** The captions to show: in the chosen language, otherwise in a related one, otherwise the first. */
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
