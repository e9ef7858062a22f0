import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { storedName, storedUsername } from '#server/features/people/name-keys.ts';
import { newId, newKey } from '#server/platform/ids.ts';
import { emptySite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { breakingTexts } from '#testing/fuzz/breaking-texts.ts';
import { isWhole, someOf } from '#testing/share.ts';
import { siteRoutes } from './routes.ts';

const texts = Object.values(breakingTexts);
const names = texts.map((text) => [...text].slice(0, 80).join(''));
const phone = { width: 320, height: 640 };

/** Texts of people that leave their box or the window, and those whose direction reaches the words beside them. */
const faultsOf = (page: Page) =>
  page.evaluate(
    (begins) => {
      const faults: string[] = [];
      const { scrollWidth } = document.documentElement;
      if (scrollWidth > innerWidth) faults.push(`the page is ${scrollWidth} px wide`);
      const isInline = (node: Node) =>
        node instanceof Element && getComputedStyle(node).display.startsWith('inline');
      let found = 0;
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const said = node.textContent ?? '';
        const begin = begins.find((one) => said.includes(one));
        const parent = node.parentElement;
        if (!begin || !parent?.checkVisibility() || parent.closest('script, style, textarea, option'))
          continue;
        found += 1;
        const where = `${parent.localName}.${parent.className}: ${begin}`;
        const range = document.createRange();
        range.selectNode(node);
        // The nearest box that cuts what does not fit in it: with an ellipsis, or for screen readers only.
        let box: Element = parent;
        while (box !== document.body && getComputedStyle(box).overflowX === 'visible')
          box = box.parentElement ?? document.body;
        const style = getComputedStyle(box);
        const isCut =
          style.textOverflow === 'ellipsis' ||
          style.webkitLineClamp !== 'none' ||
          box.getBoundingClientRect().width <= 1;
        const { left, right } =
          isCut || box === document.body ? { left: 0, right: innerWidth } : box.getBoundingClientRect();
        for (const rect of isCut ? [box.getBoundingClientRect()] : range.getClientRects())
          if (rect.width > 0 && (rect.left < left - 1 || rect.right > right + 1)) {
            faults.push(`${where} reaches from ${rect.left} to ${rect.right} in ${left} to ${right}`);
            break;
          }
        // Isolated: by characters, by an element, or because there are no other words in its block.
        const mark = said.indexOf('\u2068');
        if (mark >= 0 && mark < said.indexOf(begin)) continue;
        let block: Element = parent;
        while (isInline(block) && getComputedStyle(block).unicodeBidi !== 'isolate' && block.parentElement)
          block = block.parentElement;
        const isBesideWords = [...block.childNodes].some(
          (one) =>
            !one.contains(node) &&
            (one.nodeType === Node.TEXT_NODE || isInline(one)) &&
            /[\p{L}\p{N}]/u.test(one.textContent ?? ''),
        );
        if (isBesideWords && !getComputedStyle(block).display.includes('flex'))
          faults.push(`${where} is not isolated from the words beside it`);
      }
      return { found, faults };
    },
    texts.map((text) => [...text.replaceAll(/[\u202A-\u202E\u2066-\u2069]/gu, '')].slice(0, 5).join('')),
  );

