import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '#testing/browser/browser.ts';
import { arrive, noteShifts, openVisitor, shiftsOf, visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';
import { type OpenIdProvider, startOpenIdProvider } from '#testing/servers/openid-provider.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';

let data: Awaited<ReturnType<typeof dataFolder>>;
let program: Program;
let browser: Browser;
let provider: OpenIdProvider;

beforeAll(async () => {
  [data, provider] = await Promise.all([dataFolder(), startOpenIdProvider()]);
  const settings = {
    DATA_DIR: data.path,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
  };
  [program, browser] = await Promise.all([startProgram(settings), openBrowser()]);
  provider.register(program.origin);
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
  await provider?.close();
  await data?.remove();
});

const part = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const password = 'a long password';

/** Logs in by the form, so that the session has the name of the browser. */
async function logIn(page: Page, email: string): Promise<void> {
  await visit(page, '/LoginEmail');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await arrive(page, '/UserProfile');
}

describe('/Settings (decisions §8)', () => {
  it('shows where one is logged in, and ends one session, then all others', async () => {
    const asha = await signUpAt(program.origin, 'asha.settings');
    const again = async () =>
      (
        await fetch(`${program.origin}/api/signin`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: asha.user.email, password }),
        })
      ).json() as Promise<{ data: string }>;
    const isAlive = async (token: string) =>
      (await fetch(`${program.origin}/api/block`, { headers: { authorization: `Bearer ${token}` } })).ok;
    const { page, complaints } = await openVisitor(browser, program.origin);
    await logIn(page, asha.user.email);
    await page.getByRole('link', { name: 'Settings' }).click();
    await arrive(page, '/Settings');
    const sessions = part(page, 'Where you are logged in');
    await sessions.getByText('Chrome, Linux').waitFor();
    await sessions.getByText('This device').waitFor();
    await sessions.getByText('Network: 127.0.0.0/16').first().waitFor();
    expect(await sessions.getByRole('listitem').count()).toBe(2);
    await sessions.getByRole('button', { name: 'Log out Unknown device' }).click();
    await page.getByText('That device is logged out.').waitFor();
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
    expect(await isAlive(asha.token)).toBe(false);

    const others = [(await again()).data, (await again()).data];
    await visit(page, '/Settings');
    await sessions.getByRole('button', { name: 'Log out all others' }).click();
    await page.getByText('All other devices are logged out.').waitFor();
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
    expect(await Promise.all(others.map(isAlive))).toEqual([false, false]);
    await sessions.getByText('This device').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('links Google with its address and date, and unlinks it', async () => {
    const binod = await signUpAt(program.origin, 'binod.settings');
    const { page } = await openVisitor(browser, program.origin);
    await logIn(page, binod.user.email);
    await visit(page, '/Settings');
    const linked = part(page, 'Linked accounts');
    const opened = page.waitForEvent('popup');
    await linked.getByRole('button', { name: 'Link Google', exact: true }).click();
    const popup = await opened;
    await popup.locator('input[name=login]').fill('binod');
    await popup.locator('input[name=password]').fill('anything');
    await popup.locator('button[type=submit]').click();
    await popup.getByRole('button', { name: 'Continue' }).click();
    await linked.getByText('binod@provider.example').waitFor();
    await linked.getByText('Google, linked on').waitFor();

    await linked.getByRole('button', { name: 'Unlink Google' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink Google' }).click();
    await linked.getByRole('button', { name: 'Link Google', exact: true }).waitFor();
    const { body } = await binod.send('GET', '/api/link-google');
    expect(body).toMatchObject({ linked: false, accounts: [] });

    // Both are told of in the notifications, which lead here.
    await visit(page, '/Activity');
    await page.getByText('A Google account was linked to your account').waitFor();
    await page.getByText('A Google account was unlinked from your account').click();
    await arrive(page, '/Settings');
    await page.context().close();
  });

  it.each([
    { what: 'a phone', viewport: { width: 390, height: 844 }, theme: 'dark' as const },
    { what: 'a phone on its side', viewport: { width: 740, height: 360 }, theme: 'light' as const },
    {
      what: 'a desktop in Hindi',
      viewport: { width: 1280, height: 800 },
      theme: 'light' as const,
      lang: 'hi',
    },
  ])('is accessible and does not shift on $what', async ({ viewport, theme, lang }) => {
    const somebody = await signUpAt(program.origin, `settings.${viewport.width}`);
    const person = { token: somebody.token, user: somebody.user };
    const { page } = await openVisitor(browser, program.origin, { viewport, theme, person });
    await noteShifts(page);
    await visit(page, lang ? `/Settings?lang=${lang}` : '/Settings');
    await page.getByRole('heading', { level: 1, name: lang ? 'सेटिंग' : 'Settings' }).waitFor();
    expect(await shiftsOf(page)).toEqual([]);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    if (process.env.PICTURES)
      await page.screenshot({
        path: `${process.env.PICTURES}/${viewport.width}-${theme}.png`,
        fullPage: true,
      });
    await page.context().close();
  });
});
