import { Parser } from 'htmlparser2';
import type { Found } from './extractor.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import type { Link } from './link.ts';

const headers = { accept: 'text/html', 'accept-language': 'en' };

/** The file of a public Instagram video: its page names it for whoever shows a preview, or else the page to be embedded does. */
export async function findOnInstagram(fetch: GuardedFetch, { page }: Link): Promise<Found> {
  const facts = factsOf(await textOf(fetch, page));
  const media =
    facts.get('og:video:secure_url') ??
    facts.get('og:video') ??
    embeddedVideo(await textOf(fetch, `${page}embed/captioned/`));
  if (!media) throw new Error('Instagram: the page names no video');
  return { media, title: facts.get('og:title') ?? '' };
}

async function textOf(fetch: GuardedFetch, address: string): Promise<string> {
  const response = await fetch(address, { headers });
  if (!response.ok) throw new Error(`Instagram answered ${response.status}`);
  return await response.text();
}

/** What a page says of itself in `<meta property content>`. */
function factsOf(html: string): Map<string, string> {
  const facts = new Map<string, string>();
  const parser = new Parser({
    onopentag(name, { property, content }) {
      if (name === 'meta' && property && content && !facts.has(property)) facts.set(property, content);
    },
  });
  parser.end(html);
  return facts;
}

/** The embedded page tells its player by JSON within JSON, its signs escaped once or twice. */
function embeddedVideo(html: string): string | undefined {
  const plain = html.replace(/\\+u0026/g, '&').replace(/\\+(["/])/g, '$1');
  return /"video_url":"(https:[^"\s]+)"/.exec(plain)?.[1];
}
