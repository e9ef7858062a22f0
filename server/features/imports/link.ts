/** A public video, identified by site and id. It never contains text of the person who pasted the link. */
export interface Link {
  site: 'youtube' | 'instagram';
  id: string;
  /** The public page, built from the id. */
  page: string;
}

const youtube = (id: string): Link => ({
  site: 'youtube',
  id,
  page: `https://www.youtube.com/watch?v=${id}`,
});
const instagram = (id: string): Link => ({
  site: 'instagram',
  id,
  page: `https://www.instagram.com/reel/${id}/`,
});

const youtubeId = '([A-Za-z0-9_-]{11})';
const instagramId = '([A-Za-z0-9_-]{5,40})';
const start = '^https://';
const end = '/?(?:[?#].*)?$';

/** Accepted forms of addresses. */
const spellings: [RegExp, (id: string) => Link][] = [
  [
    new RegExp(`${start}(?:(?:www|m|music)\\.)?youtube\\.com/(?:shorts|embed|live|v)/${youtubeId}${end}`),
    youtube,
  ],
  [
    new RegExp(
      `${start}(?:(?:www|m|music)\\.)?youtube\\.com/watch/?\\?(?:[^#]*&)?v=${youtubeId}(?:[&#].*)?$`,
    ),
    youtube,
  ],
  [new RegExp(`${start}youtu\\.be/${youtubeId}${end}`), youtube],
  [
    new RegExp(
      `${start}(?:(?:www|m)\\.)?instagram\\.com/(?:(?!share/)[A-Za-z0-9._]{1,30}/)?(?:reels?|p|tv)/${instagramId}${end}`,
    ),
    instagram,
  ],
];

/** Parses a pasted link; undefined if it is not the address of a public YouTube or Instagram video. */
export function readLink(text: string): Link | undefined {
  const trimmed = text.trim();
  // Characters that browsers correct or interpret differently are refused: spaces, control characters, backslashes,
  // look-alikes.
  if (trimmed.length > 2000 || !/^[\x21-\x5b\x5d-\x7e]+$/.test(trimmed)) return undefined;
  // Scheme and host are case-insensitive, and people also paste addresses without a scheme.
  const address = trimmed
    .replace(/^(?:[a-z]+\.)?(?:youtube\.com|youtu\.be|instagram\.com)\//i, 'https://$&')
    .replace(/^https:\/\/[^/?#]+/i, (head) => head.toLowerCase());
  for (const [spelling, linkOf] of spellings) {
    const id = spelling.exec(address)?.[1];
    if (id) return linkOf(id);
  }
  return undefined;
}
