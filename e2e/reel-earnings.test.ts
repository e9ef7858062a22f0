import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordShowings } from '#server/features/views/views.ts';
import { violationsOf } from '#testing/browser/axe.ts';
import { furnishedSite } from '#testing/browser/site.ts';
import { arrive, visit } from '#testing/browser/visitor.ts';
import { contextOn } from '#testing/context.ts';
import { copyReel } from '#testing/fixtures/reel-copies.ts';
import { showAndWatch } from '#testing/fixtures/watching.ts';

const site = furnishedSite();
const phone = { width: 390, height: 844 };
const address = () => `/EarningHistory/reel/${site.reel}`;

/** Zoya's first reel has 19 watched views, four showings that were not watched, and three of a bot. Her second reel has no showings. */
beforeAll(async () => {
  await copyReel(site.db, site.data, site.reel, 1);
  const context = contextOn(site.db);
  const now = new Date();
  const about = { reelId: site.reel, at: now };
  await showAndWatch(
    context,
    Array.from({ length: 19 }, (_, place) => ({
      ...about,
      ...{ viewer: createHash('sha256').update(`viewer ${place}`).digest().subarray(0, 16) },
      ...{
        address: Buffer.alloc(8),
        signedIn: false,
        issuedAt: new Date(now.getTime() - 60_000),
        neededMs: 4000,
      },
    })),
  );
  const showing = (bot: boolean) => ({ ...about, personId: undefined, bot });
  await recordShowings(context, [...Array(4).fill(showing(false)), ...Array(3).fill(showing(true))]);
});

const funnel = (page: Page, name: string) =>
  page.getByRole('list', { name }).getByRole('listitem').allInnerTexts();

describe('what a reel earned (decisions §4)', () => {
  it('is shown under the tile of the reel, and in detail on its own page', async () => {
    const { page, complaints, leave } = await site.open({ person: site.creator, viewport: phone });
    await visit(page, '/UserProfile');
    await page.getByRole('link', { name: 'Not shown yet' }).waitFor();
    await page.getByRole('link', { name: '26 shown 19 paid views' }).click();
    await arrive(page, address());
    await page.getByRole('heading', { level: 1, name: 'What this reel earned' }).waitFor();
    await page.getByText('A glimpse of zoya', { exact: true }).waitFor();
    await page.getByText('About 1 coin from views', { exact: true }).waitFor();
    expect(await funnel(page, 'From showing to coin')).toEqual(['Shown\n26', 'Watched\n19', 'Paid\n19']);
    const reasons = page.locator('section').filter({ hasText: 'Not counted' }).getByRole('listitem');
    expect(await reasons.allInnerTexts()).toEqual(['4 swiped away too soon', '3 bot views']);
    await page.getByText('As a table').click();
    expect(await page.getByRole('row').allInnerTexts()).toEqual([
      'Day\tShown\tWatched\tPaid',
      expect.stringMatching(/\t26\t19\t19$/),
    ]);
    expect(await violationsOf(page)).toEqual([]);
    // The test does not open it: that would be one more showing.
    const reel = page.getByRole('link', { name: 'Watch the reel' });
    expect(await reel.getAttribute('href')).toBe(`/videoplayer?reel=${site.reel}`);
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await arrive(page, '/UserProfile');
    expect(complaints).toEqual([]);
    await leave();
  });
});
