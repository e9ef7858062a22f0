import { screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { getAllReels } from '#contract/reels.ts';
import { getFollowedReels, getReelsById, rankReels } from '#contract/taste.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { reel, zoya } from '#testing/page/things.ts';
import type { PlayerState, ReelList } from '../player/playlist.ts';
import { rememberSeen } from '../player/seen-reels.ts';
import { forgetRanked } from './for-you.ts';
import PlayerTabs from './player-tabs.tsx';

const some = (count: number) =>
  Array.from({ length: count }, (_, nth) => reel(100 + nth, `Reel ${100 + nth}`));
const ranked = (count: number) => ({
  ranked: some(count).map(({ _id }) => ({ _id, why: { code: 'popular' } as const })),
  data: some(count).slice(0, 20),
});

/** The tabs of a player that plays a list, and what it is told to play. */
async function open(list: ReelList, more: Partial<Parameters<typeof showPage>[0]> = {}) {
  forgetRanked();
  const onList = vi.fn<(list: PlayerState) => void>();
  const page = () => {
    const [said, setSaid] = useState<ReactNode>();
    return (
      <>
        <PlayerTabs list={list} said={said} onSay={setSaid} onList={onList} />
        {said}
      </>
    );
  };
  const { user } = await showPage({
    page: async () => ({ default: page }),
    address: '/videoplayer',
    ...more,
  });
  await screen.findByRole('tablist');
  const press = (name: string) => user.click(screen.getByRole('tab', { name }));
  const played = async () => {
    await waitFor(() => expect(onList).toHaveBeenCalled());
    const { videos = [], startIndex = 0, rest } = onList.mock.lastCall?.[0] ?? {};
    return { first: videos[startIndex]?.caption, count: videos.length, rest };
  };
  return { user, press, played, onList };
}

const selected = () =>
  screen.getAllByRole('tab').flatMap((one) => (one.ariaSelected === 'true' ? [one.textContent] : []));

describe('the tabs of the player', () => {
  it.each([
    [{ of: 'feed' }, ['Newest']],
    [{ of: 'feed', only: 'seen' }, ['Newest']],
    [{ of: 'forYou' }, ['For you']],
    [{ of: 'following' }, ['Following']],
    [{ of: 'person', userId: zoya._id }, []],
    [{ of: 'search', q: 'x' }, []],
  ] satisfies [ReelList, string[]][])('of %j have %j selected', async (list, tabs) => {
    answerCalls();
    await open(list);
    expect(selected()).toEqual(tabs);
    // One of them is reached by the Tab key.
    expect(screen.getAllByRole('tab').filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
  });

  it('are moved between with the arrow keys, and chosen with Enter', async () => {
    const server = answerCalls();
    server.on(rankReels, ranked(2));
    const { user, played, onList } = await open({ of: 'feed' });
    await user.tab();
    expect(document.activeElement?.textContent).toBe('Newest');
    await user.keyboard('{ArrowRight}');
    expect(document.activeElement?.textContent).toBe('For you');
    expect(onList).not.toHaveBeenCalled();
    await user.keyboard('{Enter}');
    expect(await played()).toMatchObject({ first: 'Reel 100', rest: { list: { of: 'forYou' } } });
  });

  it('play the ranked list of the visit from its first reel that was not seen', async () => {
    const server = answerCalls();
    server.on(rankReels, ranked(40));
    server.on(getReelsById, ({ body }) => ({
      data: some(40).filter(({ _id }) => (body as { ids: string[] }).ids.includes(_id)),
    }));
    const { press, played } = await open({ of: 'feed' });
    for (const { _id } of some(25)) rememberSeen(_id);
    await press('For you');
    expect(await played()).toMatchObject({ first: 'Reel 125', count: 40 });
    await press('For you');
    expect(server.askedOf(rankReels)).toHaveLength(1);
  });

  it('rank For you anew when it is pressed while it plays', async () => {
    const server = answerCalls();
    server.on(rankReels, ranked(2));
    const { press, played, onList } = await open({ of: 'forYou' });
    await press('For you');
    await played();
    onList.mockClear();
    await press('For you');
    await played();
    expect(server.askedOf(rankReels)).toHaveLength(2);
  });

  it('play Newest with what this device has not seen first', async () => {
    const server = answerCalls();
    server.on(getAllReels, { data: some(3), nextCursor: null });
    const { press, played } = await open({ of: 'forYou' });
    rememberSeen(reel(100, '')._id);
    await press('Newest');
    expect(await played()).toEqual({
      first: 'Reel 101',
      count: 2,
      rest: { list: { of: 'feed', only: 'seen' }, cursor: null },
    });
  });

  it('say in Following that a visitor has to log in, and ask the server for nothing', async () => {
    answerCalls();
    const { press, onList } = await open({ of: 'feed' });
    await press('Following');
    screen.getByText('Log in to see the reels of the people you follow.');
    expect(screen.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('/LoginGoogle');
    expect(selected()).toEqual(['Following']);
    expect(onList).not.toHaveBeenCalled();
  });

  it('say in Following that nobody is followed', async () => {
    const server = answerCalls();
    server.on(getFollowedReels, { data: [], nextCursor: null });
    const { press } = await open({ of: 'feed' }, { person: zoya });
    await press('Following');
    await screen.findByText("You don't follow anyone yet");
    screen.getByRole('link', { name: 'Find people' });
  });

  it('leave the list as it is if another one cannot be loaded', async () => {
    const server = answerCalls();
    server.on(rankReels, refusal(400, 'invalid_input', 'A bad day.'));
    const { press, onList } = await open({ of: 'feed' });
    await press('For you');
    await screen.findByText('A bad day.');
    expect(onList).not.toHaveBeenCalled();
    expect(selected()).toEqual(['Newest']);
  });
});
