import type { Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { storedName, storedUsername } from '#server/features/people/name-keys.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { follow } from '#testing/fixtures/follows.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';

const site = sharedSite();

describe('the bell and /Activity (specification §2, §9)', () => {
  it('asks a visitor to log in', async () => {
    const { page, leave } = await site.open();
    await visit(page, '/Activity');
    await page.getByText('Log in to see who liked, commented and followed.').waitFor();
    await leave();
  });

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

  it('marking as read leaves newer notifications unread', async () => {
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
});

it('a follow and a like raise the other person’s badge, and opening the list clears it', async () => {
  const [asha, binod] = [await signUpAt(site.origin, 'bell.asha'), await signUpAt(site.origin, 'bell.binod')];
  const postId = await publishPicture(site.db, site.data, asha.id, 'A photo', new Date(), '#e5447f');
  const [hers, his] = [await site.open({ person: asha }), await site.open({ person: binod })];
  await hers.page.clock.install();
  await Promise.all([visit(hers.page, '/About'), visit(his.page, `/user/${asha.id}`)]);
  const bell = (unread: number) =>
    hers.page
      .getByRole('banner')
      .getByRole('link', { name: unread ? `Notifications, ${unread} unread` : 'Notifications', exact: true });
  await bell(0).waitFor();

  // The app is another client of the same server: the same calls, made in the page where he is signed in.
  const act = (path: string) =>
    his.page.evaluate(async (address) => {
      const authorization = `Bearer ${localStorage.getItem('authToken')}`;
      return (await fetch(address, { method: 'POST', headers: { authorization } })).status;
    }, path);
  expect([await act(`/api/follow/${asha.id}`), await act(`/api/post/like/${postId}`)]).toEqual([200, 200]);
  await hers.page.clock.runFor(61_000);
  await bell(2).waitFor();

  await bell(2).click();
  await hers.page.getByText('bell.binod started following you').waitFor();
  await hers.page.getByText('bell.binod liked your photo').waitFor();
  await bell(0).waitFor();
  expect([...hers.complaints, ...his.complaints]).toEqual([]);
  await Promise.all([hers.leave(), his.leave()]);
});
