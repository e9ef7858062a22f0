import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, takenOver, type Visitor, visit } from '#testing/browser/visitor.ts';
import { type Client, clientAt, signUpAt } from '#testing/clients/api-client.ts';

const site = sharedSite();

/** A second tab of the same browser; unlike `open` it adds nothing to local storage. */
async function anotherTab({ page }: Visitor, path: string): Promise<Page> {
  const other = await page.context().newPage();
  await visit(other, path);
  return other;
}

/** Signed in as if by the form: local storage is filled once, and not again by each page that is opened. */
async function openAs(person: Client): Promise<Visitor> {
  const visitor = await site.open();
  // A page without a script.
  await visitor.page.goto('/robots.txt');
  await visitor.page.evaluate(
    ({ user, token }) => {
      localStorage.setItem('user', JSON.stringify(user));
      localStorage.setItem('authToken', token);
    },
    { user: person.user, token: person.token },
  );
  return visitor;
}

/** What the site has stored on the device of a person who has used it for a while. */
const usedFor = (page: Page) =>
  page.evaluate(async () => {
    localStorage.setItem('upload.["reel","holiday.mp4"]', '{"address":"/api/uploads/x","at":1}');
    localStorage.setItem('jhalak.kept.notifications.x', '{"version":1,"value":[]}');
    localStorage.setItem('congratulated', '018f0000-0000-7000-8000-000000000000 2026-10');
    localStorage.setItem('sound', 'off');
    localStorage.setItem('captions', 'on');
    localStorage.setItem('captions.language', 'hi');
    await (await caches.open('jhalak-smaller-1')).put('/smaller/holiday', new Response('a video'));
  });

const stored = (page: Page) =>
  page.evaluate(async () => ({
    local: Object.keys(localStorage).sort(),
    session: Object.keys(sessionStorage).filter((key) => key.startsWith('jhalak.')),
    caches: (await caches.keys()).filter((name) => name.includes('smaller')),
  }));
const sentence = 'Your session has ended. Please log in again.';
/** Choices for the device and its random id; they identify nobody. */
const choices = ['captions', 'captions.language', 'sound', 'theme', 'viewer'];

const isSignedIn = async (person: Client) => (await person.send('GET', '/api/block')).status === 200;

async function again(person: Client): Promise<Client> {
  const { email } = person.user as { email: string };
  const response = await fetch(`${site.origin}/api/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'a long password' }),
  });
  const token: string = (await response.json()).data;
  const send: Client['send'] = async (method, path) => {
    const answer = await fetch(`${site.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: answer.status, body: await answer.json() };
  };
  return { ...person, token, send };
}

describe('logging out', () => {
  it('removes all data of the person from the device and every tab, and keeps the device’s preferences and the logins of other devices', async () => {
    const person = await signUpAt(site.origin, 'leaving');
    const phone = await again(person);
    const visitor = await openAs(person);
    const { page } = visitor;
    await visit(page, '/Notifications');
    await usedFor(page);
    const other = await anotherTab(visitor, '/Contact');
    await other.getByRole('textbox', { name: 'Message' }).fill('Words that nobody else is to read');
    await expect.poll(async () => (await stored(other)).session).toHaveLength(1);

    const third = await anotherTab(visitor, '/Settings');
    await third.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();

    await visit(page, '/UserProfile');
    await page.getByRole('button', { name: 'Logout' }).click();
    await arrive(page, '**/LoginGoogle');
    // No tab claims that the session has ended.
    await third.locator('main').getByRole('link', { name: 'Login' }).waitFor();
    expect(await third.getByText(sentence).count()).toBe(0);
    await expect.poll(() => stored(page)).toEqual({ local: choices, session: [], caches: [] });
    await expect.poll(async () => (await stored(other)).session).toEqual([]);
    await expect
      .poll(() => other.getByRole('textbox', { name: 'Message' }).inputValue())
      .not.toContain('nobody else');
    await visit(other, '/UserProfile');
    await other.locator('main').getByRole('link', { name: 'Login' }).waitFor();
    expect([await isSignedIn(person), await isSignedIn(phone)]).toEqual([false, true]);
    await visitor.leave();
  });

  it('reaches another tab whichever of the two signs arrives first, and that tab asks the server for nothing [long]', async () => {
    const visitor = await openAs(await signUpAt(site.origin, 'messagefirst'));
    const { page, complaints } = visitor;
    await visit(page, '/Settings');
    await page.evaluate(() => {
      // A change of this tab sends no `storage` event here, so only the message arrives.
      for (const name of ['user', 'authToken']) localStorage.removeItem(name);
      new BroadcastChannel('jhalak.left').postMessage('left');
    });
    await page.locator('main').getByRole('link', { name: 'Login' }).waitFor();
    await takenOver(page);
    expect(complaints).toEqual([]);
    await visitor.leave();
  });

  it('reaches the server although the page is left at once [long]', async () => {
    const person = await signUpAt(site.origin, 'offandaway');
    const visitor = await openAs(person);
    await visit(visitor.page, '/Settings');
    const asked = visitor.page.waitForRequest('**/api/logout');
    await visitor.page.getByRole('button', { name: 'Logout' }).click();
    await asked;
    await visit(visitor.page, '/About');
    await expect.poll(() => isSignedIn(person)).toBe(false);
    await visitor.leave();
  });

  it('everywhere says that the server was not reached and ends no session; then it ends those of other devices, too [long]', async () => {
    const person = await signUpAt(site.origin, 'lostphone');
    const phone = await again(person);
    const visitor = await openAs(person);
    const { page } = visitor;
    await visit(page, '/Settings');
    await page.route('**/api/logout', (route) => route.abort(), { times: 1 });
    const everywhere = page.getByRole('button', { name: 'Log out everywhere' });
    await everywhere.click();
    await page.getByText('You are still logged in. Please try again in a moment.').waitFor();
    expect([await isSignedIn(person), await isSignedIn(phone)]).toEqual([true, true]);
    expect((await stored(page)).local).toContain('authToken');
    await everywhere.click();
    await arrive(page, '**/LoginGoogle');
    expect([await isSignedIn(person), await isSignedIn(phone)]).toEqual([false, false]);
    expect((await stored(page)).local).not.toContain('authToken');
    await visitor.leave();
  });
});

