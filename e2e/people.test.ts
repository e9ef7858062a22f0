import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';

const site = sharedSite();
beforeAll(async () => {
  await signUpAt(site.origin, 'people.newest');
});

const dialog = (page: Page) => page.getByRole('dialog');

describe('/AllUsers (specification §2, §4)', () => {
  it('finds people by name or username, says when nobody is found, and passes the username to the next page', async () => {
    const { page, complaints, leave } = await site.open();
    await visit(page, '/AllUsers');
    await page.getByLabel('Search by name or username').fill('nobody at all');
    await page.getByRole('heading', { name: 'No users found' }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('nobody at all');
    await page.getByLabel('Search by name or username').fill('ZOY');
    await page.getByRole('link', { name: /@zoya\b/ }).click();
    await arrive(page, `/user/${site.creator.id}`);
    await expect.poll(() => page.evaluate(() => history.state?.usr?.username)).toBe('zoya');
    await page.goBack();
    await expect.poll(() => page.getByLabel('Search by name or username').inputValue()).toBe('ZOY');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('keeps the list in local storage, shows it at once on the next visit and refreshes it [long]', async () => {
    const { page, leave } = await site.open();
    await visit(page, '/AllUsers');
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('jhalak.kept.people')))
      .toContain('people.newest');
    await visit(page, '/About');
    let asked = 0;
    // Answered, since a call without an answer is repeated. The next page of a long list is another call.
    await page.route('**/api/getallUser**', async (route) => {
      if (!new URL(route.request().url()).searchParams.has('cursor')) asked += 1;
      await route.continue();
    });
    await page.getByRole('link', { name: 'All Users' }).first().click();
    await page.getByRole('link', { name: /people\.newest/ }).waitFor();
    await expect.poll(() => asked).toBe(1);
    await leave();
  });

  it('has one button that clears the search: the browser’s own is hidden [long]', async () => {
    const { page, leave } = await site.open();
    await visit(page, '/AllUsers?q=zoya');
    const search = page.getByRole('main').getByRole('searchbox');
    const clear = page.getByRole('button', { name: 'Clear the search' });
    const [field, button] = [await search.boundingBox(), await clear.boundingBox()];
    if (!field || !button) throw new Error('The search is not shown.');
    // The browser's own is in no tree that a script can read. It would be somewhere in the field, and larger than these steps.
    for (let x = field.x + 8; x < button.x; x += 8) await page.mouse.click(x, field.y + field.height / 2);
    expect(await search.inputValue()).toBe('zoya');
    await clear.click();
    await expect.poll(() => search.inputValue()).toBe('');
    await expect.poll(() => clear.count()).toBe(0);
    await leave();
  });

  it('searches without a script [long]', async () => {
    const { page, leave } = await site.open({ javaScriptEnabled: false });
    await page.goto('/AllUsers');
    await page.getByRole('main').getByRole('searchbox').fill('farid');
    await page.keyboard.press('Enter');
    await page.waitForURL('/AllUsers?q=farid');
    expect(await page.locator('a[href^="/user/"]').count()).toBe(1);
    await leave();
  });
});

describe('/user/{id} (specification §2)', () => {
  it('counts reels and posts together, keeps its tab in the address, and opens the player limited to the person, or a photo in large [long]', async () => {
    const { page, complaints, leave } = await site.open();
    await visit(page, `/user/${site.creator.id}`);
    await expect.poll(() => page.locator('header dl dd').allTextContents()).toEqual(['3', '1', '0']);
    await page.getByRole('link', { name: /^A glimpse of zoya/ }).click();
    await arrive(page, /\/videoplayer\?reel=/);
    // Zoya has one reel, so nothing precedes or follows it.
    await page.getByRole('button', { name: 'Mute' }).or(page.getByText('Tap for sound')).waitFor();
    expect(await page.getByRole('button', { name: 'Next video' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await arrive(page, `/user/${site.creator.id}`);
    await page.getByRole('tab', { name: 'Reels' }).focus();
    await page.keyboard.press('ArrowRight');
    await arrive(page, `/user/${site.creator.id}?tab=posts`);
    await page.getByRole('link', { name: 'Preview the photo The newer photo' }).click();
    await dialog(page).getByRole('img').waitFor();
    await page.keyboard.press('ArrowRight');
    await dialog(page).getByRole('heading', { name: 'The older photo' }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it.each(['018f0000-0000-7000-8000-000000000000', 'nobody'])(
    'of %s says User not found, with status 404 [long]',
    async (id) => {
      const response = await fetch(`${site.origin}/user/${id}`);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('User not found');
    },
  );

  it('shows a message for a person without posts [long]', async () => {
    const html = await (await fetch(`${site.origin}/user/${site.fan.id}?tab=posts`)).text();
    expect(html).toContain('No posts yet');
  });
});
