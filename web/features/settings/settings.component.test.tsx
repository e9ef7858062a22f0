import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { userData } from '#contract/accounts.ts';
import { googleLink } from '#contract/identity.ts';
import { listPasskeys } from '#contract/passkeys.ts';
import { getPush, setPush, subscribePush, unsubscribePush } from '#contract/push.ts';
import { getBlocked } from '#contract/relations.ts';
import { getSecondFactor } from '#contract/second-factor.ts';
import { endOtherSessions, endSession, listSessions, type Session } from '#contract/sessions.ts';
import { getTaste } from '#contract/taste.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { person, zoya } from '#testing/page/things.ts';

const at = '2026-11-03T06:30:00Z';
const own: Session = {
  ...{ _id: person(2)._id, device: 'Chrome, Linux', network: '203.0.0.0/16' },
  ...{ createdAt: at, usedAt: at, current: true },
};
const other = (nth: number, more: Partial<Session> = {}): Session => ({
  ...own,
  ...{ _id: person(nth)._id, device: null, network: null, current: false },
  ...more,
});

/** Answers what the page asks, without push messages. */
function answerSettings(sessions: Session[] = [own]) {
  const server = answerCalls();
  server.on(userData, { data: { ...zoya, data: zoya } });
  server.on(listSessions, { data: sessions });
  server.on(googleLink, { linked: false, accounts: [] });
  server.on(listPasskeys, { data: [] });
  server.on(getBlocked, { data: [], nextCursor: null });
  server.on(getSecondFactor, {
    required: false,
    role: 'person',
    enrolledAt: null,
    given: false,
    recoveryCodes: 0,
  });
  server.on(getTaste, { since: null, categories: [], watched: [], count: 0 });
  server.on(getPush, { publicKey: null, app: false, off: [] });
  server.on(getTaste, { since: null, categories: [], watched: [], count: 0 });
  return server;
}
const open = (lang: 'en' | 'hi' = 'en') =>
  showPage({ page: () => import('#web/pages/settings.tsx'), address: '/Settings', person: zoya, lang });

describe('the sessions on /Settings (decisions §8)', () => {
  const list = async () =>
    within(
      (await screen.findByRole('heading', { name: 'Where you are logged in' })).closest(
        'section',
      ) as Element as HTMLElement,
    );
  const names = async () =>
    (await list()).getAllByRole('listitem').map((row) => row.querySelector('p')?.textContent);

  it('are listed with device and network, and ended one by one or all but this one', async () => {
    const server = answerSettings([own, other(3), other(4, { device: 'Firefox, Windows' })]);
    server.on(endSession, () => {
      server.on(listSessions, { data: [own, other(4, { device: 'Firefox, Windows' }), other(5)] });
      return {};
    });
    server.on(endOtherSessions, () => {
      server.on(listSessions, { data: [own] });
      return {};
    });
    const { user } = await open();
    const sessions = await list();
    expect(await names()).toEqual(['Chrome, Linux', 'Unknown device', 'Firefox, Windows']);
    sessions.getByText('This device');
    sessions.getByText('Network: 203.0.0.0/16');
    sessions.getAllByText('Network: unknown');
    expect(sessions.queryByRole('button', { name: 'Log out Chrome, Linux' })).toBeNull();
    await user.click(sessions.getByRole('button', { name: 'Log out Unknown device' }));
    await screen.findByText('That device is logged out.');
    await waitFor(async () =>
      expect(await names()).toEqual(['Chrome, Linux', 'Firefox, Windows', 'Unknown device']),
    );
    expect(server.askedOf(endSession).map(({ path }) => path)).toEqual([`/api/sessions/${other(3)._id}`]);
    await user.click(sessions.getByRole('button', { name: 'Log out all others' }));
    await screen.findByText('All other devices are logged out.');
    await waitFor(async () => expect(await names()).toEqual(['Chrome, Linux']));
    expect(sessions.queryByRole('button', { name: 'Log out all others' })).toBeNull();
  });

  it('that cannot be ended stay, with the reason; one that has ended already goes without a word', async () => {
    const server = answerSettings([own, other(3), other(4, { device: 'Firefox, Windows' })]);
    server.on(endSession, refusal(500, 'internal', 'No luck.'), () => {
      server.on(listSessions, { data: [own] });
      return refusal(404, 'not_found', 'There is no such session.');
    });
    const { user } = await open();
    const sessions = await list();
    await user.click(sessions.getByRole('button', { name: 'Log out Unknown device' }));
    await screen.findByText('No luck.');
    expect(await names()).toHaveLength(3);
    await user.click(sessions.getByRole('button', { name: 'Log out Firefox, Windows' }));
    await waitFor(async () => expect(await names()).toEqual(['Chrome, Linux']));
    expect(screen.queryByText('There is no such session.')).toBeNull();
  });
});

