import type { CaptionTrack } from './tracks.ts';

interface TrackElementsProps {
  /** Undefined in data that an older version of the site stored. */
  tracks: readonly CaptionTrack[] | undefined;
}

/** The `<track>` elements of a video; the browser loads a file only when its track is shown. The captions' menu has their names. */
export function TrackElements({ tracks = [] }: TrackElementsProps) {
  return tracks.map((track) => (
    <track key={track.url} kind="captions" src={track.url} srcLang={track.language} label={track.language} />
  ));
}

/** The `crossOrigin` value that a video needs so that captions from another media host are allowed. */
export function crossOriginOf(tracks: readonly CaptionTrack[] = []): 'anonymous' | undefined {
  return tracks.some(({ url }) => !url.startsWith('/')) ? 'anonymous' : undefined;
}
