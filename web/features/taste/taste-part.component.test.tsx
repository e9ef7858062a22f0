import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished } from 'vitest';
import { categories } from '#contract/categories.ts';
import { forgetWatched, getReelsById, getTaste, switchTaste } from '#contract/taste.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { person, reel, zoya } from '#testing/page/things.ts';
import { mutePerson, muteReel, mutes } from './mutes.ts';
import { forgetVisit } from './visit.ts';

const page = () => import('./taste-part.tsx');
const open = (more: Partial<Parameters<typeof showPage>[0]> = {}) =>
  showPage({ page, address: '/Settings', ...more });
const section = async (name: string) =>
  within((await screen.findByRole('heading', { name })).closest('section') as Element as HTMLElement);

const at = '2026-11-03T06:30:00Z';
const off = { since: null, categories: [], watched: [], count: 0 };
const watchedOf = (nth: number, caption: string, toEnd: boolean) => {
  const { _id, username, tileurl } = reel(nth, caption);
  return { _id, caption, username, tileurl, toEnd, watchedAt: at };
};
const ofCategory = (id: string, share: number) => {
  const { name = '' } = categories.find((one) => one.id === id) ?? {};
  return { category: { id, name, image: `/categories/${id}.svg` }, share };
};
const known = {
  since: at,
  categories: [ofCategory('dance', 0.75), ofCategory('rangoli', 0.25)],
  watched: [watchedOf(1, 'Rangoli for Diwali', true), watchedOf(2, '', false)],
  count: 2,
};

