import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { userData } from '#contract/accounts.ts';
import { getAllReels, type Reel } from '#contract/reels.ts';
import { getStoryPeople, getStoryRow } from '#contract/stories.ts';
import { getFollowedReels, getReelsById, type RankReason, rankReels } from '#contract/taste.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { person, reel, zoya } from '#testing/page/things.ts';
import { rememberSeen } from '../player/seen-reels.ts';
import { forgetRanked } from './for-you.ts';
import { mutePerson, muteReel, muteWord, unmuteReel } from './mutes.ts';

const newest = reel(1, 'The newest of all');
const some = (count: number, from = 100) =>
  Array.from({ length: count }, (_, nth) => reel(from + nth, `Reel ${from + nth}`));
const rankedFrom = (reels: Reel[], why: RankReason = { code: 'popular' }) => ({
  ranked: reels.map(({ _id }) => ({ _id, why })),
  data: reels.slice(0, 20),
});

function answerHome() {
  forgetRanked();
  const server = answerCalls();
  server.on(getAllReels, { data: [newest], nextCursor: null });
  server.on(getStoryPeople, { data: [], nextCursor: null });
  server.on(getStoryRow, { followed: [], seen: [] });
  server.on(userData, { data: { ...zoya, data: zoya } });
  return server;
}

const openHome = (address = '/', more: Partial<Parameters<typeof showPage>[0]> = {}) =>
  showPage({
    page: () => import('#web/pages/home.tsx'),
    address,
    loaded: { start: null, first: { items: [newest], nextCursor: null }, stories: null },
    ...more,
  });

const tab = (name: string) => screen.findByRole('tab', { name });
const tile = (name: RegExp) => screen.findByRole('link', { name });
const selected = () =>
  screen.getAllByRole('tab').flatMap((one) => (one.ariaSelected === 'true' ? [one.textContent] : []));

describe('the tabs of Home', () => {
  it('begin with Newest, and ask for no other list', async () => {
    const server = answerHome();
    await openHome();
    await tile(/The newest of all/);
    expect(selected()).toEqual(['Newest']);
    expect(server.askedOf(rankReels)).toEqual([]);
    expect((await tab('Newest')).getAttribute('aria-controls')).toBe(screen.getByRole('tabpanel').id);
  });

  it('are moved between with the arrow keys', async () => {
    const server = answerHome();
    server.on(rankReels, rankedFrom(some(2)));
    const { user } = await openHome();
    (await tab('Newest')).focus();
    await user.keyboard('{ArrowRight}');
    await tile(/Reel 100/);
    expect(selected()).toEqual(['For you']);
    await user.keyboard('{ArrowRight}');
    await screen.findByText('Log in to see the reels of the people you follow.');
    expect(selected()).toEqual(['Following']);
  });

  it('begin with the one that the device has chosen, unless the address names another', async () => {
    const server = answerHome();
    server.on(rankReels, rankedFrom(some(2)));
    localStorage.setItem('home.tab', 'forYou');
    const { unmount } = await openHome();
    await tile(/Reel 100/);
    unmount();
    await openHome('/?tab=newest');
    await tile(/The newest of all/);
  });
});

