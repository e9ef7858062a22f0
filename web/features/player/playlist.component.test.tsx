import { screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { getAllReels, getFriendReels } from '#contract/reels.ts';
import { getTag, search } from '#contract/search.ts';
import { getFollowedReels, getReelsById, rankReels } from '#contract/taste.ts';
import { answerCalls } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { reel, zoya } from '#testing/page/things.ts';
import { type FeedReel, feedReel } from '../feed/feed.ts';
import { forgetRanked, forYouPage } from '../taste/for-you.ts';
import MoreItems from './more-items.tsx';
import type { NextPages, PlayerState } from './playlist.ts';
import { usePlaylist } from './use-playlist.ts';

const named = (nth: number, more = {}) => reel(nth, `Reel ${nth}`, more);
const shown = (nth: number, more = {}): FeedReel => feedReel(named(nth, more));

/** What the player does with a list, without its video. */
function List(state: PlayerState) {
  const { reel: now, rest, move, leaveOut } = usePlaylist({ ...state, isElsewhere: false });
  const [autoplay] = useState({ isOn: false, toggle: () => undefined });
  return (
    <>
      <h1>{now?.caption}</h1>
      <button type="button" onClick={() => move(1)}>
        Next
      </button>
      <button type="button" onClick={() => move(-1)}>
        Previous
      </button>
      {now && (
        <MoreItems
          {...{ autoplay, reel: now }}
          isRanked={rest?.list.of === 'forYou'}
          isOwn={false}
          onRemove={() => undefined}
          onLeaveOut={leaveOut}
        />
      )}
    </>
  );
}

const play = (state: PlayerState, more = {}) =>
  showPage({ page: async () => ({ default: () => List(state) }), address: '/videoplayer', ...more });
const heading = (nth: number) => screen.findByRole('heading', { name: `Reel ${nth}` });

/** Plays a list of one reel, whose next pages the test answers, and then a second and a third one; and back again. */
async function goesOn(rest: NextPages) {
  const { user } = await play({ videos: [shown(1)], startIndex: 0, rest }, { person: zoya });
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  await heading(1);
  await press('Next');
  await heading(2);
  await press('Next');
  await heading(3);
  // It wraps around at its end, both ways (specification §4).
  await press('Next');
  await heading(1);
  await press('Previous');
  await heading(3);
  await press('Previous');
  await heading(2);
}

const pages = [
  { data: [named(2)], nextCursor: 'third' },
  { data: [named(3)], nextCursor: null },
] as const;
const [second, third] = pages.map(({ data, nextCursor }) => ({ data: [...data], nextCursor }));

describe('the player goes on through the list that it was opened from', () => {
  const none = { data: [], nextCursor: null };
  if (!second || !third) throw new Error('there are two pages');

  it('of the feed', async () => {
    const server = answerCalls();
    server.on(getAllReels, second, third);
    await goesOn({ list: { of: 'feed' }, cursor: 'second' });
    expect(server.askedOf(getAllReels).map(({ query }) => query.cursor)).toEqual(['second', 'third']);
  });

  it('of a person', async () => {
    const server = answerCalls();
    server.on(getFriendReels, second, third);
    await goesOn({ list: { of: 'person', userId: zoya._id }, cursor: 'second' });
  });

  it('of a search', async () => {
    const server = answerCalls();
    const found = (reels: typeof second) => ({
      ...{ reels, posts: none, people: none, tags: none, categories: [], suggestion: null },
    });
    server.on(search, found(second), found(third));
    await goesOn({ list: { of: 'search', q: 'रंगोली' }, cursor: 'second' });
    expect(server.askedOf(search).map(({ query }) => query)).toEqual([
      { q: 'रंगोली', kind: 'reel', cursor: 'second' },
      { q: 'रंगोली', kind: 'reel', cursor: 'third' },
    ]);
  });

  it('of a tag', async () => {
    const server = answerCalls();
    const tag = { tag: 'rangoli', label: 'rangoli', works: 3 };
    server.on(getTag, { data: tag, reels: second, posts: none }, { data: tag, reels: third, posts: none });
    await goesOn({ list: { of: 'tag', tag: 'rangoli' }, cursor: 'second' });
  });

  it('of Following', async () => {
    const server = answerCalls();
    server.on(getFollowedReels, second, third);
    await goesOn({ list: { of: 'following' }, cursor: 'second' });
  });

  it('of For you, and after its end of Newest', async () => {
    forgetRanked();
    const server = answerCalls();
    const ranked = Array.from({ length: 21 }, (_, nth) => named(nth === 20 ? 2 : 100 + nth));
    server.on(rankReels, {
      ranked: ranked.map(({ _id }) => ({ _id, why: { code: 'popular' } as const })),
      data: ranked.slice(0, 20),
    });
    server.on(getReelsById, { data: [named(2)] });
    server.on(getAllReels, { data: [named(2), named(3)], nextCursor: null });
    const { nextCursor } = await forYouPage(null, new AbortController().signal);
    await goesOn({ list: { of: 'forYou' }, cursor: nextCursor });
  });

  it('and with Newest if the ranked list is not known any more, as after a reload', async () => {
    const server = answerCalls();
    server.on(getAllReels, { data: [named(2), named(3)], nextCursor: null });
    const cursor = JSON.stringify({ list: 'another page load', at: 40, cursor: null });
    await goesOn({ list: { of: 'forYou' }, cursor });
  });
});

describe('in the player’s menu', () => {
  const asha = { userId: reel(9, '')._id, username: 'asha' };
  const list = [shown(1), shown(2, asha), shown(3, asha), shown(4)];

  it('"Not interested" takes a reel out at once and goes on, until that is undone', async () => {
    answerCalls();
    const { user } = await play({ videos: list, startIndex: 1 });
    const press = (name: string) => user.click(screen.getByRole('button', { name }));
    await heading(2);
    await press('Not interested');
    await heading(3);
    expect(JSON.parse(localStorage.getItem('muted') ?? '').reels).toEqual([shown(2)._id]);
    await press('Previous');
    await heading(1);
    await press('Next');
    await heading(3);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    // The person had moved on.
    await heading(3);
    await press('Previous');
    await heading(2);
    expect(JSON.parse(localStorage.getItem('muted') ?? '').reels).toEqual([]);
  });

  it('the reel is shown again if it is undone before one moves on; the last one is followed by the first', async () => {
    answerCalls();
    const { user } = await play({ videos: list, startIndex: 3 });
    await heading(4);
    await user.click(screen.getByRole('button', { name: 'Not interested' }));
    await heading(1);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await user.click(screen.getByRole('button', { name: 'Previous' }));
    await heading(4);
  });

  it('"Mute" takes a person out of a ranked list, and not out of others', async () => {
    answerCalls();
    const rest = { list: { of: 'forYou' }, cursor: undefined } as const;
    const { user, unmount } = await play({ videos: list, startIndex: 1, rest });
    await heading(2);
    await user.click(screen.getByRole('button', { name: /^Mute .*asha/ }));
    await heading(4);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await heading(2);
    unmount();
    await play({ videos: list, startIndex: 1 });
    await heading(2);
    await user.click(screen.getByRole('button', { name: /^Mute .*asha/ }));
    await heading(2);
    expect(JSON.parse(localStorage.getItem('muted') ?? '').people).toEqual([
      { _id: asha.userId, username: 'asha' },
    ]);
  });
});
