import type { MetaDescriptor } from 'react-router';

interface PageHead {
  title: string;
  description: string;
  /** Scheme and host; empty in the browser until the root's data is known. */
  origin: string;
  /** Path and query as they should be known. */
  path: string;
  /** A picture for cards; the site's own where none is given. */
  image?: string | undefined;
  /** A page about a video: it plays inside the card. */
  video?: { url: string; width: number; height: number } | undefined;
  /** What it shows depends on who is signed in: nothing for search engines. */
  personal?: boolean;
}

/** Title, description, canonical address and the cards shown where a page is shared. */
export function headOf({
  title,
  description,
  origin,
  path,
  image,
  video,
  personal,
}: PageHead): MetaDescriptor[] {
  const url = new URL(path, origin || 'http://localhost').href;
  const absolute = (address: string) => new URL(address, url).href;
  const head: MetaDescriptor[] = [
    { title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:site_name', content: 'Jhalak' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: url },
    { property: 'og:type', content: video ? 'video.other' : 'website' },
    { name: 'twitter:title', content: title },
    { name: 'twitter:description', content: description },
  ];
  if (personal) head.push({ name: 'robots', content: 'noindex' });
  if (image) {
    head.push(
      { property: 'og:image', content: absolute(image) },
      { name: 'twitter:image', content: absolute(image) },
    );
  }
  head.push({ name: 'twitter:card', content: image ? 'summary_large_image' : 'summary' });
  if (!video) return head;
  return [
    ...head,
    { property: 'og:video', content: absolute(video.url) },
    { property: 'og:video:type', content: 'video/mp4' },
    { property: 'og:video:width', content: String(video.width) },
    { property: 'og:video:height', content: String(video.height) },
  ];
}
