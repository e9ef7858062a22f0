import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { personName } from '#contract/accounts.ts';
import { limits } from '#contract/limits.ts';
import { storedName, storedUsername } from '#server/features/people/name-keys.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId, newKey } from '#server/platform/ids.ts';
import { emptySite } from '#testing/browser/site.ts';
import { takenOver, type Visitor } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { fewNaughtyStrings } from '#testing/fuzz/naughty-strings.ts';

const harmless = 'A harmless text';
const texts = fewNaughtyStrings.filter((text) => text.trim() !== '');
/** The texts that are accepted as a name, as they are stored. */
const names = texts.flatMap((text) => personName.safeParse(text).data ?? []);
const statusTexts = texts.filter(({ length }) => length <= limits.statusText);
/** Publication times; the last text is the newest. */
const momentOf = (place: number) => new Date(start + place * 1000);
const start = Date.now() - 2 * texts.length * 1000;

const site = emptySite();
let creator: Client;
let visitor: Visitor;
/** The reel of each text, and the person of each name. */
let reels: Map<string, string>;
let people: Map<string, string>;
beforeAll(async () => {
  creator = await signUpAt(site.origin, 'naughty');
  reels = await publishAll(site.db, creator.id);
  people = await nameAll(site.db);
  visitor = await site.open();
});

/** One reel and one post for each text, and the stories, whose files do not matter here. */
async function publishAll(db: Kysely<Tables>, creator_id: string): Promise<Map<string, string>> {
  const file = (place: number) => ({
    id: newId(momentOf(place)),
    creator_id,
    media_key: newKey(),
    sha256: randomBytes(32),
    placeholder: '',
    width: 360,
    height: 640,
    published_at: momentOf(place),
  });
  const rows = [harmless, ...texts].map((caption, place) => ({
    ...file(place),
    caption,
    credit: caption,
    categories: [],
    state: 'ready' as const,
    uploaded_at: momentOf(place),
  }));
  await changeWorks(db, (trx) => trx.insertInto('reels').values(rows).execute());
  const posts = texts.map((caption, place) => ({
    ...file(place),
    caption,
    description: caption,
    widths: [360],
  }));
  await changeWorks(db, (trx) => trx.insertInto('posts').values(posts).execute());
  const stories = statusTexts.map((status_text, place) => ({ ...file(place), status_text, widths: [360] }));
  await db.insertInto('stories').values(stories).execute();
  return new Map(rows.map(({ caption, id }) => [caption, id]));
}

async function nameAll(db: Kysely<Tables>): Promise<Map<string, string>> {
  const rows = [harmless, ...names].map((name, place) => ({
    id: newId(momentOf(place)),
    ...storedName(name),
    ...storedUsername(`person${place}`),
    email: `person${place}@people.example`,
    email_key: `person${place}@people.example`,
    password_hash: 'none',
    created_at: momentOf(place),
  }));
  await db.insertInto('people').values(rows).execute();
  return new Map(rows.map(({ name, id }) => [name, id]));
}

interface Seen {
  elements: string[];
  /** Where its links lead, as written. */
  links: string[];
  body: string;
  heading: string;
  title: string;
  /** Titles and descriptions, for each kind of card. */
  titles: (string | null)[];
  descriptions: (string | null)[];
  about: { description?: string; mainEntity?: { name: string } };
}

