import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { storedName, storedUsername } from '#server/features/people/name-keys.ts';
import { emptySite } from '#testing/browser/site.ts';
import { arrive, takenOver, type VisitorOptions, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { follow } from '#testing/fixtures/follows.ts';

/* The specification requires these to be stored between visits (§4): the user list and one's notifications. */

const site = emptySite();
let fan: Client;

beforeAll(async () => {
  fan = await signUpAt(site.origin, 'farid');
  const now = Date.now();
  await site.db
    .insertInto('people')
    .values(
      Array.from({ length: 60 }, (_, place) => ({
        id: crypto.randomUUID(),
        ...storedName(`Neighbour ${place}`),
        ...storedUsername(`neighbour${place}`),
        email: `neighbour${place}@people.example`,
        email_key: `neighbour${place}@people.example`,
        password_hash: 'none',
        created_at: new Date(now - place * 1000),
      })),
    )
    .execute();
});

const open = (options: VisitorOptions = {}) => site.open(options);
const search = (page: Page) => page.getByRole('main').getByRole('searchbox');

describe('the user list', () => {
  it('loads from the server when storage holds another list, and is stored again [long]', async () => {
    const { page, complaints, leave } = await open();
    await visit(page, '/About');
    await page.evaluate(() =>
      localStorage.setItem('jhalak.kept.people', '{"version":1,"value":{"items":[null],"nextCursor":null}}'),
    );
    await page.getByRole('link', { name: 'All Users' }).first().click();
    await page.getByRole('link', { name: /neighbour12/ }).waitFor();
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('jhalak.kept.people')))
      .toContain('neighbour12');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('is refreshed from the server, also after a search is cleared and on Back [long]', async () => {
    const { page, leave } = await open();
    const old = {
      _id: fan.id,
      name: 'Old',
      username: 'old-name',
      profilePic: '',
      followerCount: 0,
      published: 0,
    };
    const keepOld = () =>
      page.evaluate(
        (item) =>
          localStorage.setItem(
            'jhalak.kept.people',
            JSON.stringify({ version: 1, value: { items: [item], nextCursor: null } }),
          ),
        old,
      );
    await visit(page, '/AllUsers?q=farid');
    await keepOld();
    await search(page).fill('');
    await page.getByRole('link', { name: /neighbour12/ }).waitFor();
    await expect.poll(() => page.getByText('@old-name').count()).toBe(0);

    await page.getByRole('link', { name: 'Category' }).first().click();
    await arrive(page, '/Category');
    await page.reload();
    await takenOver(page);
    await keepOld();
    await page.goBack();
    await page.getByRole('link', { name: /neighbour12/ }).waitFor();
    await expect.poll(() => page.getByText('@old-name').count()).toBe(0);
    await leave();
  });

  it('loads the next page when a busy browser reports leaving and entering the viewport at once [long]', async () => {
    const { page, leave } = await open({ viewport: { width: 390, height: 700 } });
    await page.addInitScript(() => {
      window.IntersectionObserver = class extends IntersectionObserver {
        constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
          const records: IntersectionObserverEntry[] = [];
          super((more, observer) => {
            records.push(...more);
            if (records.at(-1)?.isIntersecting) callback(records.splice(0), observer);
          }, options);
        }
      };
    });
    await visit(page, '/AllUsers');
    const next = page.waitForResponse('**/api/getallUser?*cursor=*');
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await next;
    await leave();
  });

  it('restores its position and pages on Back', async () => {
    const { page, leave } = await open({ viewport: { width: 390, height: 700 } });
    await visit(page, '/AllUsers');
    const far = page.getByRole('link', { name: /neighbour55/ });
    await expect
      .poll(async () => {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
        return await far.count();
      })
      .toBe(1);
    await far.scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => window.scrollY);
    expect(place).toBeGreaterThan(3000);
    await far.click();
    await page.getByRole('heading', { name: 'Neighbour 55' }).waitFor();
    await page.goBack();
    await far.waitFor();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place);
    await leave();
  });
});

