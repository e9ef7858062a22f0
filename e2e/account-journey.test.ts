import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { words as mails } from '#server/features/mail/words.ts';
import { freePort } from '#server/platform/database/embedded.ts';
import { giveAuthenticator } from '#testing/browser/authenticator.ts';
import { sharedBrowser } from '#testing/browser/browser.ts';
import { arrive, openVisitor, untilHeading, visit } from '#testing/browser/visitor.ts';
import { type OpenIdProvider, startOpenIdProvider } from '#testing/servers/openid-provider.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';
import { startSmtp } from '#testing/servers/smtp.ts';
import account from '#web/messages/account/en.json';
import accountInHindi from '#web/messages/account/hi.json';
import confirm from '#web/messages/confirm/en.json';
import confirmInHindi from '#web/messages/confirm/hi.json';
import deletion from '#web/messages/deletion/en.json';
import deletionInHindi from '#web/messages/deletion/hi.json';
import english from '#web/messages/en.json';
import hindi from '#web/messages/hi.json';
import profile from '#web/messages/profile/en.json';
import profileInHindi from '#web/messages/profile/hi.json';
import settings from '#web/messages/settings/en.json';
import settingsInHindi from '#web/messages/settings/hi.json';

/*
 * The whole life of an account, through the pages alone, with a real mail server, a real OpenID provider and a clock that tests can move.
 * Its stations have tests of their own (account-mails, settings, passkeys, delete-account), so `npm run test:long` walks the whole way.
 */

const hour = 60 * 60 * 1000;

let smtp: Awaited<ReturnType<typeof startSmtp>>;
let data: Awaited<ReturnType<typeof dataFolder>>;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let provider: OpenIdProvider;
let program: Program;
let clock: string;
/** Moves the site's clock. The provider uses the clock of the machine. */
const itIs = (instant: number) => writeFile(clock, new Date(instant).toISOString());

// Each journey has its own site, so that its clock never goes back.
beforeEach(async () => {
  [smtp, data, database, provider] = await Promise.all([
    startSmtp(),
    dataFolder(),
    freshDatabase(),
    startOpenIdProvider(),
  ]);
  clock = join(data.path, 'clock');
  await itIs(Date.now() - 80 * hour);
  const port = await freePort();
  program = await startProgram({
    DATA_DIR: data.path,
    DATABASE_URL: database.url,
    PORT: String(port),
    ORIGIN: `http://localhost:${port}`,
    SMTP_URL: smtp.url,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    TEST_CLOCK: clock,
  });
  provider.register(`http://localhost:${port}`);
});
afterEach(async () => {
  await program?.stop();
  await Promise.all([smtp?.close(), provider?.close(), database?.drop()]);
  await data?.remove();
});

