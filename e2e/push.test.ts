import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { emptySite } from '#testing/browser/site.ts';
import { arrive, openVisitor, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';

/** A stand-in of the browser's push manager: headless Chromium reaches no push service. */
const browser = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/a-browser',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};

const site = emptySite({ ORIGIN: 'http://localhost' });
const on = 'Show notifications in this browser';
const stop = 'Stop notifications in this browser';

// What the page says is tested in web/features/settings/settings.component.test.tsx.

/** A visitor whose browser stays subscribed from page to page, as real browsers do. */
async function open() {
  const origin = site.origin.replace('127.0.0.1', 'localhost');
  const visitor = await openVisitor(site.browser, origin, {
    permissions: ['notifications'],
    serviceWorkers: 'allow',
  });
  await visitor.page.addInitScript((made) => {
    const own = () => {
      const endpoint = sessionStorage.getItem('subscribed');
      return endpoint === null
        ? null
        : {
            endpoint,
            toJSON: () => ({ ...made, endpoint }),
            unsubscribe: async () => sessionStorage.removeItem('subscribed'),
          };
    };
    Object.assign(PushManager.prototype, {
      getSubscription: async () => own(),
      subscribe: async () => {
        sessionStorage.setItem('subscribed', made.endpoint);
        return own();
      },
    });
  }, browser);
  return visitor;
}
const isSubscribed = (page: Page) => page.evaluate(() => sessionStorage.getItem('subscribed') !== null);
async function logIn(page: Page, { user, token }: Pick<Client, 'user' | 'token'>): Promise<void> {
  if (page.url() === 'about:blank') await page.goto('/About');
  await page.evaluate(
    ([person = '', session = '']) => {
      localStorage.setItem('user', person);
      localStorage.setItem('authToken', session);
    },
    [JSON.stringify(user), token],
  );
}
const sessionsOf = async ({ user }: Client) =>
  (
    await site.db.selectFrom('push_devices').select('session_id').where('person_id', '=', user._id).execute()
  ).map(({ session_id }) => session_id);

describe('push messages on /Settings', () => {
  it('continue after another login of the same person and another address, and end with a logout although the server cannot be reached; the next person is not subscribed', async () => {
    const [asha, binod] = [
      await signUpAt(site.origin, 'asha.push'),
      await signUpAt(site.origin, 'binod.next'),
    ];
    const { page, leave } = await open();
    await logIn(page, asha);
    await visit(page, '/Settings');
    await page.getByRole('button', { name: on }).click();
    await page.getByRole('button', { name: stop }).waitFor();
    await page.getByLabel('New followers').uncheck();
    await expect
      .poll(async () => (await asha.send('GET', '/api/push')).body)
      .toMatchObject({ off: ['followers'] });
    await expect.poll(() => sessionsOf(asha)).toHaveLength(1);
    expect(await violationsOf(page)).toEqual([]);
    const before = await sessionsOf(asha);
    await site.db.deleteFrom('sessions').where('person_id', '=', asha.user._id).execute();
    const answer = await fetch(`${site.origin}/api/signin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: asha.user.email, password: 'a long password' }),
    });
    const { data: token } = (await answer.json()) as { data: string };
    await logIn(page, { user: asha.user, token });
    // Not the settings page: any page reports it to the server.
    await visit(page, '/UserProfile');
    const anew = async () => (await sessionsOf(asha)).filter((session) => !before.includes(session)).length;
    await expect.poll(anew).toBe(1);
    await page.evaluate(() => {
      sessionStorage.setItem('subscribed', 'https://fcm.googleapis.com/fcm/send/another-address');
      navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: 'pushsubscriptionchange' }));
    });
    await expect.poll(anew).toBe(2);

    await page.evaluate(() => {
      const through = window.fetch;
      window.fetch = async (...request) => {
        if (String(request[0] instanceof Request ? request[0].url : request[0]).includes('/api/logout'))
          throw new TypeError('no network');
        return await through(...request);
      };
    });
    await page.getByRole('button', { name: 'Logout', exact: true }).click();
    await arrive(page, '**/LoginGoogle');
    await expect.poll(() => isSubscribed(page)).toBe(false);
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('push'))))
      .toEqual([]);

    // Also if the browser could not unsubscribe.
    await page.evaluate((endpoint) => sessionStorage.setItem('subscribed', endpoint), browser.endpoint);
    await logIn(page, binod);
    await visit(page, '/Settings');
    await page.getByRole('button', { name: on }).waitFor();
    expect(await sessionsOf(binod)).toEqual([]);
    await leave();
  });
});

describe('the service worker [long]', () => {
  /** Records its calls of the browser's functions: headless Chromium has no push service. */
  async function callsOf(page: Page, name: string, event: object, windows: string[] = []) {
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
    // Playwright may hear of it later than the page.
    const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'));
    return await worker.evaluate(
      async ([type, given, paths]) => {
        const calls: unknown[] = [];
        const note =
          (what: string) =>
          async (...call: unknown[]) =>
            void calls.push([what, ...call]);
        const scope = self as unknown as {
          registration: { showNotification: unknown; pushManager: object };
          clients: object;
        };
        scope.registration.showNotification = note('show');
        Object.assign(Object.getPrototypeOf(scope.registration.pushManager), {
          subscribe: note('subscribe'),
        });
        Object.assign(scope.clients, {
          openWindow: note('open'),
          matchAll: async () =>
            paths.map((path) => ({
              url: new URL(path, self.location.href).href,
              focus: note(`focus ${path}`),
              navigate: note(`navigate ${path}`),
              postMessage: note(`post ${path}`),
            })),
        });
        const { data, notification, ...rest } = given as {
          data?: string;
          notification?: { data: { url: string } };
        };
        let done: Promise<unknown> | undefined;
        self.dispatchEvent(
          Object.assign(new Event(type), {
            ...rest,
            ...(data === undefined ? {} : { data: { json: () => JSON.parse(data) } }),
            ...(notification ? { notification: { ...notification, close: note('close') } } : {}),
            waitUntil: (promise: Promise<unknown>) => {
              done = promise;
            },
          }),
        );
        await done;
        return calls;
      },
      [name, event, windows] as const,
    );
  }

  it('shows a message, opens its page, leaves other windows alone, and subscribes again when the address has changed', async () => {
    const { page, leave } = await open();
    await visit(page, '/About');
    const message = { title: 'Jhalak', body: 'binod liked your reel', url: '/Activity', lang: 'en' };
    expect(await callsOf(page, 'push', { data: JSON.stringify(message) })).toMatchObject([
      ['show', 'Jhalak', { body: message.body, tag: 'jhalak', data: { url: '/Activity' } }],
    ]);
    expect(await callsOf(page, 'push', { data: 'odd' })).toMatchObject([
      ['show', 'Jhalak', { data: { url: '/Activity' } }],
    ]);
    const click = { notification: { data: { url: '/Activity' } } };
    expect(await callsOf(page, 'notificationclick', click, ['/Contact'])).toEqual([
      ['close'],
      ['open', '/Activity'],
    ]);
    expect(await callsOf(page, 'notificationclick', click, ['/Contact', '/Activity'])).toEqual([
      ['close'],
      ['focus /Activity'],
    ]);
    const ofComment = { notification: { data: { url: '/videoplayer?reel=one#said' } } };
    expect(await callsOf(page, 'notificationclick', ofComment, ['/videoplayer?reel=two'])).toEqual([
      ['close'],
      ['open', '/videoplayer?reel=one#said'],
    ]);
    const options = { userVisibleOnly: true };
    expect(
      await callsOf(page, 'pushsubscriptionchange', { oldSubscription: { options } }, ['/About']),
    ).toEqual([
      ['subscribe', options],
      ['post /About', 'pushsubscriptionchange'],
    ]);
    await leave();
  });
});
