import type { Link } from './link.ts';

/** A video as its site serves it: one file with picture and sound. */
export interface Found {
  /** Where its bytes are. */
  media: string;
  title: string;
  /** Its length where the site says it. */
  seconds?: number | undefined;
}

/** Finds the file behind a link; throws where there is none, or none that everybody may see. */
export type Extractor = (link: Link, signal: AbortSignal) => Promise<Found>;