describe('For you on Home', () => {
  it('is ranked for this visit, without what is muted, and says why each reel is there', async () => {
    const server = answerHome();
    const [one, two] = some(2);
    sessionStorage.setItem('visit', JSON.stringify([{ _id: newest._id, toEnd: true }]));
    rememberSeen(newest._id);
    mutePerson(person(7));
    muteReel(reel(9, '')._id);
    muteWord('cricket');
    const reasons: RankReason[] = [
      { code: 'watched', reelId: newest._id, caption: 'Rangoli for Diwali', username: 'asha' },
      { code: 'category', category: 'dance' },
    ];
    server.on(rankReels, {
      ranked: [one, two].map((each, nth) => ({ _id: each?._id ?? '', why: reasons[nth] as RankReason })),
      data: some(2),
    });
    await openHome('/?tab=forYou');
    expect((await tile(/Reel 100/)).textContent).toContain(
      'Because you watched “Rangoli for Diwali” to the end'.slice(0, 19),
    );
    await tile(/Because you watch .*Dance/);
    expect(server.askedOf(rankReels)[0]?.body).toEqual({
      visit: [{ _id: newest._id, toEnd: true }],
      seen: [newest._id],
      muted: { reels: [reel(9, '')._id], people: [person(7)._id], words: ['cricket'] },
    });
    const link = screen.getByRole('link', { name: 'Why these?' });
    expect(link.getAttribute('href')).toBe('/Settings#taste');
  });

  it('stays the same for the visit, and is ranked anew by a press on its tab', async () => {
    const server = answerHome();
    server.on(rankReels, rankedFrom(some(2)), rankedFrom(some(2, 200)));
    server.on(getReelsById, { data: some(2) });
    const { user } = await openHome('/?tab=forYou');
    await tile(/Reel 100/);
    await user.click(await tab('Newest'));
    await tile(/The newest of all/);
    await user.click(await tab('For you'));
    await tile(/Reel 100/);
    expect(server.askedOf(rankReels)).toHaveLength(1);
    await user.click(await tab('For you'));
    await tile(/Reel 200/);
    expect(screen.queryByRole('link', { name: /Reel 100/ })).toBeNull();
    expect(server.askedOf(rankReels)).toHaveLength(2);
  });

  it('loads later pages by their ids, skips what is gone, and goes on with Newest without what it had', async () => {
    const server = answerHome();
    const all = some(60);
    server.on(rankReels, rankedFrom(all));
    // Of the second page one is left, and of the third none.
    server.on(getReelsById, { data: all.slice(30, 31) }, { data: [] });
    const { user } = await openHome('/?tab=forYou');
    await tile(/Reel 119/);
    server.on(
      getAllReels,
      { data: all.slice(0, 3), nextCursor: 'later' },
      { data: [...all.slice(3, 5), newest], nextCursor: null },
    );
    const more = () => user.click(screen.getByRole('link', { name: 'Load more' }));
    await more();
    await tile(/Reel 130/);
    await more();
    await tile(/The newest of all.*From “Newest”/);
    await screen.findByText("You've seen all the reels. Come back later for new ones.");
    expect(server.askedOf(getReelsById).map(({ body }) => (body as { ids: string[] }).ids)).toEqual([
      all.slice(20, 40).map(({ _id }) => _id),
      all.slice(40, 60).map(({ _id }) => _id),
    ]);
    expect(screen.getAllByRole('link', { name: /^(?:Reel|The newest)/ })).toHaveLength(22);
  });

  it('leaves out at once what is muted while it is shown, and takes it back', async () => {
    const server = answerHome();
    const [one, ...others] = some(3);
    const theirs = others.map((each) => ({ ...each, userId: person(7)._id }));
    server.on(rankReels, rankedFrom([one as Reel, ...theirs]));
    await openHome('/?tab=forYou');
    await tile(/Reel 100/);
    const reels = () => screen.queryAllByRole('link', { name: /^Reel/ }).length;
    expect(reels()).toBe(3);
    act(() => mutePerson(person(7)));
    expect(reels()).toBe(1);
    act(() => muteReel(one?._id ?? ''));
    expect(reels()).toBe(0);
    // Newest goes on.
    screen.getByRole('link', { name: 'Load more' });
    act(() => unmuteReel(one?._id ?? ''));
    expect(reels()).toBe(1);
  });

  it('says in Hindi why', async () => {
    const server = answerHome();
    server.on(rankReels, rankedFrom(some(1), { code: 'category', category: 'dance' }));
    await openHome('/?tab=forYou', { lang: 'hi' });
    await tile(/क्योंकि आप .*नाच.* देखते हैं/);
    expect(selected()).toEqual(['आपके लिए']);
  });

  it('can be tried again if it cannot be loaded', async () => {
    const server = answerHome();
    server.on(rankReels, refusal(400, 'invalid_input', 'A bad day.'), rankedFrom(some(1)));
    const { user } = await openHome('/?tab=forYou');
    await screen.findByText('A bad day.');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await tile(/Reel 100/);
  });
});

describe('Following on Home', () => {
  it('asks a visitor to log in, and the server for nothing', async () => {
    const server = answerHome();
    await openHome('/?tab=following');
    await screen.findByText('Log in to see the reels of the people you follow.');
    const panel = within(screen.getByRole('tabpanel'));
    expect(panel.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('/LoginGoogle');
    expect(server.askedOf(getFollowedReels)).toEqual([]);
  });

  it('leads to people if nobody is followed', async () => {
    const server = answerHome();
    server.on(getFollowedReels, { data: [], nextCursor: null });
    await openHome('/?tab=following', { person: zoya });
    await screen.findByRole('heading', { name: "You don't follow anyone yet" });
    screen.getByText('Follow people in the Jhalak app, and their reels appear here.');
    expect(screen.getByRole('link', { name: 'Find people' }).getAttribute('href')).toBe('/AllUsers');
  });

  it('says on a site without an app that one can follow here', async () => {
    const server = answerHome();
    server.on(getFollowedReels, { data: [], nextCursor: null });
    await openHome('/?tab=following', { person: zoya, more: { interactions: 'web' } });
    await screen.findByText('Follow people, and their reels appear here.');
  });

  it('has the reels of the people one follows, and an end', async () => {
    const server = answerHome();
    server.on(
      getFollowedReels,
      { data: some(2), nextCursor: 'later' },
      { data: some(1, 200), nextCursor: null },
    );
    const { user } = await openHome('/?tab=following', { person: zoya });
    await tile(/Reel 101/);
    await user.click(screen.getByRole('link', { name: 'Load more' }));
    await tile(/Reel 200/);
    await screen.findByText("You've seen all reels of the people you follow.");
    await waitFor(() => expect(server.askedOf(getFollowedReels)).toHaveLength(2));
  });
});
