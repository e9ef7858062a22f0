import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { userData } from '#contract/accounts.ts';
import { getAllReels } from '#contract/reels.ts';
import { getStoryPeople, getStoryRow } from '#contract/stories.ts';
import { answerCalls } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { reel, zoya } from '#testing/page/things.ts';

const hour = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString();
const somebody = '018f0000-0000-7000-8000-000000000009';

/** Home with reels of these ages in hours, on a device that showed it so many hours ago. */
async function openHome(ages: number[], lastVisit?: number, more: { userId?: string; next?: string } = {}) {
  const server = answerCalls();
  const { userId = somebody, next = null } = more;
  const reels = ages.map((hours, nth) => reel(nth, `Reel ${nth}`, { createdAt: ago(hours), userId }));
  server.on(getAllReels, { data: reels, nextCursor: next });
  server.on(getStoryPeople, { data: [], nextCursor: null });
  server.on(getStoryRow, { followed: [], seen: [] });
  server.on(userData, { data: { ...zoya, data: zoya } });
  if (lastVisit !== undefined) localStorage.setItem('lastVisit', String(Date.now() - lastVisit * hour));
  const { unmount } = await showPage({
    page: () => import('#web/pages/home.tsx'),
    address: '/',
    loaded: { start: null, first: null, stories: null },
    person: zoya,
  });
  await screen.findByRole('region', { name: 'Fresh reels' });
  return unmount;
}

const chip = () => screen.queryByRole('link', { name: / new since / });
const isNoted = () =>
  waitFor(() => expect(Number(localStorage.getItem('lastVisit'))).toBeGreaterThan(Date.now() - hour));

describe('Home, opened again on a device', () => {
  it('says how many reels are new since yesterday, and leads to the newest', async () => {
    await openHome([1, 2, 30, 50], 24);
    const link = await screen.findByRole('link', { name: '2 new since yesterday' });
    expect(link.getAttribute('href')).toBe(`/videoplayer?reel=${reel(0, '')._id}`);
    await isNoted();
  });

  it('says so again after Back, as long as the visit lasts', async () => {
    const leave = await openHome([1, 2, 30, 50], 24);
    await screen.findByRole('link', { name: '2 new since yesterday' });
    await isNoted();
    leave();
    await openHome([1, 2, 30, 50]);
    await screen.findByRole('link', { name: '2 new since yesterday' });
  });

  it('says so of an earlier day with its date, and that there may be more on the next page', async () => {
    const date = new Date(Date.now() - 90 * hour);
    await openHome([1, 2], 90, { next: 'next' });
    const day = new Intl.DateTimeFormat('en-IN', {
      ...{ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'Asia/Kolkata' },
    }).format(date);
    await screen.findByRole('link', { name: `2+ new since ${day}` });
  });

  it.each([
    ['at the first visit', [1, 2], undefined, {}],
    ['if nothing is new', [30, 50], 24, {}],
    ['if only own reels are new', [1, 2], 24, { userId: zoya._id }],
  ] as const)('says nothing %s', async (_, ages, lastVisit, more) => {
    await openHome([...ages], lastVisit, more);
    await isNoted();
    expect(chip()).toBeNull();
  });
});
