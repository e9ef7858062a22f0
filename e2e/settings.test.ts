import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import { violationsOf } from '#testing/browser/axe.ts';
import { openBrowser } from '#testing/browser/browser.ts';
import { arrive, noteShifts, openVisitor, shiftsOf, untilHeading, visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';
import { adminOn } from '#testing/servers/admin-command.ts';
import { type OpenIdProvider, startOpenIdProvider } from '#testing/servers/openid-provider.ts';
import { appCode } from '#testing/servers/operators.ts';
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

/** Logs in by the form, so that the session stores the browser's name. */
async function logIn(page: Page, email: string): Promise<void> {
  await visit(page, '/LoginEmail');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await arrive(page, '/UserProfile');
}

describe('/Settings (decisions §8)', () => {
  it('lists the sessions, and ends one, then all others', async () => {
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
    const { page, complaints, leave } = await openVisitor(browser, program.origin);
    await logIn(page, asha.user.email);
    await page.getByRole('link', { name: 'Settings' }).click();
    await arrive(page, '/Settings');
    const sessions = part(page, 'Where you are logged in');
    await sessions.getByText('Chrome, Linux').waitFor();
    await sessions.getByText('This device').waitFor();
    await sessions.getByText('Network: 127.0.0.0/16').first().waitFor();
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(2);
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
    await leave();
  });

  it('links Google, shows its address and date, and unlinks it', async () => {
    const binod = await signUpAt(program.origin, 'binod.settings');
    const { page, leave } = await openVisitor(browser, program.origin);
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

    // Both are reported in the notifications, which lead here.
    await visit(page, '/Activity');
    await page.getByText('A Google account was linked to your account').waitFor();
    await page.getByText('A Google account was unlinked from your account').click();
    await arrive(page, '/Settings');
    await leave();
  });

  it('lets an operator enrol an authenticator app, save recovery codes, and use one in a new session', async () => {
    const uma = await signUpAt(program.origin, 'uma.settings');
    const made = await adminOn({ DATA_DIR: data.path }, [
      'people',
      'make-operator',
      'uma.settings',
      '--json',
    ]);
    const { page, complaints, leave } = await openVisitor(browser, program.origin);
    await logIn(page, uma.user.email);
    await visit(page, '/Settings');
    const factor = part(page, 'Second factor');
    await factor.getByLabel('One-time code').fill('aaaa-aaaa-aaaa-aaaa');
    await factor.getByRole('button', { name: 'Set up' }).click();
    await factor.getByText('This code is wrong, too old or was used already.').waitFor();
    await factor.getByLabel('One-time code').fill(JSON.parse(made.out).enrolment);
    await factor.getByRole('button', { name: 'Set up' }).click();
    await factor.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const secret = await factor.getByText(/^[A-Z2-7]{32}$/).innerText();
    await factor.getByLabel('Six digits').fill(appCode(secret, new Date()));
    await factor.getByRole('button', { name: 'Finish' }).click();
    const codes = part(page, 'Your recovery codes');
    await codes.getByRole('listitem').nth(9).waitFor();
    const [code = ''] = await codes.getByRole('listitem').allInnerTexts();
    expect(await violationsOf(page)).toEqual([]);
    await codes.getByRole('button', { name: 'I have stored them' }).click();
    await factor.getByText('10 recovery codes are left.').waitFor();
    await factor.getByText('You gave a code in this session.').waitFor();
    expect(complaints.filter((one) => !one.includes('403'))).toEqual([]);
    await leave();

    // The previous session has used none.
    expect((await uma.send('GET', '/api/operator/log')).status).toBe(403);
    const person = { token: uma.token, user: uma.user };
    const other = await openVisitor(browser, program.origin, { person });
    await visit(other.page, '/Settings?lang=hi');
    const inHindi = part(other.page, 'दूसरा प्रमाण');
    await inHindi.getByLabel('ऐप का कोड, या एक रिकवरी कोड').fill(code);
    await inHindi.getByRole('button', { name: 'इस सत्र के लिए दें' }).click();
    await inHindi.getByText('9 रिकवरी कोड बाकी हैं').waitFor();
    expect((await uma.send('GET', '/api/operator/log')).status).toBe(200);
    await other.leave();
  });

  it.each([
    { what: 'a phone', viewport: { width: 390, height: 844 }, theme: 'dark' as const },
    { what: 'a phone on its side', viewport: { width: 740, height: 360 }, theme: 'light' as const },
  ])('is accessible and does not shift on $what', async ({ viewport, theme }) => {
    const somebody = await signUpAt(program.origin, `settings.${viewport.width}`);
    const person = { token: somebody.token, user: somebody.user };
    const { page, leave } = await openVisitor(browser, program.origin, { viewport, theme, person });
    await noteShifts(page);
    await visit(page, '/Settings');
    await page.getByRole('heading', { level: 2, name: 'Linked accounts' }).waitFor();
    expect(await shiftsOf(page)).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await leave();
  });

  it('is accessible in Hindi on a desktop', async () => {
    const { token, user } = await signUpAt(program.origin, 'settings.hindi');
    const { page, leave } = await openVisitor(browser, program.origin, { person: { token, user } });
    await visit(page, '/Settings?lang=hi');
    await page.getByRole('heading', { level: 2, name: 'जुड़े हुए खाते' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await leave();
  });
});

/** Makes the sessions of a person an hour old: they confirm nothing by themselves. */
async function ageSessionsOf(personId: string): Promise<void> {
  const db = await openDatabase(await readFile(join(data.path, 'postgres.url'), 'utf8'), 1);
  const hourAgo = new Date(Date.now() - 60 * 60 * 1000);
  await db.updateTable('sessions').set({ created_at: hourAgo }).where('person_id', '=', personId).execute();
  await db.destroy();
}

describe('irreversible actions in a session that is not fresh (decisions §8)', () => {
  it('ask for the password in a dialog, show when it is wrong, and are done when it is right', async () => {
    const chandni = await signUpAt(program.origin, 'chandni.settings');
    const { page, leave } = await openVisitor(browser, program.origin, {
      person: { token: chandni.token, user: chandni.user },
      viewport: { width: 390, height: 844 },
      theme: 'dark',
    });
    await ageSessionsOf(chandni.id);
    await visit(page, `/DeleteUser/${chandni.id}`);
    await page.getByRole('textbox', { name: /chandni.settings/ }).fill('chandni.settings');
    const remove = page.getByRole('button', { name: 'Delete my account' });
    await remove.click();
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    await dialog.waitFor();
    expect(await violationsOf(page)).toEqual([]);

    // Closing the dialog keeps the account, and the page says how else to confirm.
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('log in again and repeat this within ten minutes').waitFor();
    expect((await chandni.send('GET', '/api/block')).status).toBe(200);

    await remove.click();
    await dialog.getByLabel('Password', { exact: true }).fill('a wrong password');
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
    await dialog.getByText('Your current password is wrong.').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await untilHeading(page, 'User deleted successfully!', () =>
      dialog.getByRole('button', { name: 'Confirm', exact: true }).click(),
    );
    expect((await chandni.send('GET', '/api/block')).status).toBe(401);
    await leave();
  });

  it('ask before Google is linked and unlinked, and before a copy is downloaded', async () => {
    const dev = await signUpAt(program.origin, 'dev.settings');
    const { page, leave } = await openVisitor(browser, program.origin, {
      person: { token: dev.token, user: dev.user },
    });
    await ageSessionsOf(dev.id);
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    const confirm = async () => {
      await dialog.getByLabel('Password', { exact: true }).fill(password);
      await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    await visit(page, '/Settings');
    const linked = part(page, 'Linked accounts');
    const opened = page.waitForEvent('popup');
    await linked.getByRole('button', { name: 'Link Google', exact: true }).click();
    const popup = await opened;
    await popup.locator('input[name=login]').fill('dev');
    await popup.locator('input[name=password]').fill('anything');
    await popup.locator('button[type=submit]').click();
    await popup.getByRole('button', { name: 'Continue' }).click();
    await confirm();
    await linked.getByText('dev@provider.example').waitFor();

    await linked.getByRole('button', { name: 'Unlink Google' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink Google' }).click();
    await confirm();
    await linked.getByRole('button', { name: 'Link Google', exact: true }).waitFor();

    await visit(page, `/DeleteUser/${dev.id}`);
    await page.getByRole('button', { name: 'Download a copy' }).click();
    await dialog.waitFor();
    const download = page.waitForEvent('download');
    await confirm();
    expect((await download).suggestedFilename()).toMatch(/^jhalak-data-.*\.zip$/);
    await leave();
  });
});
