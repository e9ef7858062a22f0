import { mention, tag } from '#contract/tags-and-mentions.ts';

/** A part of what somebody wrote: plain text, or text that leads somewhere. */
export type TextPart = { text: string } & (
  | { to?: undefined }
  | { to: string; kind: 'link' | 'mention' | 'tag' }
);

// A link ends before the punctuation of its sentence. Without the flag `i`, as the others.
const link = /\b(?<link>[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s<>"]*[^\s<>".,;:!?'”’)\]।])/u;
const leading = new RegExp([link, mention, tag].map(({ source }) => source).join('|'), 'gu');

/** Splits what somebody wrote: a link leads to its page, a mention to the people with that name, and a tag to its page. */
export function partsOf(words: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: text, index, groups = {} } of words.matchAll(leading)) {
    if (index > end) parts.push({ text: words.slice(end, index) });
    if (groups.link) parts.push({ text, to: groups.link, kind: 'link' });
    else if (groups.tag) parts.push({ text, to: `/tag/${encodeURIComponent(groups.tag)}`, kind: 'tag' });
    else
      parts.push({
        text,
        to: `/search?${new URLSearchParams({ q: groups.name ?? '', kind: 'person' })}`,
        kind: 'mention',
      });
    end = index + text.length;
  }
  if (end < words.length) parts.push({ text: words.slice(end) });
  return parts;
}
