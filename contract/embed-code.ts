import { escapeHtml } from './escape-html.ts';
import { isolated } from './text-direction.ts';

export interface Size {
  width: number;
  height: number;
}

/** Height in pixels of the line with links below an embedded video. */
export const embedLine = 44;
/** Longest side of an embedded video in pixels, unless the other site asks for a smaller one. */
const usual = 640;

/** The largest size with the same proportions that fits. */
export function fitted({ width, height }: Size, most: Size): Size {
  const scale = Math.min(1, most.width / width, most.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** The size of an embedded reel: its video and the line below it. */
export function embedSize(video: Size, room: Size = { width: usual, height: usual + embedLine }): Size {
  const most = Math.max(1, room.height - embedLine);
  const size = fitted(video, { width: Math.min(usual, room.width), height: Math.min(usual, most) });
  return { ...size, height: size.height + embedLine };
}

interface EmbeddedReel {
  _id: string;
  caption: string;
  username: string;
}

/** What a reel or photo is called where it is shown without its page. */
export const titleOf = ({ caption, username }: EmbeddedReel) => isolated(caption || `@${username}`);

/** Path of the page that shows a reel in an `iframe` of another site; English is the default language. */
const embedPath = (id: string, lang: string | undefined) =>
  `/embed/${id}${lang && lang !== 'en' ? `?lang=${lang}` : ''}`;

/** The HTML with which another site shows a reel. */
export function embedCode(
  origin: string,
  reel: EmbeddedReel,
  { width, height }: Size,
  lang: string | undefined,
): string {
  const src = `${origin}${embedPath(reel._id, lang)}`;
  return `<iframe src="${src}" width="${width}" height="${height}" title="${escapeHtml(titleOf(reel))}" style="border:0" loading="lazy" allowfullscreen></iframe>`;
}
