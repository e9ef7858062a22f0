import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { signUpByForms } from '#testing/browser/sign-up.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, takenOver, visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';

const site = sharedSite();
const main = (page: Page) => page.locator('main');
const wayBack = (page: Page) => main(page).getByRole('link', { name: 'Back to where you were' });

describe('a page that requires a login', () => {
  it('is offered again on the profile after sign-up and login, which lead where the specification says', async () => {
    const { page, leave } = await site.open();
    await visit(page, '/EarningHistory');
    await signUpByForms(page, { name: 'Meera Nair', username: 'wayback.meera' });
    await wayBack(page).click();
    await arrive(page, '**/EarningHistory');
    await main(page).getByRole('heading', { name: 'Earning History', level: 1 }).waitFor();
    await leave();
  });

  it('is offered with its query, also after choosing between the ways to log in [long]', async () => {
    await signUpAt(site.origin, 'wayback.ravi');
    const { page, leave } = await site.open();
    await visit(page, '/UserProfile?tab=stories');
    await main(page).getByRole('link', { name: 'Login' }).click();
    await main(page).getByRole('link', { name: 'Continue with email' }).click();
    await page.getByLabel('Email').fill('wayback.ravi@people.example');
    await page.getByLabel('Password', { exact: true }).fill('a long password');
    await main(page).getByRole('button', { name: 'Login' }).click();
    await arrive(page, '**/UserProfile');
    await expect.poll(() => wayBack(page).getAttribute('href')).toBe('/UserProfile?tab=stories');
    await leave();
  });

  it('is offered only if it is a path of this site, whatever the navigation state contains [long]', async () => {
    const person = await signUpAt(site.origin, 'wayback.tara');
    const { page, leave } = await site.open({ person });
    await visit(page, '/About');
    const comeFrom = async (from: string) => {
      await page.evaluate((from) => {
        history.replaceState({ usr: { from }, key: 'forged', idx: 0 }, '', '/UserProfile');
      }, from);
      await page.reload();
      await takenOver(page);
      await main(page).getByRole('tab', { name: 'Reels' }).waitFor();
    };
    const offered = () =>
      wayBack(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    await comeFrom('/EarningInfo');
    await expect.poll(offered).toEqual(['/EarningInfo']);
    await comeFrom('//evil.example/');
    expect(await offered()).toEqual([]);
    await leave();
  });
});
