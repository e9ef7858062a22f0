import type { MetaDescriptor } from 'react-router';
import { languages } from '#web/messages/catalogues.ts';
import type { Site } from './use-site.ts';

interface PageHead {
  title: string;
  description: string;
  site: Pick<Site, 'origin' | 'lang' | 'askedLang'>;
  /** Canonical path and query. */
  path: string;
  /** A JPEG for link previews; the site's own image by default. */
  image?: { url: string; width: number; height: number; wideUrl?: string | undefined } | undefined;
  /** A page about a person: link previews show a small square picture. */
  isPerson?: boolean;
  /** A page about a video: link previews play it with the page `player`. */
  video?: { url: string; player: string; width: number; height: number } | undefined;
  /** A page of a reel or photo: other sites find out by its address how to show it (oembed.com). */
  isEmbeddable?: boolean;
  /** Whether the content depends on the signed-in person; then search engines do not index it. */
  personal?: boolean;
  /** When the page ends; then search engines forget it. */
  until?: Date;
  /** Structured data (schema.org). */
  about?: Record<string, unknown>;
}

/** A text of people in one line, cut between whole characters. */
export function shortened(words: string, most = 70): string {
  const line = [...words.replace(/\s+/g, ' ')];
  return line.length > most
    ? `${line
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
    : line.join('');
}

const wide = { width: 1200, height: 630 };
const ownCard: PageHead['image'] & object = { url: '/card.jpg', ...wide };

const locales: Record<string, string> = { en: 'en_IN', hi: 'hi_IN' };

/** Meta tags: title, description, canonical address, languages and link preview. */
export function headOf(page: PageHead): MetaDescriptor[] {
  const { title, description, site, path, image = ownCard, video, personal, until, about } = page;
  const { isPerson, isEmbeddable } = page;
  const url = new URL(path, site.origin || 'http://localhost');
  const absolute = (address: string) => new URL(address, url).href;
  const inLanguage = (lang: string) => {
    const other = new URL(url);
    other.searchParams.set('lang', lang);
    return other.href;
  };
  // Sites that show one picture take the first, and most of them show it in this shape.
  const pictures = image.wideUrl && !isPerson ? [{ ...image, ...wide, url: image.wideUrl }, image] : [image];
  const own = site.askedLang ? inLanguage(site.askedLang) : url.href;
  const head: MetaDescriptor[] = [
    { title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: own },
    ...languages.map((lang) => ({
      tagName: 'link' as const,
      rel: 'alternate',
      hrefLang: lang,
      href: inLanguage(lang),
    })),
    { tagName: 'link', rel: 'alternate', hrefLang: 'x-default', href: url.href },
    { property: 'og:site_name', content: 'Jhalak' },
    { property: 'og:locale', content: locales[site.lang] ?? site.lang },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: own },
    { property: 'og:type', content: video ? 'video.other' : 'website' },
    ...pictures.flatMap(({ url, width, height }) => [
      { property: 'og:image', content: absolute(url) },
      { property: 'og:image:type', content: 'image/jpeg' },
      { property: 'og:image:width', content: String(width) },
      { property: 'og:image:height', content: String(height) },
    ]),
    { name: 'twitter:card', content: cardOf(page) },
    { name: 'twitter:title', content: title },
    { name: 'twitter:description', content: description },
    // A player has the shape of its video.
    { name: 'twitter:image', content: absolute((video ? image : (pictures[0] ?? image)).url) },
  ];
  if (isEmbeddable)
    head.push({
      tagName: 'link',
      rel: 'alternate',
      type: 'application/json+oembed',
      href: absolute(`/api/oembed?url=${encodeURIComponent(own)}`),
    });
  if (personal) head.push({ name: 'robots', content: 'noindex' });
  if (until) head.push({ name: 'robots', content: `unavailable_after: ${until.toISOString()}` });
  if (about) head.push({ 'script:ld+json': { '@context': 'https://schema.org', ...about } });
  if (!video) return head;
  return [
    ...head,
    { property: 'og:video', content: absolute(video.url) },
    { property: 'og:video:type', content: 'video/mp4' },
    { property: 'og:video:width', content: String(video.width) },
    { property: 'og:video:height', content: String(video.height) },
    { name: 'twitter:player', content: absolute(video.player) },
    { name: 'twitter:player:width', content: String(video.width) },
    { name: 'twitter:player:height', content: String(video.height) },
    { name: 'twitter:player:stream', content: absolute(video.url) },
    { name: 'twitter:player:stream:content_type', content: 'video/mp4' },
  ];
}

const cardOf = ({ video, isPerson }: PageHead) =>
  video ? 'player' : isPerson ? 'summary' : 'summary_large_image';