describe('at a width of 320 px texts of people stay in their box, and do not turn the words beside them', () => {
  const site = emptySite();
  let creator: Client;
  let reels: string[];
  let photos: string[];
  beforeAll(async () => {
    creator = await signUpAt(site.origin, 'breaking');
    const published = (place: number) => ({
      id: newId(new Date()),
      creator_id: creator.id,
      media_key: newKey(),
      sha256: randomBytes(32),
      placeholder: '',
      width: 360,
      height: 640,
      published_at: new Date(Date.now() - place * 1000),
    });
    const rows = texts.map((caption, place) => ({
      ...published(place),
      caption,
      credit: caption,
      categories: [],
      state: 'ready' as const,
      uploaded_at: new Date(),
    }));
    reels = rows.map(({ id }) => id);
    await changeWorks(site.db, (trx) => trx.insertInto('reels').values(rows).execute());
    const posts = texts.map((caption, place) => ({
      ...published(place),
      caption,
      description: caption,
      widths: [360],
    }));
    photos = posts.map(({ id }) => id);
    await changeWorks(site.db, (trx) => trx.insertInto('posts').values(posts).execute());
    const stories = names.map((text, place) => ({ ...published(place), status_text: text, widths: [360] }));
    await site.db.insertInto('stories').values(stories).execute();
    const people = names.map((name, place) => ({
      id: newId(new Date()),
      ...storedName(name),
      // As long as one may be, and as wide.
      ...storedUsername(`${[...name].slice(0, 28).join('')}${place}`),
      username_key: `breaking${place}`,
      email: `breaking${place}@people.example`,
      email_key: `breaking${place}@people.example`,
      password_hash: 'none',
      created_at: new Date(),
    }));
    await site.db.insertInto('people').values(people).execute();
    const about = reels[0] ?? '';
    const comments = people.map(({ id: person_id }, place) => ({
      id: newId(new Date()),
      reel_id: about,
      creator_id: creator.id,
      person_id,
      text: texts[place] ?? '',
      sent_as: newId(new Date()),
      created_at: new Date(),
    }));
    await site.db.insertInto('reel_comments').values(comments).execute();
    const notices = people.flatMap(({ id: sender_id }, place) =>
      (['follow', 'like_reel', 'comment'] as const).map((kind) => ({
        id: newId(new Date()),
        person_id: creator.id,
        kind,
        sender_id,
        about_id: kind === 'follow' ? null : about,
        fact_id: (kind === 'comment' && comments[place]?.id) || sender_id,
        created_at: new Date(),
      })),
    );
    await site.db.insertInto('notifications').values(notices).execute();
    const [longest] = people;
    await site.db
      .updateTable('people')
      .set({
        name: texts[3]?.slice(0, 80) ?? '',
        username: longest?.username ?? '',
        reel_count: reels.length,
        post_count: posts.length,
      })
      .where('id', '=', creator.id)
      .execute();
    const stored = await site.db
      .selectFrom('people')
      .select(['name', 'username'])
      .where('id', '=', creator.id)
      .executeTakeFirstOrThrow();
    Object.assign(creator.user, stored);
  });

  const allPaths = () =>
    siteRoutes({
      personId: creator.id,
      reelId: reels[0] ?? '',
      photoId: photos[0] ?? '',
      reportNumber: 'none',
    }).map(({ path }) => path);
  /** Pages that certainly show texts of people; `test:long` opens all others too. */
  const pathsWithTexts = () => [
    '/',
    '/videoplayer',
    '/ShowPosts',
    '/AllUsers',
    `/user/${creator.id}`,
    `/user/${creator.id}?tab=posts`,
    `/story/${creator.id}`,
    `/post/${photos[0]}`,
    `/EarningHistory/reel/${reels[0]}`,
    '/UserProfile',
    '/Activity',
  ];

  it('on every page', async () => {
    const { page, leave } = await site.open({ person: creator, viewport: phone });
    await page.route('**/media/**', (route) => route.abort());
    const faults: Record<string, string[]> = {};
    let total = 0;
    const withTexts: string[] = [];
    for (const path of isWhole ? allPaths() : pathsWithTexts()) {
      await visit(page, path);
      const seen = await faultsOf(page);
      total += seen.found;
      if (seen.found > 0) withTexts.push(path);
      if (seen.faults.length > 0) faults[path] = seen.faults;
    }
    expect(faults).toEqual({});
    expect(withTexts).toEqual(expect.arrayContaining(pathsWithTexts()));
    expect(total).toBeGreaterThan(texts.length * 5);
    await leave();
  });

  it('in the player, with all of each text', async () => {
    const { page, leave } = await site.open({ person: creator, viewport: phone });
    await page.route('**/media/**', (route) => route.abort());
    for (const id of someOf(reels, 3)) {
      await visit(page, `/videoplayer?reel=${id}`);
      const more = page.getByRole('button', { name: 'more', exact: false }).first();
      if (await more.isVisible()) await more.click();
      const { found, faults } = await faultsOf(page);
      expect(faults, Object.keys(breakingTexts)[reels.indexOf(id)]).toEqual([]);
      expect(found).toBeGreaterThan(0);
    }
    await leave();
  });

  it('on the page of a photo', async () => {
    const { page, leave } = await site.open({ person: creator, viewport: phone });
    await page.route('**/media/**', (route) => route.abort());
    for (const id of someOf(photos, 2)) {
      await visit(page, `/post/${id}`);
      const { found, faults } = await faultsOf(page);
      expect(faults, Object.keys(breakingTexts)[photos.indexOf(id)]).toEqual([]);
      expect(found).toBeGreaterThan(1);
    }
    await leave();
  });

  it('in dialogs', async () => {
    const { page, leave } = await site.open({ person: creator, viewport: phone });
    await page.route('**/media/**', (route) => route.abort());
    for (const path of ['/UserProfile', '/UserProfile?tab=posts', '/UserProfile?tab=stories']) {
      await visit(page, path);
      const removals = page.locator('main li button[aria-label^="Delete"]');
      await expect.poll(() => removals.count()).toBe(texts.length);
      for (const place of someOf([...texts.keys()], 2)) {
        await removals.nth(place).click();
        await page.getByRole('dialog').waitFor();
        expect((await faultsOf(page)).faults, path).toEqual([]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    }
    await visit(page, `/user/${creator.id}?tab=posts`);
    await page.locator('main li a').first().click();
    await page.getByRole('dialog').waitFor();
    expect((await faultsOf(page)).faults).toEqual([]);
    await leave();
  });
});
