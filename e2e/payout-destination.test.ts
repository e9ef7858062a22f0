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
    await page.getByText('Nothing is paid before').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Back to the earning history' }).click();
    await page.getByText('Paid to as•••@okaxis.').waitFor();
    await page.getByText('Nothing is paid before').waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('takes a bank account, names the server’s refusals beside their fields, changes and removes it', async () => {
    const { page, leave } = await openVisitor(site.browser, site.origin, {
      person: await signUpAt(site.origin, 'binod.bank'),
    });
    await visit(page, '/Settings');
    await page.getByRole('link', { name: 'Choose where your earnings are paid' }).click();
    await arrive(page, '/PayoutDestination');
    await page.getByLabel('Bank account').check();
    await save(page);
    // Each field that is missing says so.
    await expect.poll(() => page.getByText('Please fill this in.').count()).toBe(3);
    await page.getByLabel('Account number', { exact: true }).fill('5010 0123');
    await page.getByLabel('Account number again').fill('50100123');
    await page.getByLabel('IFSC').fill('HDFC1001234');
    await page.getByLabel('Name of the account').fill('Binod Sen');
    await save(page);
    await page.getByText('Please enter an account number of 9 to 18 digits.').waitFor();
    await page.getByText('Please enter an IFSC of 11 characters, such as HDFC0001234.').waitFor();
    // Typed on a Hindi keyboard, and the second time with others.
    await page.getByLabel('Account number', { exact: true }).fill('५०१० ०१२३ ४५६७ ८९');
    await page.getByLabel('Account number again').fill('50100123456789');
    await page.getByLabel('IFSC').fill('synb0001234');
    await page.getByText('Syndicate Bank is part of Canara Bank now').waitFor();
    await page.getByLabel('IFSC').fill('hdfco001234');
    await page.getByText('Syndicate Bank is part of Canara Bank now').waitFor({ state: 'detached' });
    await save(page);
    await page
      .getByText('The fifth character of an IFSC is a zero and not the letter O: HDFC0001234.')
      .waitFor();
    await page.getByRole('button', { name: 'Use HDFC0001234' }).click();
    expect(await page.getByLabel('IFSC').inputValue()).toBe('HDFC0001234');
    await save(page);
    await page.getByText('HDFC Bank ••••6789').waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByText('A new destination is paid after 72 hours at the earliest').waitFor();
    await page.getByLabel('UPI id', { exact: true }).fill('binod@ybl');
    await page.getByLabel('UPI id again').fill('binod@ybl');
    await save(page);
    await page.getByText('UPI id bi•••@ybl').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No payout destination yet.').waitFor();
    await leave();
  });

  it('is in Hindi, too', async () => {
    const { page, complaints, leave } = await openVisitor(site.browser, site.origin, {
      viewport: phone,
      theme: 'dark',
      person: await signUpAt(site.origin, 'chitra.hindi'),
    });
    await visit(page, '/PayoutDestination?lang=hi');
    await page.getByRole('heading', { name: 'आपकी कमाई का भुगतान कहाँ हो' }).waitFor();
    await page.getByLabel('बैंक खाता').check();
    await page.getByRole('button', { name: 'सहेजें' }).click();
    await page.getByText('कृपया इसे भरें।').first().waitFor();
    await page.getByRole('radio', { name: 'UPI' }).check();
    await page.getByLabel('UPI आईडी', { exact: true }).fill('chitra@ybl');
    await page.getByLabel('UPI आईडी फिर से').fill('chitra@ybl');
    await page.getByRole('button', { name: 'सहेजें' }).click();
    // In a font that has these letters, like the page around it.
    const fontOf = (element: Element) => getComputedStyle(element).fontFamily;
    expect(await page.getByText('सहेज लिया गया।').evaluate(fontOf)).toBe(
      await page.locator('body').evaluate(fontOf),
    );
    expect(complaints).toEqual([]);
    await leave();
  });
});
