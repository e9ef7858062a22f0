import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getReelEarnings } from '#contract/earnings.ts';
import { getReel } from '#contract/reels.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { reel, zoya } from '#testing/page/things.ts';

const { _id: id } = reel(1, '');
const nothing = { shown: 0, watched: 0, counted: 0, viewCoins: 0, uncounted: [], days: [] };
const open = ({ lang = 'en', person }: { lang?: 'en' | 'hi'; person?: typeof zoya } = { person: zoya }) =>
  showPage({
    page: () => import('#web/pages/earning-reel.tsx'),
    address: `/EarningHistory/reel/${id}`,
    pattern: '/EarningHistory/reel/:id',
    loaded: { id },
    lang,
    ...(person ? { person } : {}),
  });
const funnel = async (name: string) =>
  [...(await screen.findByRole('list', { name })).children].map(({ textContent }) => textContent);

describe('what a reel earned (decisions §4)', () => {
  it('says so in the place of the figures if nobody saw the reel yet', async () => {
    const server = answerCalls();
    server.on(getReelEarnings, { data: nothing });
    server.on(getReel, { data: reel(1, 'A glimpse of zoya'), copy: null });
    await open();
    await screen.findByText('Nobody has seen it yet');
    expect(await funnel('From showing to coin')).toEqual(['Shown0', 'Watched0', 'Paid0']);
  });

  it('is no coin as long as fewer views than make one are paid, and says what counts as watched', async () => {
    const server = answerCalls();
    server.on(getReelEarnings, { data: { ...nothing, shown: 26, watched: 9, counted: 9 } });
    server.on(getReel, { data: reel(1, 'A glimpse of zoya'), copy: null });
    await open();
    await screen.findByText('No coins from views yet');
    screen.getByText(/Watched: it played for 5 seconds there, or 90% of it if it is shorter/);
  });

  it('is shown in Hindi', async () => {
    const server = answerCalls();
    const uncounted = [{ reason: 'bot', count: 7 } as const];
    const days = [{ day: '2026-11-03', shown: 26, watched: 19, counted: 19 }];
    server.on(getReelEarnings, {
      data: { shown: 26, watched: 19, counted: 19, viewCoins: 1, uncounted, days },
    });
    server.on(getReel, { data: reel(1, 'A glimpse of zoya'), copy: null });
    await open({ lang: 'hi', person: zoya });
    await screen.findByText('व्यू से क़रीब 1 सिक्का');
    expect(await funnel('दिखाए जाने से सिक्के तक')).toEqual(['दिखाई गई26', 'देखी गई19', 'भुगतान वाले19']);
    screen.getByText('बॉट के 7 व्यू');
  });

  it('is shown to nobody else', async () => {
    const server = answerCalls();
    const none = refusal(404, 'not_found', 'There is no such reel.');
    server.on(getReelEarnings, none);
    server.on(getReel, { data: reel(1, 'A glimpse of zoya'), copy: null });
    await open();
    await screen.findByRole('heading', { name: 'This is not one of your reels' });
  });

  it('asks a visitor to log in', async () => {
    const { asked } = answerCalls();
    await open({});
    await screen.findByText('Log in to see what your reel earned.');
    expect(asked).toEqual([]);
  });
});
