import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { openBrowser } from '#testing/browser/browser.ts';
import { arrive, openVisitor, type Visitor, visit } from '#testing/browser/visitor.ts';
import { type OpenIdProvider, startOpenIdProvider } from '#testing/servers/openid-provider.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';
import { someOf } from '#testing/share.ts';

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

async function post(path: string, body: object): Promise<{ user: { _id: string }; data: string }> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${program.origin}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return await answer.json();
}

/** A visitor at /LoginGoogle. */
async function atTheDoor(): Promise<Visitor> {
  const visitor = await openVisitor(browser, program.origin);
  await visit(visitor.page, '/LoginGoogle');
  return visitor;
}

const googleButton = (page: Page) => page.getByRole('button', { name: /Google/ });

/** Presses the button and logs in at the provider, in the window that opens. */
async function logInAtProvider(page: Page, who: string): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await googleButton(page).click();
  const popup = await opened;
  await popup.waitForURL(`${provider.issuer}/**`);
  await popup.locator('input[name=login]').fill(who);
  await popup.locator('input[name=password]').fill('anything');
  await popup.locator('button[type=submit]').click();
  await popup.getByRole('button', { name: 'Continue' }).click();
  return popup;
}

/** Presses the button where the provider remembers the browser and only asks for consent. */
async function goOnAtProvider(page: Page): Promise<void> {
  const opened = page.waitForEvent('popup');
  await googleButton(page).click();
  await (await opened).getByRole('button', { name: 'Continue' }).click();
}

const kept = (page: Page) =>
  page.evaluate(() => ({ ...localStorage, ...sessionStorage }) as Record<string, string>);
const keptKeys = async (page: Page) => {
  const { user, authToken } = await kept(page);
  return { user: user && JSON.parse(user), authToken };
};