describe('after the server has ended a session [long]', () => {
  const mine = ['jhalak-smaller-1', 'upload.["reel","holiday.mp4"]'];
  const left = async (page: Page) => {
    const { local, caches } = await stored(page);
    return [...caches, ...local.filter((name) => name.startsWith('upload.'))];
  };

  /** The server ends the session that this page has; then a person logs in. */
  async function thenLogsIn(page: Page, ended: Client, next: Client): Promise<void> {
    await ended.send('POST', '/api/logout');
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByText(sentence).first().waitFor();
    expect(await left(page)).toEqual(mine);
    await visit(page, '/LoginEmail');
    await page.getByLabel('Email').fill(next.user.email);
    await page.getByLabel('Password', { exact: true }).fill('a long password');
    await page.locator('main').getByRole('button', { name: 'Login' }).click();
    await arrive(page, '**/UserProfile');
  }

  it('a login of the same person keeps the unfinished upload; one of another person removes all data of the previous one from the device', async () => {
    const person = await signUpAt(site.origin, 'backagain');
    const { page, leave } = await openAs(person);
    await visit(page, '/UserProfile');
    await usedFor(page);
    await thenLogsIn(page, person, person);
    await expect.poll(async () => (await stored(page)).local).not.toContain('leftBy');
    expect(await left(page)).toEqual(mine);

    const token = await page.evaluate(() => localStorage.getItem('authToken') ?? '');
    const next = await signUpAt(site.origin, 'nextone');
    await thenLogsIn(page, clientAt(site.origin, token, person.user), next);
    await expect.poll(() => left(page)).toEqual([]);
    await expect.poll(async () => (await stored(page)).local).not.toContain('congratulated');
    await leave();
  });
});

describe('in another tab [long]', () => {
  it('a session that the server has ended shows why', async () => {
    const person = await signUpAt(site.origin, 'twotabs');
    const visitor = await openAs(person);
    const { page, leave } = visitor;
    await visit(page, '/About');
    const other = await anotherTab(visitor, '/Settings');
    await other.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    // It cannot reach the server any more.
    await other.route('**/api/**', (route) => route.abort());
    await person.send('POST', '/api/logout');
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByText(sentence).first().waitFor();
    await other.locator('main').getByText(sentence).waitFor();
    await leave();
  });

  it('a logout is not undone by the account data that this tab loads at the same moment', async () => {
    const person = await signUpAt(site.origin, 'samemoment');
    const { page, leave } = await openAs(person);
    await page.addInitScript(() => {
      const written: string[] = [];
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (name, value) {
        written.push(name);
        setItem.call(this, name, value);
      };
      Object.assign(window, { written });
    });
    const ofSession = () =>
      page.evaluate(() =>
        (window as unknown as { written: string[] }).written.filter((name) =>
          ['user', 'authToken'].includes(name),
        ),
      );
    await visit(page, '/About');
    await visit(page, '/About');
    // Local storage may be older than the page from the server, so only changed values are written.
    expect(await ofSession()).toEqual([]);
    await person.send('POST', '/api/profile/edit', { name: 'Renamed in the app' });
    await visit(page, '/About');
    await expect.poll(ofSession).toEqual(['user']);
    await leave();
  });
});
