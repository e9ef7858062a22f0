import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import { violationsOf } from '#testing/browser/axe.ts';
import { openBrowser } from '#testing/browser/browser.ts';
import { arrive, noteShifts, openVisitor, shiftsOf, visit } from '#testing/browser/visitor.ts';
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

/** Makes the sessions of a person an hour old: they confirm nothing by themselves. */
async function ageSessionsOf(personId: string): Promise<void> {
  const db = await openDatabase(await readFile(join(data.path, 'postgres.url'), 'utf8'), 1);
  const hourAgo = new Date(Date.now() - 60 * 60 * 1000);
  await db.updateTable('sessions').set({ created_at: hourAgo }).where('person_id', '=', personId).execute();
  await db.destroy();
}

describe('/Settings (decisions §8)', () => {
  it('lists and ends sessions; links and unlinks Google with a confirmation, as this session is not fresh', async () => {
    const asha = await signUpAt(program.origin, 'asha.settings');
    const { page, complaints, leave } = await openVisitor(browser, program.origin, {
      viewport: { width: 390, height: 844 },
      theme: 'dark',
    });
    await noteShifts(page);
    // By the form, so that the session stores the browser's name.
    await visit(page, '/LoginEmail');
    await page.getByLabel('Email').fill(asha.user.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Login' }).click();
    await arrive(page, '/UserProfile');
    await ageSessionsOf(asha.id);
    await visit(page, '/Settings');
    const sessions = part(page, 'Where you are logged in');
    await sessions.getByText('Chrome, Linux').waitFor();
    await sessions.getByText('This device').waitFor();
    await sessions.getByText('Network: 127.0.0.0/16').first().waitFor();
    expect.soft(await shiftsOf(page)).toEqual([]);
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await sessions.getByRole('button', { name: 'Log out Unknown device' }).click();
    await page.getByText('That device is logged out.').waitFor();
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
    expect((await asha.send('GET', '/api/block')).status).toBe(401);

    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    const confirm = async (words: string) => {
      await dialog.getByLabel('Password', { exact: true }).fill(words);
      await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
    };
    const linked = part(page, 'Linked accounts');
    const opened = page.waitForEvent('popup');
    await linked.getByRole('button', { name: 'Link Google', exact: true }).click();
    const popup = await opened;
    await popup.locator('input[name=login]').fill('asha');
    await popup.locator('input[name=password]').fill('anything');
    await popup.locator('button[type=submit]').click();
    await popup.getByRole('button', { name: 'Continue' }).click();
    await confirm('a wrong password');
    await dialog.getByText('Your current password is wrong.').waitFor();
    expect.soft(await violationsOf(page)).toEqual([]);
    await confirm(password);
    await dialog.waitFor({ state: 'hidden' });
    await linked.getByText('asha@provider.example').waitFor();
    await linked.getByText('Google, linked on').waitFor();
    await linked.getByRole('button', { name: 'Unlink Google' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink Google' }).click();
    await confirm(password);
    await dialog.waitFor({ state: 'hidden' });
    await linked.getByRole('button', { name: 'Link Google', exact: true }).waitFor();

    // Both are reported in the notifications, which lead here.
    await visit(page, '/Activity');
    await page.getByText('A Google account was linked to your account').waitFor();
    await page.getByText('A Google account was unlinked from your account').click();
    await arrive(page, '/Settings');
    // The first tries are refused, since they need a confirmation.
    expect(complaints.filter((one) => !one.includes('403'))).toEqual([]);
    await leave();
  });

  it('lets an operator enrol an authenticator app, save recovery codes, and use one in a new session [long]', async () => {
    const uma = await signUpAt(program.origin, 'uma.settings');
    const made = await adminOn({ DATA_DIR: data.path }, [
      'people',
      'make-operator',
      'uma.settings',
      '--json',
    ]);
    const { data: token } = (await (
      await fetch(`${program.origin}/api/signin`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: uma.user.email, password }),
      })
    ).json()) as { data: string };
    const { page, complaints, leave } = await openVisitor(browser, program.origin, {
      person: { token, user: uma.user },
    });
    await visit(page, '/Settings');
    const factor = part(page, 'Second factor');
    await factor.getByLabel('One-time code').fill('aaaa-aaaa-aaaa-aaaa');
    await factor.getByRole('button', { name: 'Set up' }).click();
    await factor.getByText('This code is wrong, too old or was used already.').waitFor();
    await factor.getByLabel('One-time code').fill(JSON.parse(made.out).enrolment);
    await factor.getByRole('button', { name: 'Set up' }).click();
    await factor.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
    expect(await violationsOf(page, ['image-alt', 'label', 'color-contrast', 'svg-img-alt'])).toEqual([]);
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
    expect(await violationsOf(other.page)).toEqual([]);
    await inHindi.getByLabel('ऐप का कोड, या एक रिकवरी कोड').fill(code);
    await inHindi.getByRole('button', { name: 'इस सत्र के लिए दें' }).click();
    await inHindi.getByText('9 रिकवरी कोड बाकी हैं').waitFor();
    expect((await uma.send('GET', '/api/operator/log')).status).toBe(200);
    await other.leave();
  });
});
