import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Tables } from '../server/platform/database/tables.ts';
import { newId, newKey } from '../server/platform/ids.ts';
import { signUpAt } from '../testing/api-client.ts';
import { naughtyStrings } from '../testing/naughty-strings.ts';
import { emptySite } from '../testing/site.ts';
import type { Visitor } from '../testing/visitor.ts';

const harmless = 'A harmless caption';
const texts = naughtyStrings.filter((text) => text.trim() !== '');

const site = emptySite();
let visitor: Visitor;
/** The reel of each text. */
let reels: Map<string, string>;
beforeAll(async () => {
  const { id } = await signUpAt(site.origin, 'naughty');
  reels = await publishAll(site.db, id);
  visitor = await site.open();
});

/** One reel and one post for each text, whose files are not what this is about. */
async function publishAll(db: Kysely<Tables>, creator_id: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const start = Date.now() - texts.length * 1000;
  for (const [place, caption] of [harmless, ...texts].entries()) {
    const at = new Date(start + place * 1000);
    const file = () => ({
      creator_id,
      media_key: newKey(),
      sha256: randomBytes(32),
      placeholder: '',
      width: 360,
      height: 640,
      published_at: at,
    });
    const id = newId(at);
    await db
      .insertInto('reels')
      .values({ ...file(), id, caption, credit: caption, categories: [], state: 'ready', uploaded_at: at })
      .execute();
    await db
      .insertInto('posts')
      .values({ ...file(), id: newId(at), caption, description: caption, widths: [360] })
      .execute();
    ids.set(caption, id);
  }
  return ids;
}

interface Seen {
  elements: string[];
  body: string;
  title: string;
  cards: (string | null)[];
  description: string;
}

/** What a browser makes of a page's source, without running it. */
const look = (source: string) =>
  visitor.page.evaluate((html): Seen => {
    const page = new DOMParser().parseFromString(html, 'text/html');
    const content = (selector: string) => page.querySelector(selector)?.getAttribute('content') ?? null;
    const about = page.querySelector('script[type="application/ld+json"]')?.textContent ?? '{}';
    return {
      elements: [...page.querySelectorAll('*')]
        .map((element) => `${element.localName} ${element.getAttributeNames().sort().join(' ')}`)
        .sort(),
      body: page.querySelector('main')?.textContent ?? '',
      title: page.querySelector('title')?.textContent ?? '',
      cards: [content('meta[property="og:title"]'), content('meta[name="twitter:title"]')],
      description: JSON.parse(about).description ?? '',
    };
  }, source);

const sourceOf = async (caption: string) =>
  await (await fetch(`${site.origin}/videoplayer?reel=${reels.get(caption)}`)).text();
/** As a browser reads lines. */
const asRead = (text: string) => text.replace(/\r\n?/g, '\n');

it('stand on the player’s page and in its cards as they were written, and are never markup', async () => {
  await visitor.page.goto('/About');
  const plain = await look(await sourceOf(harmless));
  const kinds = new Set(plain.elements);
  for (const caption of texts) {
    const page = await look(await sourceOf(caption));
    const told = JSON.stringify(caption);
    expect(page.body, told).toContain(asRead(caption));
    expect(page.description, told).toBe(caption);
    const begin = [...caption.replace(/\s+/g, ' ')].slice(0, 60).join('').trim();
    for (const card of page.cards.filter((one) => one !== null)) expect(card, told).toContain(begin);
    expect(page.title.replace(/\s+/g, ' '), told).toContain(begin.replace(/\s+/g, ' '));
    // A long caption brings the button that opens it; nothing else may be there that is not there without it.
    const foreign = page.elements.filter((one) => !kinds.has(one) && !one.startsWith('button aria-expanded'));
    expect(foreign, told).toEqual([]);
    expect(page.elements.filter((one) => one.startsWith('script')).length, told).toBe(
      plain.elements.filter((one) => one.startsWith('script')).length,
    );
  }
});

it('stand on the posts’ page as they were written, and nothing of them is executed', async () => {
  const { page } = visitor;
  const executed: string[] = [];
  page.on('dialog', (dialog) => {
    executed.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto('/ShowPosts');
  const captions = page.locator('article h2');
  for (let seen = 0; seen < texts.length; ) {
    await page.mouse.wheel(0, 20_000);
    await expect.poll(() => captions.count(), { timeout: 20_000 }).toBeGreaterThan(seen);
    seen = await captions.count();
  }
  const shown = await captions.evaluateAll((all) => all.map((one) => one.textContent));
  expect(shown.slice(0, texts.length)).toEqual(texts.toReversed());
  expect(await page.evaluate(() => 'executed' in window)).toBe(false);
  expect(executed).toEqual([]);
  expect(page.url()).toBe(`${site.origin}/ShowPosts`);
  expect(visitor.complaints.filter((one) => one.startsWith('asks'))).toEqual([]);
});