/** The text up to the first value or link in a message. */
const upTo = (message: string) => message.split(/[{<]/)[0] ?? '';

it.each([
  {
    lang: 'en',
    username: 'asha',
    words: { ...english, ...account, ...confirm, ...deletion, ...profile, ...settings },
    told: mails.en.acts,
  },
  {
    lang: 'hi',
    username: 'binod',
    words: {
      ...hindi,
      ...accountInHindi,
      ...confirmInHindi,
      ...deletionInHindi,
      ...profileInHindi,
      ...settingsInHindi,
    },
    told: mails.hi.acts,
  },
])(
  'a person signs up, verifies the address, forgets the password, returns, ends a session, adds a passkey, links Google and deletes the account, in the language $lang',
  async ({ lang, username, words, told }) => {
    const origin = program.origin.replace('127.0.0.1', 'localhost');
    const email = `${username}@people.example`;
    const { page, complaints, leave } = await openVisitor(await sharedBrowser(), origin);
    const main = page.locator('main');
    const fill = async (values: Record<string, string>) => {
      for (const [name, value] of Object.entries(values))
        await main.locator(`input[name=${name}]`).fill(value);
    };
    const press = (name: string) => main.getByRole('button', { name, exact: true }).click();
    const mailed = async (path: string) => {
      const links = () =>
        smtp.mails
          .filter(({ to }) => to.includes(email))
          .flatMap(({ text }) => text.match(new RegExp(`https?:\\S+/${path}\\S+`)) ?? []);
      await expect.poll(() => links().length).toBe(1);
      return links()[0] ?? '';
    };

    await visit(page, `/SignupForm?lang=${lang}`);
    const [first, second] = ['a quiet river bend', 'another quiet river'];
    await fill({ name: username, username, email, password: first, cpassword: first });
    await press(words['account.signUp']);
    await arrive(page, /\/LoginEmail/);
    const logIn = async (password: string) => {
      await fill({ email, password });
      await press(words['account.login']);
      await arrive(page, /\/UserProfile/);
    };
    await logIn(first);

    await page.getByText(upTo(words['profile.notVerified'])).getByRole('link').click();
    await press(words['account.verify.send']);
    await visit(page, await mailed('VerifyEmail'));
    await press(words['account.verify.confirm']);
    await page.getByText(words['account.verify.done'].replace('{email}', email)).waitFor();

    await visit(page, '/UserProfile');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.getByText(upTo(words['profile.notVerified'])).count()).toBe(0);
    await press(words['profile.logout']);
    await visit(page, `/LoginEmail?lang=${lang}`);
    await page.getByRole('link', { name: words['account.forgot'] }).click();
    await arrive(page, /\/ForgotPassword/);
    await fill({ email });
    await press(words['account.forgot.send']);
    await visit(page, await mailed('ResetPassword'));
    await fill({ password: second, cpassword: second });
    await press(words['account.reset.save']);
    await arrive(page, /\/LoginEmail/);
    await logIn(second);

    // Another person's browser, which the list of sessions shows and ends.
    const elsewhere = await signInElsewhere(origin, email, second);
    await visit(page, '/Settings');
    await press(words['settings.endThis'].replace('{device}', words['settings.unknownDevice']));
    await page.getByText(words['settings.ended']).waitFor();
    expect(await isAlive(origin, elsewhere)).toBe(false);

    // After a reset, links cannot be changed for 72 hours.
    await itIs(Date.now());
    await visit(page, '/UserProfile');
    await press(words['profile.logout']);
    await visit(page, `/LoginEmail?lang=${lang}`);
    await logIn(second);
    await visit(page, '/Settings');
    await giveAuthenticator(page);
    await main.getByLabel(words['settings.passkeyName']).fill('Phone');
    await press(words['settings.passkeyAdd']);
    await page.getByText(words['settings.passkeyAdded']).waitFor();
    await linkGoogle(page, words['account.linkGoogle'], username);
    await page.getByText(`${username}@provider.example`).waitFor();
    await press(words['settings.unlink']);
    await page.getByRole('dialog').getByRole('button', { name: words['settings.unlink'] }).click();
    await main.getByRole('button', { name: words['account.linkGoogle'], exact: true }).waitFor();

    await page.getByRole('link', { name: words['settings.delete'] }).click();
    await arrive(page, /\/DeleteUser/);
    await fill({ typed: username });
    await untilHeading(page, words['deletion.done'], () => press(words['deletion.delete']));
    await expect.poll(() => smtp.mails.at(-1)?.text).toContain(told.account_deleted.sentence);
    expect((await signIn(origin, email, second)).ok).toBe(false);
    expect(complaints).toEqual([]);
    await leave();
  },
);

const signIn = (origin: string, email: string, password: string) =>
  fetch(`${origin}/api/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });

async function signInElsewhere(origin: string, email: string, password: string): Promise<string> {
  const { data: token } = (await (await signIn(origin, email, password)).json()) as { data: string };
  expect(await isAlive(origin, token)).toBe(true);
  return token;
}

const isAlive = async (origin: string, token: string) =>
  (await fetch(`${origin}/api/sessions`, { headers: { authorization: `Bearer ${token}` } })).ok;

async function linkGoogle(page: Page, button: string, subject: string): Promise<void> {
  const opened = page.waitForEvent('popup');
  await page.locator('main').getByRole('button', { name: button, exact: true }).click();
  const popup = await opened;
  await popup.locator('input[name=login]').fill(subject);
  await popup.locator('input[name=password]').fill('anything');
  await popup.locator('button[type=submit]').click();
  await popup.getByRole('button', { name: 'Continue' }).click();
}