describe('the search of the user list [long]', () => {
  it('searches for what was typed before hydration', async () => {
    const { page, complaints, leave } = await open();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/AllUsers', { waitUntil: 'commit' });
    await search(page).pressSequentially('neighbour4');
    release();
    await arrive(page, '/AllUsers?q=neighbour4');
    expect(await search(page).inputValue()).toBe('neighbour4');
    await page.getByText('11 users found').waitFor();
    await search(page).pressSequentially('2');
    await arrive(page, '/AllUsers?q=neighbour42');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('keeps letters that are typed while a search is in flight', async () => {
    const { page, leave } = await open();
    await visit(page, '/AllUsers');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/getallUser?*q=neighbour1', async (route) => {
      await released;
      await route.continue();
    });
    const asked = page.waitForRequest('**/api/getallUser?*q=neighbour1');
    await search(page).pressSequentially('neighbour1');
    await asked;
    await search(page).pressSequentially('9');
    release();
    await arrive(page, '/AllUsers?q=neighbour19');
    await page.getByText('1 user found').waitFor();
    expect(await search(page).inputValue()).toBe('neighbour19');
    await leave();
  });
});

describe('the notifications', () => {
  let people = 0;
  /** A person whom others have begun to follow. */
  async function star(followers: number): Promise<Client> {
    people += 1;
    const person = await signUpAt(site.origin, `star${people}`);
    const crowd = await site.db
      .selectFrom('people')
      .select('id')
      .where('username', 'like', 'neighbour%')
      .limit(followers)
      .execute();
    for (const [place, { id }] of crowd.entries())
      await follow(contextAt(site.db, new Date(Date.now() - (60 - place) * 1000)), id, person.id);
    return person;
  }
  const bell = (page: Page) => page.locator('header a[href="/Activity"]');
  const unread = (page: Page) => bell(page).getAttribute('aria-label');

  it('read in one tab become read in every open tab', async () => {
    const person = await star(5);
    const { page: first, leave } = await open({ person });
    await visit(first, '/About');
    await expect.poll(() => unread(first)).toBe('Notifications, 5 unread');
    const second = await first.context().newPage();
    await visit(second, '/ShowPosts');
    await expect.poll(() => unread(second)).toBe('Notifications, 5 unread');
    // The first tab's own requests fail: it hears of it from the second tab.
    await first.route('**/api/notification/**', (route) => route.abort());
    await bell(second).click();
    await second.getByRole('heading', { name: 'Earlier Notifications' }).waitFor();
    const groups = second.locator('main section');
    await expect.poll(() => groups.nth(0).getByRole('listitem').count()).toBe(3);
    await expect.poll(() => groups.nth(1).getByRole('listitem').count()).toBe(2);
    for (const tab of [first, second]) await expect.poll(() => unread(tab)).toBe('Notifications');
    await first.unroute('**/api/notification/**');
    await first.reload();
    await takenOver(first);
    await expect.poll(() => unread(first)).toBe('Notifications');
    await leave();
  });

  it('are shown from local storage, refreshed on reload, and marked as read [long]', async () => {
    const person = await star(1);
    const { page, leave } = await open({ person });
    await visit(page, '/Activity');
    await page.getByRole('heading', { name: 'Earlier Notifications' }).waitFor();
    await expect.poll(() => unread(page)).toBe('Notifications');
    await follow(contextOn(site.db), fan.id, person.id);
    await page.reload();
    await page.getByText('farid started following you').waitFor();
    await expect.poll(() => unread(page)).toBe('Notifications');
    await leave();
  });

  it('appear in the open list when they arrive; a hidden page does not poll [long]', async () => {
    const person = await star(1);
    const { page, leave } = await open({ person });
    await page.clock.install();
    await visit(page, '/Activity');
    await page.getByRole('heading', { name: 'Earlier Notifications' }).waitFor();
    await expect.poll(() => unread(page)).toBe('Notifications');
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('getNotifications')) asked += 1;
    });
    const look = (state: 'hidden' | 'visible') =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      }, state);
    await look('hidden');
    await follow(contextOn(site.db), fan.id, person.id);
    for (let minute = 0; minute < 5; minute += 1) await page.clock.runFor(60_000);
    expect(asked).toBe(0);
    await look('visible');
    await page.getByText('farid started following you').waitFor();
    await expect.poll(() => unread(page)).toBe('Notifications');
    const before = asked;
    await page.clock.runFor(61_000);
    await expect.poll(() => asked).toBeGreaterThan(before);
    await leave();
  });
});
