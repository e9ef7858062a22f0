import { act, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { categories, getCategoryCounts } from '#contract/categories.ts';
import { getTrending, search } from '#contract/search.ts';
import { rankReels } from '#contract/taste.ts';
import { answerCalls } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { person, post, reel } from '#testing/page/things.ts';
import { muteReel } from '../taste/mutes.ts';
import { AllResults } from './results.tsx';

const none = { data: [], nextCursor: null };
const nothing = { reels: none, posts: none, people: none, tags: none, categories: [], suggestion: null };
const page = () => import('#web/pages/search.tsx');
const shown = (q: string, more: object = {}) => ({
  page,
  address: `/search?q=${q}`,
  loaded: { q, kind: null, cursor: null, first: null, ...more },
});

describe('the page of a search', () => {
  it('shows what is found under its kind, and leads to all of a kind', async () => {
    answerCalls().on(search, {
      ...nothing,
      reels: { data: [reel(1, 'Rangoli in 6 seconds')], nextCursor: 'more' },
      posts: { data: [post(1, 'A lotus')], nextCursor: null },
      people: { data: [person(2)], nextCursor: null },
      tags: { data: [{ tag: 'rangoli', label: 'रंगोली', works: 3 }], nextCursor: null },
    });
    await showPage(shown('rangoli'));
    await screen.findByRole('link', { name: /Rangoli in 6 seconds/ });
    for (const name of ['Hashtags', 'People', 'Reels', 'Photos']) screen.getByRole('region', { name });
    expect(screen.getByRole('link', { name: /रंगोली/ }).getAttribute('href')).toBe(
      '/tag/%E0%A4%B0%E0%A4%82%E0%A4%97%E0%A5%8B%E0%A4%B2%E0%A5%80',
    );
    expect(screen.getByRole('link', { name: 'See all' }).getAttribute('href')).toBe(
      '/search?q=rangoli&kind=reel',
    );
  });

  const findCricket = () => {
    const [cricket] = categories;
    if (!cricket) throw new Error('there is no category');
    const { id, name } = cricket;
    answerCalls().on(search, { ...nothing, categories: [{ id, name, image: `/categories/${id}.svg` }] });
  };

  it('opens the popup for a category (specification §1)', async () => {
    findCricket();
    const { user } = await showPage(shown('cricket'));
    await user.click(await screen.findByRole('button', { name: 'Cricket' }));
    await screen.findByRole('dialog');
  });

  it('leads from a category to its reels on a site without an app', async () => {
    findCricket();
    await showPage({ ...shown('cricket'), more: { interactions: 'web' } });
    const link = await screen.findByRole('link', { name: 'Cricket' });
    expect(link.getAttribute('href')).toBe('/search?q=Cricket');
  });

  it('offers what was probably meant, beside what is similar', async () => {
    answerCalls().on(search, {
      ...nothing,
      reels: { data: [reel(1, 'Rangoli')], nextCursor: null },
      suggestion: 'rangoli',
    });
    await showPage(shown('rangilo'));
    const link = await screen.findByRole('link', { name: 'Did you mean “rangoli”?' });
    expect(link.getAttribute('href')).toBe('/search?q=rangoli');
    screen.getByText('No results for “rangilo”.');
  });

  it('says so where nothing is found', async () => {
    answerCalls().on(search, nothing);
    await showPage(shown('zzz'));
    await screen.findByRole('heading', { name: 'No results' });
  });

  it('tells a screen reader how many results there are, once the typing rests', async () => {
    answerCalls().on(search, ({ query: { q = '' } }) => {
      const people = q === 'zz' ? [] : [person(2, { name: `${q} 1` }), person(3, { name: `${q} 2` })];
      return { ...nothing, people: { data: people, nextCursor: q === 'pers' ? null : 'next' } };
    });
    const results = () => {
      const [q, setQ] = useState('per');
      return (
        <>
          <input value={q} onChange={({ target }) => setQ(target.value)} />
          <AllResults q={q} first={null} />
        </>
      );
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const rest = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
    const type = async (q: string, shown: string) => {
      fireEvent.change(screen.getByRole('textbox'), { target: { value: q } });
      while (!screen.queryByText(shown)) await rest(1);
    };
    await showPage({ page: async () => ({ default: results }), address: '/search' });
    await type('pers', 'pers 1');
    await type('perso', 'perso 1');
    const said = screen.getByRole('status');
    expect(said.textContent).toBe('');
    await rest(1000);
    expect(said.textContent).toBe('More than 2 results for “perso”.');
    await type('pers', 'pers 1');
    await rest(1000);
    expect(said.textContent).toBe('2 results for “pers”.');
    await type('zz', 'No results');
    await rest(1000);
    expect(said.textContent).toBe('No results for “zz”.');
  });

  it('of one kind asks for that kind, and shows it in pages', async () => {
    const server = answerCalls();
    server.on(
      search,
      { ...nothing, people: { data: [person(2)], nextCursor: 'next' } },
      { ...nothing, people: { data: [person(3)], nextCursor: null } },
    );
    const { user } = await showPage(shown('person', { kind: 'person' }));
    await screen.findByRole('link', { name: /Person 2/ });
    await user.click(screen.getByRole('link', { name: /more/i }));
    await screen.findByRole('link', { name: /Person 3/ });
  });
});

describe('the page of a search before anything is typed', () => {
  beforeEach(() => localStorage.clear());

  /** A server that answers with these reels to begin with. */
  function beginning(...reels: ReturnType<typeof reel>[]) {
    const server = answerCalls();
    server.on(rankReels, { ranked: [], data: reels });
    return server;
  }

  const counts = categories.map(({ id, name, group }) => {
    const count = { dance: 3, food: 12 }[id as string] ?? 0;
    return { id, name, group, image: `/categories/${id}.svg`, count };
  });

  it('shows what trends', async () => {
    beginning().on(getTrending, {
      tags: [{ tag: 'rangoli', label: 'rangoli', works: 4, people: 4 }],
      categories: [],
    });
    await showPage(shown('', { trends: null, counts: null }));
    await screen.findByRole('heading', { name: 'Trending today' });
    expect(screen.queryByRole('heading', { name: 'Categories' })).toBeNull();
  });

  it('shows the categories with the most reels where nothing trends', async () => {
    const server = beginning();
    server.on(getTrending, { tags: [], categories: [] });
    server.on(getCategoryCounts, { data: counts });
    await showPage(shown('', { trends: null, counts: null }));
    const largest = await screen.findByRole('region', { name: 'Categories' });
    expect(
      within(largest)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Food12 reels', 'Dance3 reels']);
    expect(within(largest).getByRole('link', { name: 'See all' }).getAttribute('href')).toBe('/Category');
  });

  it('is empty on a site without reels', async () => {
    const none = counts.map((one) => ({ ...one, count: 0 }));
    await showPage(shown('', { trends: { tags: [], categories: [] }, counts: none, popular: [] }));
    expect(screen.queryByRole('region', { name: 'Categories' })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Popular and new reels' })).toBeNull();
  });

  it('shows popular and new reels, without those that this device leaves out', async () => {
    const [wanted, unwanted] = [reel(1, 'Rangoli in 6 seconds'), reel(2, 'A cat on a scooter')];
    muteReel(unwanted._id);
    beginning(wanted, unwanted).on(getTrending, { tags: [], categories: [] });
    await showPage(shown('', { trends: { tags: [], categories: [] }, counts: [] }));
    const popular = await screen.findByRole('region', { name: 'Popular and new reels' });
    within(popular).getByRole('link', { name: /Rangoli in 6 seconds/ });
    expect(within(popular).queryByRole('link', { name: /A cat on a scooter/ })).toBeNull();
  });
});