describe('signing in with Google (decisions §3)', () => {
  it('logs in through the provider’s window, opens the profile, and stores the session under both keys', async () => {
    const { page, complaints, leave } = await atTheDoor();
    const popup = await logInAtProvider(page, 'asha');
    await arrive(page, '/UserProfile');
    await page.getByRole('heading', { name: 'Asha of the provider' }).waitFor();
    await expect.poll(() => popup.isClosed()).toBe(true);
    const { user, authToken } = await keptKeys(page);
    expect(user).toMatchObject({ username: 'asha.of.the.provider', email: 'asha@provider.example' });
    expect(authToken).toMatch(/^[\w-]{40,}$/);
    expect(JSON.stringify(await kept(page))).not.toContain('eyJ');
    // The page itself sends requests to this site only, and logs no errors.
    expect(complaints).toEqual([]);

    await visit(page, '/LoginGoogle');
    await page.getByRole('heading', { name: 'Welcome Back' }).waitFor();
    await page.getByText('Google is linked. You can now log in with Google too.').waitFor();
    await page.getByRole('link', { name: 'Go to Profile' }).click();
    await arrive(page, '/UserProfile');

    // Logging out leads through the provider, which asks, ends its own session, and leads back.
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(`${provider.issuer}/session/end?**`);
    expect(page.url()).not.toContain('eyJ');
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await arrive(page, `${program.origin}/LoginGoogle`);
    await googleButton(page).waitFor();
    const left = await kept(page);
    expect(Object.keys(left)).not.toContain('user');
    expect(Object.keys(left)).not.toContain('authToken');
    expect(JSON.stringify(left)).not.toMatch(/asha|eyJ/i);
    const opened = page.waitForEvent('popup');
    await googleButton(page).click();
    await (await opened).locator('input[name=login]').waitFor();
    await leave();
  });

  it.each(
    someOf(
      [
        {
          lang: 'en',
          title: "Google login doesn't work inside this app",
          copy: 'Copy link',
          email: 'Continue with email',
        },
        {
          lang: 'hi',
          title: 'इस ऐप के अंदर Google से लॉग इन नहीं हो सकता',
          copy: 'लिंक कॉपी करें',
          email: 'ईमेल से जारी रखें',
        },
      ],
      1,
    ),
  )(
    'inside another app offers email first, and says how to open the browser ($lang) [long]',
    async (words) => {
      const { page, complaints, leave } = await openVisitor(browser, program.origin, {
        userAgent:
          'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 Instagram 350.0.0.0 Android',
        viewport: { width: 360, height: 640 },
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      await visit(page, `/LoginGoogle?lang=${words.lang}`);
      await page.getByText(words.title).waitFor();
      expect(await googleButton(page).count()).toBe(0);
      const email = await page.getByRole('link', { name: words.email }).boundingBox();
      const note = await page.getByRole('note').boundingBox();
      expect(email?.y).toBeLessThan(note?.y ?? 0);
      await page.getByRole('button', { name: words.copy }).click();
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toBe(`${program.origin}/LoginGoogle?lang=${words.lang}`);
      expect(await violationsOf(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await leave();
    },
  );

  it('refuses an email that has a password account until its owner links Google [long]', async () => {
    const [email, password] = ['chandni@provider.example', 'a long password'];
    const form = { name: 'Chandni', username: 'chandni', email, password, cpassword: password };
    await post('/api/signup', form);
    const { user, data: token } = await post('/api/signin', { email, password });
    const { page, leave } = await atTheDoor();
    await logInAtProvider(page, 'chandni');
    await page.getByText('This email already has an account here').waitFor();
    await page.getByText('Login failed. Please try again.').waitFor();
    expect(await keptKeys(page)).toEqual({});

    await page.evaluate(
      ([person = '', session = '']) => {
        localStorage.setItem('user', person);
        localStorage.setItem('authToken', session);
      },
      [JSON.stringify(user), token],
    );
    await visit(page, '/LoginGoogle');
    await page.getByRole('button', { name: 'Link Google' }).waitFor();
    await goOnAtProvider(page);
    await page.getByText('Google is linked. You can now log in with Google too.').first().waitFor();

    await visit(page, '/UserProfile');
    await page.getByRole('button', { name: 'Logout' }).click();
    await arrive(page, '/LoginGoogle');
    await goOnAtProvider(page);
    await arrive(page, '/UserProfile');
    expect((await keptKeys(page)).user._id).toBe(user._id);
    await leave();
  });

  it('that comes to nothing says why, stores nothing, and can be started again [long]', async () => {
    const { page, leave } = await atTheDoor();
    const openWindow = async () => {
      const opened = page.waitForEvent('popup');
      await googleButton(page).click();
      return await opened;
    };
    const failed = () => page.getByText('Google login failed');

    // The person closes the window.
    await (await openWindow()).close();
    await page.getByRole('button', { name: 'Continue with Google' }).waitFor();

    // The site does not answer.
    await page.route('**/api/google-nonce', (route) =>
      route.fulfill({
        status: 503,
        json: { status: 'error', success: false, error: 'Google is away.', code: 'unavailable' },
      }),
    );
    const useless = await openWindow();
    await page.getByText('Google is away.').waitFor();
    await expect.poll(() => useless.isClosed()).toBe(true);
    await page.getByRole('link', { name: 'Continue with email' }).waitFor();
    await page.unroute('**/api/google-nonce');

    // Somebody else's response, with a state that this browser did not create.
    const popup = await openWindow();
    await popup.waitForURL(`${provider.issuer}/**`);
    const stranger = await page.context().newPage();
    await stranger.goto('/LoginGoogle/return#id_token=eyJ.stolen.token&state=a-guess');
    await stranger.getByRole('heading', { name: 'This login has expired' }).waitFor();
    // The header of all pages.
    await stranger.getByRole('banner').getByRole('link', { name: 'Category' }).waitFor();
    expect.soft(stranger.url()).toBe(`${program.origin}/LoginGoogle/return`);
    expect.soft(await keptKeys(page)).toEqual({});

    // The person refuses at the provider.
    await popup.getByRole('link', { name: /cancel/i }).click();
    await failed().waitFor();
    await expect.poll(() => popup.isClosed()).toBe(true);

    // The email is not verified.
    await logInAtProvider(page, 'unverified');
    await failed().waitFor();
    await page.getByText('Login failed. Please try again.').first().waitFor();
    expect.soft(page.url()).toContain('/LoginGoogle');
    expect(await keptKeys(page)).toEqual({});

    // The browser blocks the window.
    await page.evaluate(() => {
      window.open = () => null;
    });
    await googleButton(page).click();
    await page.getByText('Your browser blocked the Google window.').waitFor();
    for (const theme of ['light', 'dark']) {
      await page.evaluate((name) => {
        document.body.className = name;
        return Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
      }, theme);
      const rules = theme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined;
      expect(await violationsOf(page, rules), theme).toEqual([]);
    }
    await leave();
  });
});
