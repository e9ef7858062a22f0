import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type FiguresOfTime, getFigures } from '#contract/figures.ts';
import { getToday } from '#contract/today.ts';
import { openConsole, operatorsServer } from '#testing/page/console.ts';

const day = (at: string, more: Partial<FiguresOfTime> = {}): FiguresOfTime => ({
  ...{ at, signUps: 0, uploads: 0, shown: 0, watched: 0, earnedPaise: 0, paidPaise: 0, storedBytes: null },
  ...more,
});

it('Today shows the figures of 30 days or 12 months, each with its table, and saves them', async () => {
  const server = operatorsServer();
  server.on(getToday, { data: [] });
  server.on(getFigures, {
    data: [
      day('2026-11-12', { signUps: 7, shown: 1500, watched: 900, earnedPaise: 123_450 }),
      day('2026-11-13', { signUps: 5, earnedPaise: -450, storedBytes: 2_500_000_000 }),
    ],
    countedAt: '2026-11-13T06:17:00Z',
  });
  const { user } = await openConsole();
  const title = await screen.findByRole('heading', { name: 'New accounts 12' });
  const rows = within(title.parentElement as HTMLElement).getAllByRole('row', { hidden: true });
  expect(rows.map((row) => row.textContent)).toEqual([
    'DayNew accounts',
    expect.stringMatching(/13.*5$/),
    expect.stringMatching(/12.*7$/),
  ]);
  screen.getByRole('heading', { name: 'Reels shown 1,500' });
  screen.getByRole('heading', { name: 'Earnings that creators asked for ₹1,230.00' });
  screen.getByRole('heading', { name: 'Stored files 2.5 GB' });
  server.on(getFigures, { data: [day('2026-11', { signUps: 40 })], countedAt: '2026-11-13T06:17:00Z' });
  await user.click(screen.getByRole('link', { name: '12 months' }));
  await screen.findByRole('heading', { name: 'New accounts 40' });
  expect(server.askedOf(getFigures).at(-1)?.query).toEqual({ period: 'months' });
  expect(screen.getByRole('link', { name: '12 months' }).getAttribute('aria-current')).toBe('page');
});

it('says that there are no figures before the first count', async () => {
  const server = operatorsServer();
  server.on(getToday, { data: [] });
  await openConsole();
  await screen.findByText('There are no figures yet. They are counted every hour.');
});
