import { useSite } from '../chrome/use-site.ts';
import { languageName } from './language-name.ts';
import type { CaptionTrack } from './tracks.ts';

interface TrackElementsProps {
  /** None of reels that a page of before there were any still holds. */
  tracks: readonly CaptionTrack[] | undefined;
  /** Shown from the beginning. */
  on?: CaptionTrack | undefined;
}

/** A video's captions for the browser, which fetches one once it is to be shown. */
export function TrackElements({ tracks = [], on }: TrackElementsProps) {
  const { lang } = useSite();
  return tracks.map((track) => (
    <track
      key={track.url}
      kind="captions"
      src={track.url}
      srcLang={track.language}
      label={languageName(track.language, lang)}
      default={track === on}
    />
  ));
}

/** How a video must be asked for, so that captions from a media host of its own may go with it. */
export function crossOriginOf(tracks: readonly CaptionTrack[] = []): 'anonymous' | undefined {
  return tracks.some(({ url }) => !url.startsWith('/')) ? 'anonymous' : undefined;
}