describe('one’s taste in Settings', () => {
  it('is switched on by somebody who says that they are 18 or older, and not otherwise', async () => {
    const server = answerCalls();
    server.on(getTaste, off, known);
    server.on(switchTaste, {});
    const { user } = await open({ person: zoya });
    await user.click(await screen.findByRole('button', { name: 'Remember what I watch' }));
    await screen.findByText('This is only for people who are 18 or older.');
    expect(server.askedOf(switchTaste)).toEqual([]);
    await user.click(screen.getByRole('checkbox', { name: 'I am 18 or older' }));
    await user.click(screen.getByRole('button', { name: 'Remember what I watch' }));
    await screen.findByText('We remember what you watch from now on.');
    expect(server.askedOf(switchTaste).map(({ body }) => body)).toEqual([{ on: true, adult: true }]);
    await screen.findByText('We remember what you watch since 3 Nov 2026, each reel for 180 days.');
  });

  it('is not offered to somebody whose browser asks not to be tracked', async () => {
    const server = answerCalls();
    server.on(getTaste, off);
    Object.defineProperty(navigator, 'doNotTrack', { value: '1', configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'doNotTrack'));
    await open({ person: zoya });
    await screen.findByText('Your browser asks sites not to track you, so we remember nothing of it.');
    expect(screen.queryByRole('button', { name: 'Remember what I watch' })).toBeNull();
  });

  it('shows the categories with their share, and what was watched, each of which can be forgotten', async () => {
    const server = answerCalls();
    server.on(getTaste, known, { ...known, watched: known.watched.slice(0, 1), count: 1 });
    server.on(forgetWatched, {});
    const { user } = await open({ person: zoya });
    const shares = await section('What you watch to the end');
    expect(shares.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Dance75%',
      'Rangoli25%',
    ]);
    const watched = await section('What you watched');
    watched.getByText('2 reels');
    expect(watched.getByRole('link', { name: 'Rangoli for Diwali' }).getAttribute('href')).toBe(
      `/videoplayer?reel=${reel(1, '')._id}`,
    );
    watched.getByText('@zoya · to the end');
    await user.click(watched.getByRole('button', { name: 'Forget “A reel” by @zoya' }));
    await watched.findByText('1 reel');
    expect(server.askedOf(forgetWatched).map(({ query }) => query)).toEqual([{ reel: reel(2, '')._id }]);
  });

  it('is forgotten as a whole, and switched off, after a question', async () => {
    const server = answerCalls();
    server.on(getTaste, known, { ...known, categories: [], watched: [], count: 0 }, off);
    server.on(forgetWatched, {});
    server.on(switchTaste, {});
    const { user } = await open({ person: zoya });
    await user.click(await screen.findByRole('button', { name: 'Forget all' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Keep' }));
    expect(server.askedOf(forgetWatched)).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Forget all' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Forget all' }));
    await screen.findByText('Nothing yet. Watch a few reels.');
    expect(server.askedOf(forgetWatched).map(({ query }) => query)).toEqual([{}]);
    await user.click(screen.getByRole('button', { name: 'Switch off' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Switch off' }));
    await screen.findByRole('button', { name: 'Remember what I watch' });
    expect(server.askedOf(switchTaste).map(({ body }) => body)).toEqual([{ on: false }]);
  });

  it('stays as it is if the server refuses, with the reason', async () => {
    const server = answerCalls();
    server.on(getTaste, known);
    server.on(forgetWatched, refusal(429, 'too_many_requests', 'Too many requests.'));
    const { user } = await open({ person: zoya });
    await user.click(await screen.findByRole('button', { name: 'Forget “Rangoli for Diwali” by @zoya' }));
    await screen.findByText('Too many requests.');
    (await section('What you watched')).getByText('2 reels');
  });
});

describe('the taste of a visitor in Settings', () => {
  it('is what this visit knows, which can be forgotten', async () => {
    const server = answerCalls();
    server.on(getReelsById, { data: [reel(1, 'Rangoli for Diwali')] });
    sessionStorage.setItem(
      'visit',
      JSON.stringify([
        { _id: reel(1, '')._id, toEnd: true },
        { _id: reel(2, '')._id, toEnd: false },
      ]),
    );
    onTestFinished(() => forgetVisit());
    const { user } = await open();
    const visit = await section('What this visit knows');
    visit.getByText('2 reels');
    // The other one is gone.
    await visit.findByRole('link', { name: 'Rangoli for Diwali' });
    await user.click(visit.getByRole('button', { name: 'Forget this visit' }));
    visit.getByText('Nothing yet. Watch a few reels.');
    expect(sessionStorage.getItem('visit')).toBe('[]');
    expect(server.askedOf(getTaste)).toEqual([]);
  });
});

describe('what For you leaves out', () => {
  it('is shown in Settings, and can be changed', async () => {
    answerCalls();
    mutePerson(person(7));
    muteReel(reel(1, '')._id);
    const { user } = await open();
    const muted = await section('Left out of For you');
    muted.getByText('1 reel that you are not interested in');
    await user.click(muted.getByRole('button', { name: 'Mute this word' }));
    muted.getByText('Please type a word.');
    await user.type(muted.getByRole('textbox', { name: /A word in captions/ }), ' Cricket {Enter}');
    expect(mutes().words).toEqual(['Cricket']);
    await user.click(muted.getByRole('button', { name: 'Remove “Cricket”' }));
    await user.click(muted.getByRole('button', { name: 'Remove @person7' }));
    await user.click(muted.getByRole('button', { name: 'Show again' }));
    expect(mutes()).toEqual({ reels: [], people: [], words: [] });
    muted.getByText('Nobody and no word so far.');
  });
});

describe('the list with which Home opens', () => {
  it('is chosen in Settings, for this device', async () => {
    answerCalls();
    const { user } = await open({ lang: 'hi' });
    const group = within(await screen.findByRole('group', { name: 'होम इससे खुले' }));
    expect((group.getByRole('radio', { name: 'सबसे नई' }) as HTMLInputElement).checked).toBe(true);
    await user.click(group.getByRole('radio', { name: 'आपके लिए' }));
    expect(localStorage.getItem('home.tab')).toBe('forYou');
    await user.click(group.getByRole('radio', { name: 'सबसे नई' }));
    await waitFor(() => expect(localStorage.getItem('home.tab')).toBeNull());
  });
});
