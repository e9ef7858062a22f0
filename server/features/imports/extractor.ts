import type { Link } from './link.ts';

/** A video file with picture and sound, as its site serves it. */
export interface FoundVideo {
  /** Address of the file. */
  media: string;
  title: string;
  /** Length of the video, if the site provides it. */
  seconds?: number | undefined;
}

/** Finds the video file behind a link. Throws if there is none, or none that is public. */
export type Extractor = (link: Link, signal: AbortSignal) => Promise<FoundVideo>;