/** Parses the sources of pages as a browser does, without running scripts. */
const look = (sources: string[]) =>
  visitor.page.evaluate(
    (all) =>
      all.map((html): Seen => {
        const page = new DOMParser().parseFromString(html, 'text/html');
        const content = (selector: string) => page.querySelector(selector)?.getAttribute('content') ?? null;
        return {
          elements: [...page.querySelectorAll('*')]
            .map((element) => `${element.localName} ${element.getAttributeNames().sort().join(' ')}`)
            .sort(),
          links: [...page.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? ''),
          body: page.querySelector('main')?.textContent ?? '',
          heading: page.querySelector('h1')?.textContent ?? '',
          title: page.querySelector('title')?.textContent ?? '',
          titles: [content('meta[property="og:title"]'), content('meta[name="twitter:title"]')],
          descriptions: ['name="description"', 'property="og:description"', 'name="twitter:description"'].map(
            (which) => content(`meta[${which}]`),
          ),
          about: JSON.parse(page.querySelector('script[type="application/ld+json"]')?.textContent ?? '{}'),
        };
      }),
    sources,
  );

/** What a text may add: the button that expands it, a link to a page elsewhere, and words in no known language. */
const ofTexts = /^(button aria-expanded|a class href rel target$|span (class )?dir$)/;

