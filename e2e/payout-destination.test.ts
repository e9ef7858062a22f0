import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, openVisitor, visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';

const site = sharedSite();
const phone = { width: 320, height: 640 };

const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click();

describe('/PayoutDestination (decisions §8)', () => {
  it('takes a UPI id that was typed twice, shows it masked, and then in the earning history', async () => {
    const { page, complaints, leave } = await openVisitor(site.browser, site.origin, {
      viewport: phone,
      person: await signUpAt(site.origin, 'asha.upi'),
    });
    await visit(page, '/EarningHistory');
    await page.getByRole('link', { name: 'Add where your money goes' }).click();
    await arrive(page, '/PayoutDestination');
    await page.getByText('No payout destination yet.').waitFor();
    await page.getByLabel('UPI id', { exact: true }).fill('asha.rao@okaxis');
    await page.getByLabel('UPI id again').fill('asha.roa@okaxis');
    await save(page);
    await page.getByText('The two are not the same.').waitFor();
    await page.getByLabel('UPI id again').fill('Asha.Rao@okaxis');
    await save(page);
    await page.getByText('UPI id as•••@okaxis').waitFor();
    // A notice is in the font of the page around it, which has the letters of both languages.
    const fontOf = (element: Element) => getComputedStyle(element).fontFamily;
    expect(await page.getByText('The destination is saved.').evaluate(fontOf)).toBe(
      await page.locator('body').evaluate(fontOf),
    );
    await page.getByText('Nothing is paid before').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Back to the earning history' }).click();
    await page.getByText('Paid to as•••@okaxis.').waitFor();
    await page.getByText('Nothing is paid before').waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });
});
