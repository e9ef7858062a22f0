import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { monthLabel } from '#contract/month.ts';
import { addToMonths } from '#server/features/month-counts/months.ts';
import { closeMonths } from '#server/features/months/closing.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { violationsOf } from '#testing/browser/axe.ts';
import { emptySite } from '#testing/browser/site.ts';
import { arrive, noteShifts, shiftsOf, takenOver } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { contextAt } from '#testing/context.ts';
import { earnReleased } from '#testing/fixtures/earnings.ts';
import { keyOf, monthsAgo, reelsAt } from '#testing/fixtures/months.ts';
import { someOf } from '#testing/share.ts';

// What the pages show of each answer of the server is tested in web/features/earnings.

const timeZone = 'Asia/Kolkata';
const site = emptySite();

/** A creator with a rupee this month, a month that is not counted yet, one that can be withdrawn, and one whose views wait. */
async function newCreator(username: string): Promise<Client> {
  const creator = await signUpAt(site.origin, username);
  for (const [ago, count] of [50, 1, 50].entries()) await reelsAt(site.db, creator.id, monthsAgo(ago), count);
  const waiting = { creatorId: creator.id, month: keyOf(monthsAgo(3)), views: 1500, stories: 2 };
  await inTransaction(site.db, (trx) => addToMonths(trx, [waiting]));
  await earnReleased(site.db, creator.id, keyOf(monthsAgo(0)), 250);
  await earnReleased(site.db, creator.id, keyOf(monthsAgo(2)), 553);
  // The month before this one was not over.
  await closeMonths(contextAt(site.db, monthsAgo(1)));
  return creator;
}

const label = (ago: number) => monthLabel(keyOf(monthsAgo(ago)));
const inGerman = new Intl.DateTimeFormat('de', { month: 'long', year: 'numeric', timeZone });
/** The label of a month is in the browser's own locale, whatever language the page is in. */
const card = (page: Page, ago: number) =>
  page.getByRole('article', { name: `${inGerman.format(monthsAgo(ago))} Earning` });
const sheet = (page: Page) => page.getByRole('dialog');
const link = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name });
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name });

/** On a large screen, which the page is left on. */
async function expectNarrow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1920, height: 1000 });
  expect.soft((await page.locator('main > div').boundingBox())?.width, page.url()).toBe(600);
}

async function inTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((name) => {
    document.body.classList.remove('light', 'dark');
    document.body.classList.add(name);
    return new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)));
  }, theme);
}

const screens = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

it.each(someOf(screens, 1))(
  'from the coins of this month to a withdrawal and a statement, at $width × $height',
  async (viewport) => {
    const creator = await newCreator(`creator${viewport.width}`);
    const { page, complaints, leave } = await site.open({
      person: creator,
      viewport,
      locale: 'de-DE',
      reducedMotion: 'reduce',
    });
    await noteShifts(page);
    await page.goto('/EarningDashboard');
    await sheet(page).getByText('Congratulations!').waitFor();
    await page.mouse.click(5, 5);
    await sheet(page).waitFor({ state: 'detached' });
    await expectNarrow(page);
    await link(page, 'Activity Earning').click();
    await arrive(page, '/EarningActivity');
    await expectNarrow(page);
    await link(page, 'Back').click();
    await arrive(page, '/EarningDashboard');
    await page.getByText('1,410 coins in all, ₹2.82').waitFor();
    await link(page, 'Earning History').click();
    await arrive(page, '/EarningHistory');
    await expectNarrow(page);

    // Reloaded, nothing is known but what stands in the history entry.
    await page.setViewportSize(viewport);
    const answer = Promise.withResolvers<void>();
    await page.route('**/api/user-earnings/history/**', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('region', { name: 'Total Earning' }).getByText('₹2.82').waitFor();
    await page.getByText('Loading earning history...').waitFor();
    answer.resolve();
    const lead = button(page, `Go to ${label(2)} to withdraw`);
    await lead.waitFor();
    await takenOver(page);
    expect.soft(await shiftsOf(page)).toEqual([]);
    for (const { width, height } of [...screens, viewport]) {
      await page.setViewportSize({ width, height });
      expect.soft((await lead.boundingBox())?.y, 'without scrolling').toBeLessThan(height - 44);
    }

    // A keyboard leads to the oldest month that can be requested.
    await lead.focus();
    await page.keyboard.press('Enter');
    const withdraw = card(page, 2).getByRole('button', { name: 'Withdraw ₹1.60', exact: true });
    await expect.poll(() => withdraw.evaluate((one) => one === document.activeElement)).toBe(true);
    const at = await withdraw.boundingBox();
    expect(at && at.y > 0 && at.y + at.height < viewport.height).toBe(true);
    await page.keyboard.press('Enter');
    await sheet(page).getByText('₹1.60').waitFor();
    await sheet(page).getByRole('button', { name: 'Request now, add it later' }).click();
    await card(page, 2).getByText('Requested ₹1.60').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Pending Withdraw');

    await button(page, 'Ask for a review (once a month)').click();
    await card(page, 3)
      .getByText(/^You asked for a review on /)
      .waitFor();
    await button(page, `Where each coin came from: ${label(2)}`).click();
    await card(page, 2).getByRole('heading', { name: 'Each reel, post and story' }).waitFor();
    await card(page, 1)
      .getByText(/It is ready in a few minutes\.$/)
      .waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await inTheme(page, theme);
      expect.soft(await violationsOf(page), theme).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 800 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(overflow).toBeLessThanOrEqual(0);
    await card(page, 2).getByRole('button', { name: 'Cancel this withdrawal' }).click();
    await sheet(page).getByRole('button', { name: 'Cancel this withdrawal' }).click();
    await card(page, 2).getByText('You cancelled it').waitFor();
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    expect.soft(focused).toContain('You cancelled it');
    await withdraw.waitFor();

    await link(page, `Statement of ${label(2)}`).click();
    await arrive(page, `/EarningHistory/${keyOf(monthsAgo(2))}/statement`);
    const ledger = page.getByRole('region', { name: 'Withdrawals' });
    await ledger.getByRole('row', { name: /^Not paid.*-₹1\.60 ₹0\.00$/ }).waitFor();
    await expectNarrow(page);
    const saving = page.waitForEvent('download');
    await button(page, 'Download CSV').click();
    const saved = await saving;
    expect.soft(saved.suggestedFilename()).toBe(`jhalak-${keyOf(monthsAgo(2))}.csv`);
    const file = await readFile(await saved.path(), 'utf8');
    expect.soft(file.startsWith('\uFEFF')).toBe(true);
    expect.soft(file.split('\r\n').filter((row) => /,-?1\.6,/.test(row))).toHaveLength(3);
    await page.emulateMedia({ media: 'print' });
    for (const chrome of ['header', 'footer', 'button'])
      expect.soft(await page.locator(chrome).first().isVisible(), chrome).toBe(false);
    await page.getByRole('heading', { name: 'Earning statement' }).waitFor();
    await ledger.waitFor();
    expect(complaints).toEqual([]);
    await leave();
  },
);

it.each(['/EarningDashboard', '/EarningActivity', '/EarningHistory', '/EarningHistory/2026-01/statement'])(
  '%s is not for search engines',
  async (path) => {
    const html = await (await fetch(`${site.origin}${path}`)).text();
    expect(html).toContain('<meta name="robots" content="noindex"/>');
  },
);