/** Passes the page of each text to `compare`, together with that of a harmless text, and checks that it has no other elements. */
async function lookAtAll(
  all: readonly string[],
  pathOf: (text: string) => string,
  compare: (text: string, page: Seen, plain: Seen) => void,
) {
  const headers = { 'accept-encoding': 'identity' };
  const sourceOf = async (text: string) => {
    const response = await fetch(`${site.origin}${pathOf(text)}`, { headers });
    expect(response.status, text).toBe(200);
    return await response.text();
  };
  const [plain] = await look([await sourceOf(harmless)]);
  if (!plain) throw new Error('there is nothing to compare with');
  const kinds = new Set(plain.elements);
  const scriptsOf = ({ elements }: Seen) => elements.filter((one) => one.startsWith('script')).length;
  // More at once than a busy machine can render are refused.
  const atOnce = 8;
  for (let begin = 0; begin < all.length; begin += atOnce) {
    const some = all.slice(begin, begin + atOnce);
    const pages = await look(await Promise.all(some.map(sourceOf)));
    for (const [place, page] of pages.entries()) {
      const text = some[place] ?? '';
      compare(text, page, plain);
      const foreign = page.elements.filter((one) => !kinds.has(one) && !ofTexts.test(one));
      expect(foreign, JSON.stringify(text)).toEqual([]);
      expect(scriptsOf(page), JSON.stringify(text)).toBe(scriptsOf(plain));
      expect(
        page.links.filter((href) => !/^(https?:\/\/|[/#])/i.test(href)),
        JSON.stringify(text),
      ).toEqual([]);
    }
  }
}

/** With the line breaks that a browser makes of it. */
const asRead = (text: string) => text.replace(/\r\n?/g, '\n');
const inOneLine = (text: string) => text.replace(/\s+/g, ' ');
/** Without the marks around a value in a sentence, and those inside it that could turn the sentence. */
const withoutTurns = (text: string) => text.replaceAll(/[\u202A-\u202E\u2066-\u2069]/gu, '');
/** The part of a caption that a title contains. */
const beginOf = (caption: string) => [...inOneLine(caption)].slice(0, 60).join('').trim();

describe('in the source of a page naughty strings are shown as written, and are never markup:', () => {
  beforeAll(() => visitor.page.goto('/About'));

  it('captions on the player’s page and in its cards', () =>
    lookAtAll(
      texts,
      (caption) => `/videoplayer?reel=${reels.get(caption)}`,
      (caption, page, plain) => {
        const told = JSON.stringify(caption);
        expect(page.body, told).toContain(asRead(caption));
        expect(page.about.description, told).toBe(caption);
        for (const title of [page.title, ...page.titles])
          expect(withoutTurns(inOneLine(title ?? '')), told).toContain(withoutTurns(beginOf(caption)));
        // The view count and the creator: the caption does not get there, and nothing is missing.
        expect(page.descriptions, told).toEqual(plain.descriptions);
        expect(page.descriptions[0], told).toContain('Watch naughty on Jhalak');
      },
    ));

  it('names on a person’s page and in its cards', async () => {
    expect(names.length).toBeGreaterThan(texts.length * 0.7);
    await lookAtAll(
      names,
      (name) => `/user/${people.get(name)}`,
      (name, page, plain) => {
        const told = JSON.stringify(name);
        const withName = (words: string | null | undefined) =>
          words?.split(harmless).join(withoutTurns(asRead(name)));
        expect(page.heading, told).toBe(asRead(name));
        expect(page.about.mainEntity?.name, told).toBe(name);
        for (const title of [page.title, ...page.titles])
          expect(withoutTurns(title ?? '').startsWith(`${withoutTurns(asRead(name))} (@person`), told).toBe(
            true,
          );
        const descriptions = page.descriptions.map((one) => withoutTurns(one ?? ''));
        expect(descriptions, told).toEqual(plain.descriptions.map(withName));
        expect(descriptions[0], told).toContain(withoutTurns(asRead(name)));
      },
    );
  });
});

describe('on a hydrated page naughty strings are shown as written, and never executed:', () => {
  /** Opens a page, and returns a check that nothing was executed on it. */
  async function open(path: string, person?: Client) {
    const { page, complaints, leave } = await site.open(person ? { person } : {});
    const executed: string[] = [];
    page.on('dialog', (dialog) => {
      executed.push(dialog.message());
      void dialog.dismiss();
    });
    // Requests for videos hang, so that the player waits for them.
    await page.route('**/media/**', (route) =>
      route.request().resourceType() === 'media' ? undefined : route.abort(),
    );
    // The list loads more at a time than it does for people.
    await page.route(
      (url) => url.pathname.startsWith('/api/') && url.searchParams.has('cursor'),
      (route) => {
        const url = new URL(route.request().url());
        url.searchParams.set('limit', '100');
        return route.continue({ url: url.href });
      },
    );
    await page.goto(path);
    await takenOver(page);
    const unharmed = async () => {
      expect(await page.evaluate(() => 'executed' in window)).toBe(false);
      expect(executed).toEqual([]);
      expect(new URL(page.url()).pathname).toBe(new URL(path, site.origin).pathname);
      expect(complaints.filter((one) => one.startsWith('asks'))).toEqual([]);
      await leave();
    };
    return { page, unharmed };
  }

  it.each([
    ['captions on the posts’ page', '/ShowPosts', 'article h2', texts],
    ['names in the user list', '/AllUsers', 'main li a span.text-lg', names],
    ['status texts on one’s own page', '/UserProfile?tab=stories', 'main li p[dir=auto]', statusTexts],
  ] as const)('%s', async (_, path, where, all) => {
    const { page, unharmed } = await open(path, path.startsWith('/UserProfile') ? creator : undefined);
    const places = page.locator(where);
    await places.first().waitFor();
    for (let seen = 0; seen < all.length; ) {
      await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
      await expect.poll(() => places.count()).toBeGreaterThan(seen);
      seen = await places.count();
    }
    const shown = await places.evaluateAll((every) => every.map((one) => one.textContent));
    // The person who has published all this signed up last.
    if (path === '/AllUsers') expect(shown.shift()).toBe('naughty');
    expect(shown.slice(0, all.length).map((one) => asRead(one ?? ''))).toEqual(all.toReversed().map(asRead));
    await unharmed();
  });

  it('captions in the player, from one video to the next', async () => {
    const { page, unharmed } = await open('/videoplayer');
    const batch = texts.toReversed().slice(0, 12);
    for (const [place, caption] of batch.entries()) {
      if (place > 0) await page.keyboard.press('ArrowDown');
      const words = page.locator('p.player-caption');
      await expect
        .poll(async () => asRead((await words.textContent()) ?? ''), { interval: 20 })
        .toBe(asRead(caption));
      await expect
        .poll(async () => withoutTurns(inOneLine(await page.title())), { interval: 20 })
        .toContain(withoutTurns(beginOf(caption)));
    }
    await unharmed();
  });
});
