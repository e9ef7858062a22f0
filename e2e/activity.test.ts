import type { Page, Route } from 'playwright-core';
import { v7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { storedName, storedUsername } from '#server/features/people/name-keys.ts';
import { likePost } from '#server/features/posts-and-stories/likes.ts';
import { commentOnReel, likeReel } from '#server/features/reels/engagement.ts';
import { violationsOf } from '#testing/browser/axe.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { follow } from '#testing/fixtures/follows.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { giveReels } from '#testing/fixtures/reel-copies.ts';

const site = sharedSite();

async function addPerson(username: string): Promise<string> {
  const { id } = await site.db
    .insertInto('people')
    .values({
      id: crypto.randomUUID(),
      ...storedName(username),
      ...storedUsername(username),
      email: `${username}@people.example`,
      email_key: `${username}@people.example`,
      password_hash: 'none',
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

describe('the bell and /Activity (specification §2, §9)', () => {
  it("shows up to '99+' unread, and opening the page marks them all as read in every tab", async () => {
    const star = await signUpAt(site.origin, 'bell.star');
    const fans = Array.from({ length: 104 }, (_, place) => place);
    const now = Date.now();
    for (const place of fans) {
      const sender = place === 0 ? site.fan.id : await addPerson(`crowd${place}`);
      await follow(contextAt(site.db, new Date(now + place * 1000)), sender, star.id);
    }
    const { page, leave } = await site.open({ person: star });
    await visit(page, '/About');
    const bell = page.locator('header a[href="/Activity"]');
    await expect.poll(() => bell.textContent()).toBe('99+');
    await expect.poll(() => bell.getAttribute('aria-label')).toBe('Notifications, 104 unread');
    const other = await page.context().newPage();
    await visit(other, '/Activity');
    await other.getByRole('heading', { name: 'Earlier Notifications' }).waitFor();
    const groups = other.locator('main section');
    await expect.poll(() => groups.nth(0).getByRole('listitem').count()).toBe(3);
    await expect.poll(() => groups.nth(1).getByRole('heading').textContent()).toBe('All Notifications');
    await other.getByText('crowd103 started following you').waitFor();
    await expect.poll(() => bell.textContent()).toBe('');
    await leave();
  });

  it('marking as read leaves newer notifications unread [long]', async () => {
    const newcomer = await signUpAt(site.origin, 'bell.newcomer');
    const { page, leave } = await site.open({ person: newcomer });
    const marked: URL[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === '/api/notification/markRead') marked.push(url);
    });
    const isList = (url: URL) =>
      url.pathname.startsWith('/api/notification/getNotifications/') && url.searchParams.get('limit') !== '1';
    const followed = async (route: Route) => {
      const response = await route.fetch();
      await follow(contextOn(site.db), site.fan.id, newcomer.id);
      await route.fulfill({ response });
    };
    await page.route(isList, followed, { times: 1 });
    await visit(page, '/Activity');
    await visit(page, '/Activity');
    await page.getByText('farid started following you').waitFor();
    await expect.poll(() => marked.length).toBeGreaterThan(0);
    expect(marked.filter(({ searchParams }) => !searchParams.has('upTo'))).toEqual([]);
    await leave();
  });
});

it('a follow and a like raise the other person’s badge, and opening the list clears it [long]', async () => {
  const [asha, binod] = [await signUpAt(site.origin, 'bell.asha'), await signUpAt(site.origin, 'bell.binod')];
  const postId = await publishPicture(site.db, site.data, asha.id, 'A photo', new Date(), '#e5447f');
  const hers = await site.open({ person: asha });
  await hers.page.clock.install();
  await visit(hers.page, '/About');
  const bell = (unread: number) =>
    hers.page
      .getByRole('banner')
      .getByRole('link', { name: unread ? `Notifications, ${unread} unread` : 'Notifications', exact: true });
  await bell(0).waitFor();

  for (const path of [`/api/follow/${asha.id}`, `/api/post/like/${postId}`])
    expect((await binod.send('POST', path)).status).toBe(200);
  await hers.page.clock.runFor(61_000);
  await bell(2).waitFor();

  await bell(2).click();
  await hers.page.getByText('bell.binod started following you').waitFor();
  await hers.page.getByText('bell.binod liked your photo').waitFor();
  await bell(0).waitFor();
  expect(hers.complaints).toEqual([]);
  await hers.leave();
});

describe('a line of /Activity', () => {
  let star: Client;
  let reel: string;
  let photo: string;
  const words = `So beautiful ${'and so far away '.repeat(20)}`;
  beforeAll(async () => {
    star = await signUpAt(site.origin, 'lines.star');
    [reel = ''] = await giveReels(site, star.id, ['Sunset in Goa']);
    photo = await publishPicture(site.db, site.data, star.id, 'Rangoli', new Date(), '#e5447f');
    const fans: string[] = [];
    for (let nth = 0; nth < 5; nth += 1) fans.push(await addPerson(`lines.fan${nth}`));
    const [first = '', second = ''] = fans;
    const now = Date.now() - 60_000;
    const at = (seconds: number) => contextAt(site.db, new Date(now + seconds * 1000));
    for (const [nth, fan] of fans.entries()) await likeReel(at(nth), reel, fan);
    await likePost(at(6), photo, first);
    await likePost(at(7), photo, second);
    await commentOnReel(at(8), reel, first, { text: words, sentAs: v7() });
    await follow(at(9), second, star.id);
  });

  const lines = (page: Page) => page.getByRole('main').getByRole('listitem').getByRole('link');
  const namesOf = async (page: Page) => {
    await lines(page).first().waitFor();
    const names = await lines(page).evaluateAll((all) =>
      all.map((one) => [
        one.querySelector('.leading-snug')?.textContent,
        [...one.querySelectorAll('img')].map(({ alt }) => alt).join(),
        decodeURI(one.getAttribute('href') ?? ''),
      ]),
    );
    return names;
  };

  const sentences = {
    en: [
      'lines.fan1 started following you',
      'lines.fan0 commented on your reel',
      'lines.fan1 and lines.fan0 liked your photo',
      'lines.fan4, lines.fan3 and 3 others liked your reel',
    ],
    hi: [
      'lines.fan1 आपको फ़ॉलो करने लगे',
      'lines.fan0 ने आपकी रील पर कमेंट किया',
      'lines.fan1 और lines.fan0 ने आपकी फ़ोटो लाइक की',
      'lines.fan4, lines.fan3 और 3 अन्य लोगों ने आपकी रील लाइक की',
    ],
  };

  it('says who liked a thing in one sentence, shows the thing, and leads to it by the keyboard; fits a width of 320 px, and keeps its height while its pictures are missing [long]', async () => {
    const { page, complaints, leave } = await site.open({
      person: star,
      viewport: { width: 320, height: 640 },
    });
    const about = [
      ['', `/user/`],
      ['Sunset in Goa', `/videoplayer?reel=${reel}`],
      ['Rangoli', `/post/${photo}`],
      ['Sunset in Goa', `/videoplayer?reel=${reel}`],
    ];
    const shows = async (lang: 'en' | 'hi') => {
      await visit(page, `/Activity?lang=${lang}`);
      const shown = await namesOf(page);
      const withoutId = shown.map(([sentence, alt, to]) => [
        sentence,
        alt,
        to?.replace(/(?<=^\/user\/).*|#.*/, ''),
      ]);
      expect
        .soft(withoutId)
        .toEqual(sentences[lang].map((sentence, nth) => [sentence, ...(about[nth] ?? [])]));
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    };
    await shows('hi');
    await shows('en');
    const sections = page.locator('main section');
    expect.soft(await sections.nth(0).getByRole('listitem').count()).toBe(3);
    await expect
      .poll(() =>
        page
          .locator('main li img')
          .evaluateAll((all) => (all as HTMLImageElement[]).map(({ naturalWidth }) => naturalWidth > 0)),
      )
      .toEqual([true, true, true]);
    const [height, lineHeight] = await page
      .getByText(/^So beautiful/)
      .evaluate((one) => [
        one.getBoundingClientRect().height,
        Number.parseFloat(getComputedStyle(one).lineHeight),
      ]);
    expect.soft(height, 'two lines of a comment').toBeCloseTo(2 * (lineHeight ?? 0), 0);
    expect.soft(await violationsOf(page), 'light').toEqual([]);
    await page.evaluate(() => {
      document.body.classList.replace('light', 'dark');
      return new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)));
    });
    expect.soft(await violationsOf(page, ['color-contrast', 'link-in-text-block']), 'dark').toEqual([]);
    expect(complaints).toEqual([]);

    const heights = () =>
      lines(page).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    const whole = await heights();
    await page.route('**/media/**', (route) => route.abort());
    await visit(page, '/Activity?lang=en');
    await lines(page).first().waitFor();
    expect.soft(await heights()).toEqual(whole);
    await page.unroute('**/media/**');

    const line = page.getByRole('link', { name: /and 3 others liked your reel/ });
    await lines(page).nth(2).focus();
    await page.keyboard.press('Tab');
    expect(await line.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await arrive(page, `/videoplayer?reel=${reel}`);
    await leave();
  });

  it('of a reel that many people like waits for a click before it counts more of them [long]', async () => {
    const viral = await signUpAt(site.origin, 'lines.viral');
    const [id = ''] = await giveReels(site, viral.id, ['Seen by everybody']);
    const now = Date.now() - 600_000;
    for (let nth = 0; nth < 70; nth += 1)
      await likeReel(contextAt(site.db, new Date(now + nth * 1000)), id, await addPerson(`viral${nth}`));
    const { page, leave } = await site.open({ person: viral });
    await visit(page, '/Activity?lang=en');
    await page.getByText('viral69, viral68 and 48 others liked your reel').waitFor();
    await page.getByRole('link', { name: 'Load more' }).click();
    await page.getByText('viral69, viral68 and 68 others liked your reel').waitFor();
    expect(await lines(page).count()).toBe(1);
    await leave();
  });
});
