import { Parser } from 'htmlparser2';
import type { FoundVideo } from './extractor.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import type { Link } from './link.ts';

const headers = { accept: 'text/html', 'accept-language': 'en' };

/** Finds the file of a public Instagram video, in the preview tags of its page or else in its embedded page. */
export async function findOnInstagram(fetch: GuardedFetch, { page }: Link): Promise<FoundVideo> {
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

/** The `<meta property content>` tags of a page. */
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

/** The embedded page has the address in JSON within JSON, with its characters escaped once or twice. */
function embeddedVideo(html: string): string | undefined {
  const plain = html.replace(/\\+u0026/g, '&').replace(/\\+(["/])/g, '$1');
  return /"video_url":"(https:[^"\s]+)"/.exec(plain)?.[1];
}
