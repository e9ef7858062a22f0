import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, untilHeading, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';

const site = sharedSite();

let people = 0;
const newPerson = () => signUpAt(site.origin, `leaver${++people}`);
const open = (person?: Client) =>
  site.open({ viewport: { width: 390, height: 844 }, ...(person ? { person } : {}) });
const usernameOf = (person: Client) => person.user.username;
const field = (page: Page) => page.getByLabel(/^Type .* to confirm$/);
const confirm = (page: Page) => page.getByRole('button', { name: 'Delete my account' }).click();
const done = 'User deleted successfully!';
const loginPrompt = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Login' });
const stored = (page: Page) => page.evaluate(() => Object.keys(localStorage).sort());

describe('/DeleteUser', () => {
  it('lists what is deleted, downloads a copy of it, deletes the account, logs out every tab and redirects to Home', async () => {
    const person = await newPerson();
    // Not a copy of another photo of the site, which would earn nothing.
    await publishPicture(site.db, site.data, person.id, 'Soon gone', new Date(), '#a1542c');
    const { page, complaints, leave } = await open(person);
    for (const path of ['/Activity', '/AllUsers']) await visit(page, path);
    await expect.poll(() => stored(page)).toContain('jhalak.kept.people');
    await expect.poll(() => stored(page)).toContain(`jhalak.kept.notifications.${person.id}`);
    await visit(page, `/DeleteUser/${person.id}`);
    const other = await page.context().newPage();
    await visit(other, '/UserProfile');
    await other.getByRole('button', { name: 'Logout' }).waitFor();

    const copy = page.getByRole('button', { name: 'Download a copy of your data first' });
    const [download] = await Promise.all([page.waitForEvent('download'), copy.click()]);
    expect(download.suggestedFilename()).toMatch(/^jhalak-data-.*\.zip$/);
    const files = unzipSync(new Uint8Array(await readFile(await download.path())));
    const posts = JSON.parse(Buffer.from(files['posts.json'] ?? []).toString());
    expect(posts).toMatchObject([{ caption: 'Soon gone' }]);
    expect(Object.keys(files)).toContain(`media/posts/${posts[0]._id}/photo.jpg`);
    await page.getByText('Your download has started.').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/DeleteUser/${person.id}`);
    await page.getByText('You lose 2 coins that you have not withdrawn.').waitFor();

    await field(page).fill(`@${usernameOf(person).toUpperCase()}`);
    await untilHeading(page, done, () => page.keyboard.press('Enter'));
    const personal = (name: string) =>
      ['user', 'authToken'].includes(name) || name.startsWith('jhalak.kept.');
    await expect.poll(async () => (await stored(page)).filter(personal)).toEqual([]);
    await loginPrompt(other).waitFor();
    await expect.poll(() => other.getByText(usernameOf(person)).count()).toBe(0);
    await arrive(page, `${site.origin}/`);
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();

    // The server's page, which shared caches may store, contains nothing of the person.
    await expect.poll(async () => (await fetch(`${site.origin}/user/${person.id}`)).status).toBe(404);
    await expect
      .poll(async () => (await fetch(`${site.origin}/ShowPosts`)).text())
      .not.toContain('Soon gone');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('asks the server for nothing more once the account is deleted, even if the page has just been rendered again [long]', async () => {
    const person = await newPerson();
    const { page, complaints, leave } = await open(person);
    await visit(page, `/DeleteUser/${person.id}`);
    // As on a busy machine: the page is rendered again when the answer arrives, and its effects have not run yet.
    await page.evaluate('window.load = (module) => import(module)');
    await page.evaluate(answerBetweenRenderAndEffects, `/api/delete/${person.id}`);
    await field(page).fill(usernameOf(person));
    await untilHeading(page, done, () => page.keyboard.press('Enter'));
    await arrive(page, `${site.origin}/`);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('shows by itself once the connection is back that the account was deleted after the response was lost [long]', async () => {
    const person = await newPerson();
    const { page, leave } = await open(person);
    await visit(page, `/DeleteUser/${person.id}`);
    const address = `**/api/delete/${person.id}`;
    await page.route(address, async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await field(page).fill(usernameOf(person));
    await confirm(page);
    await page.getByRole('alert').filter({ hasText: 'Network error. Try again.' }).waitFor();
    await page.unroute(address);
    await untilHeading(page, done, async () => {
      await page.context().setOffline(true);
      await page.getByText('You are offline.').waitFor();
      await page.context().setOffline(false);
    });
    await expect.poll(() => stored(page)).not.toContain('authToken');
    await arrive(page, `${site.origin}/`);
    await leave();
  });
});

/**
 * Delays the answer to a deletion until the messages of another page are loaded, which renders the open one again, and React has
 * committed that but not run the effects: its scheduler does one task at a time, and the answer is queued behind the first.
 */
function answerBetweenRenderAndEffects(path: string): void {
  const { __reactRouterManifest, fetch, load, performance } = window as unknown as LoadingWindow;
  const modules = Object.values(__reactRouterManifest.routes).map(({ module }) => module);
  const earnings = modules.find((module) => module.includes('/earning-info-'));
  window.fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method !== 'DELETE' || !String(input).endsWith(path)) return response;
    const body = await response.text();
    const now = performance.now.bind(performance);
    let calls = 0;
    // The scheduler lets others in when its tasks have taken 5 ms.
    performance.now = () => now() + 10 * ++calls;
    await load(`${earnings}?again`);
    const { port1, port2 } = new MessageChannel();
    await new Promise((next) => {
      port1.onmessage = next;
      port2.postMessage(null);
    });
    performance.now = now;
    return new Response(body, response);
  };
}

type LoadingWindow = Window &
  typeof globalThis & {
    __reactRouterManifest: { routes: Record<string, { module: string }> };
    load(module: string): Promise<unknown>;
  };