describe('push messages on /Settings', () => {
  const on = 'Show notifications in this browser';
  const endpoint = 'https://fcm.googleapis.com/fcm/send/a-browser';
  const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };

  /** A stand-in of the browser's push manager, as in e2e/push.test.ts. */
  function givePush(permission: () => NotificationPermission) {
    let made = false;
    const subscription = {
      endpoint,
      toJSON: () => ({ endpoint, keys }),
      unsubscribe: async () => {
        made = false;
        return true;
      },
    };
    const pushManager = {
      getSubscription: async () => (made ? subscription : null),
      subscribe: async () => {
        made = true;
        return subscription;
      },
    };
    const registration = { pushManager };
    Object.defineProperty(navigator, 'serviceWorker', {
      configurable: true,
      value: { ready: Promise.resolve(registration), getRegistration: async () => registration },
    });
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'));
    vi.stubGlobal('PushManager', class {});
    vi.stubGlobal('Notification', { requestPermission: async () => permission() });
    return { isSubscribed: () => made };
  }

  it('are switched on for this browser and by groups, and off again', async () => {
    const server = answerSettings();
    const { isSubscribed } = givePush(() => 'granted');
    server.on(getPush, { publicKey: 'key', app: false, off: [] });
    server.on(subscribePush, {});
    server.on(unsubscribePush, {});
    const answer = Promise.withResolvers<{ off: ['followers'] }>();
    server.on(setPush, () => answer.promise);
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: on }));
    await screen.findByText('This browser shows notifications.');
    expect(server.askedOf(subscribePush).map(({ body }) => body)).toEqual([{ endpoint, keys }]);
    // A checkbox shows the click at once, and does not wait for the server.
    const box = screen.getByLabelText<HTMLInputElement>('New followers');
    await user.click(box);
    expect(box.checked).toBe(false);
    server.on(getPush, { publicKey: 'key', app: false, off: ['followers'] });
    answer.resolve({ off: ['followers'] });
    await waitFor(() => expect(server.askedOf(getPush)).toHaveLength(3));
    expect(server.askedOf(setPush).map(({ body }) => body)).toEqual([{ off: ['followers'] }]);
    screen.getByText(/^News about your account and your earnings is always shown/);
    expect(screen.queryByLabelText('Your account and your earnings')).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Stop notifications in this browser' }));
    await screen.findByText('This browser shows no more notifications.');
    expect(server.askedOf(unsubscribePush).map(({ body }) => body)).toEqual([{ endpoint }]);
    expect(isSubscribed()).toBe(false);
    expect(box.checked).toBe(false);
  });

  it('say what the browser has forbidden or the server refuses, while the rest of the page works', async () => {
    const server = answerSettings();
    let permission: NotificationPermission = 'default';
    const { isSubscribed } = givePush(() => permission);
    server.on(getPush, { publicKey: 'key', app: false, off: [] });
    server.on(subscribePush, refusal(400, 'invalid_input', 'This push service is not known here.'));
    const { user } = await open();
    const button = await screen.findByRole('button', { name: on });
    await user.click(button);
    await screen.findByText(/Try again and choose Allow\.$/);
    permission = 'denied';
    await user.click(button);
    await screen.findByText(/^Your browser does not allow notifications for this site\./);
    permission = 'granted';
    await user.click(button);
    await screen.findByText('This push service is not known here.');
    expect(isSubscribed()).toBe(false);
    screen.getByLabelText('New followers');
    screen.getByText('This device');
  });

  it('say that the browser does not support them', async () => {
    const server = answerSettings();
    server.on(getPush, { publicKey: 'key', app: false, off: [] });
    await open();
    await screen.findByText(/^This browser can't show notifications while Jhalak is closed\./);
    expect(screen.queryByRole('button', { name: on })).toBeNull();
  });

  it('that do not load leave the rest of the page', async () => {
    answerSettings().on(getPush, Response.json({}, { status: 500 }));
    await open();
    await screen.findByText("Couldn't load what is shown on your devices");
    screen.getByText('This device');
  });

  it('are in Hindi, too', async () => {
    givePush(() => 'granted');
    answerSettings().on(getPush, { publicKey: 'key', app: false, off: [] });
    await open('hi');
    await screen.findByRole('button', { name: 'इस ब्राउज़र में सूचनाएँ दिखाएँ' });
    screen.getByLabelText('नए फ़ॉलोअर');
  });
});
