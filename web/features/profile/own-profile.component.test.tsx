import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { userData } from '#contract/accounts.ts';
import { getReelViews } from '#contract/earnings.ts';
import type { Self } from '#contract/people.ts';
import { deletePost, editPost, getFriendPosts } from '#contract/posts.ts';
import { deleteReel, editReel, getFriendReels } from '#contract/reels.ts';
import { deleteStory, getFriendStories } from '#contract/stories.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { post, reel, story, zoya } from '#testing/page/things.ts';
import { clientLoader } from '#web/pages/videoplayer.tsx';

const page = () => import('#web/pages/user-profile.tsx');
const open = (query = '', person: Self = zoya) =>
  showPage({ page, address: `/UserProfile${query}`, pattern: '/UserProfile', person });

const panel = () => within(screen.getByRole('tabpanel'));
const captions = () =>
  [...document.querySelectorAll('[role=tabpanel] li p[dir=auto]')].map((one) => one.textContent);
const counts = () => [...document.querySelectorAll('main header dl dd')].map((one) => one.textContent);

const owned = { reels: ['The third', 'The second', 'The first'] };

/** A person's own lists, and figures that follow them. */
function answerOwn(
  own: { reels?: string[]; posts?: string[]; stories?: string[] } = {},
  more: Partial<Self> = {},
) {
  const server = answerCalls();
  const { reels = [], posts = [], stories = [] } = own;
  const self = { ...zoya, reelCount: reels.length, postCount: posts.length, ...more };
  server.on(userData, { data: { ...self, data: self } });
  const nextCursor = null;
  server.on(getFriendReels, { data: reels.map((caption, nth) => reel(nth, caption)), nextCursor });
  server.on(getFriendPosts, { data: posts.map((caption, nth) => post(nth, caption)), nextCursor });
  server.on(getFriendStories, { data: stories.map((text, nth) => story(nth, text)), nextCursor });
  server.on(getReelViews, { data: [] });
  return server;
}

describe('the profile of a visitor', () => {
  it('is a login prompt', async () => {
    const { asked } = answerCalls();
    await showPage({ page, address: '/UserProfile' });
    await screen.findByRole('heading', { name: 'Your profile', level: 1 });
    expect(screen.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('/LoginGoogle');
    expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/SignupForm');
    expect(screen.queryByRole('tab')).toBeNull();
    expect(asked).toEqual([]);
  });
});

describe('the head of a profile (specification §2)', () => {
  it('shows name, exact numbers, and links to all that a person can do there', async () => {
    answerOwn({ reels: ['A glimpse'], posts: ['One', 'Two'] }, { followerCount: 1 });
    await open();
    await waitFor(() => expect(counts()).toEqual(['1', '2', '1', '0']));
    const head = document.querySelector('main header') as HTMLElement;
    within(head).getByRole('heading', { name: 'Zoya', level: 1 });
    within(head).getByText('@zoya');
    expect([...head.querySelectorAll('dl dt')].map((one) => one.textContent)).toEqual([
      'Reels',
      'Posts',
      'Followers',
      'Following',
    ]);
    within(head).getByText('Create');
    const links = within(head).getAllByRole('link', { hidden: true });
    expect(links.map((one) => [one.textContent, one.getAttribute('href')])).toEqual([
      ['Upload Reel', '/ReelPost'],
      ['Upload Post', '/PhotoPost'],
      ['Upload Story', '/StoryPost'],
      ['', '/Settings'],
      ['Your Content Earning', '/EarningDashboard'],
      ['Your Activity Earning', '/EarningActivity'],
      ['Delete account', `/DeleteUser/${zoya._id}`],
    ]);
    within(head).getByRole('button', { name: 'Logout' });
  });
});

describe('a reel of the own profile', () => {
  it('is played at once, since the list has it already', async () => {
    const server = answerOwn({ reels: ['A glimpse'] });
    await open();
    const tile = await screen.findByRole<HTMLAnchorElement>('link', { name: /A glimpse/ });
    const before = server.asked.length;
    const opened = { request: new Request(tile.href), serverLoader: vi.fn() };
    expect(await clientLoader(opened as never)).toMatchObject({
      data: { videos: [{ caption: 'A glimpse' }] },
    });
    expect(server.asked.slice(before)).toEqual([]);
  });
});

describe('the tabs of a profile', () => {
  it('say how to add what there is none of', async () => {
    answerOwn();
    const { user } = await open();
    for (const [tab, title, action, to] of [
      ['Reels', "You haven't posted any reels yet", 'Upload a reel', '/ReelPost'],
      ['Posts', "You haven't posted any photos yet", 'Upload a post', '/PhotoPost'],
      ['Stories', "You haven't posted any stories yet", 'Upload a story', '/StoryPost'],
    ] as const) {
      await user.click(screen.getByRole('tab', { name: tab }));
      await panel().findByRole('heading', { name: title });
      expect(panel().getByRole('link', { name: action }).getAttribute('href')).toBe(to);
    }
  });

  it('show an error when a list fails to load, with a retry button', async () => {
    const sentence = 'That is too often. Please wait a minute.';
    const server = answerOwn();
    server.on(getFriendPosts, refusal(429, 'too_many_requests', sentence), {
      data: [post(1, 'The newer photo')],
      nextCursor: null,
    });
    const { user } = await open('?tab=posts');
    await panel().findByText(sentence);
    await user.click(panel().getByRole('button', { name: 'Try again' }));
    await panel().findByText('The newer photo');
  });
});

describe('a reel that is not public', () => {
  it('is shown as failed, with the reason in the language of the page (decision 0031)', async () => {
    const failure = 'This video is incomplete: the end of the file is missing. Please send it again.';
    const server = answerOwn();
    server.on(getFriendReels, {
      data: [
        reel(1, 'Came to nothing', {
          state: 'failed',
          failure,
          failureReason: { code: 'incomplete', params: {} },
        }),
      ],
      nextCursor: null,
    });
    await open();
    await panel().findByText('Not published');
    panel().getByText(failure);
    expect(panel().queryByRole('link', { name: /^Came to nothing/ })).toBeNull();
  });
});

describe('deleting (specification §4, §8)', () => {
  const question = { reels: 'Delete this reel?', stories: 'Delete this story?', posts: 'Delete this post?' };
  const endpoints = { reels: deleteReel, stories: deleteStory, posts: deletePost };
  const others = ['The third', 'The first'];

  it.each(['reels', 'posts', 'stories'] as const)(
    'of %s asks first and hides the item at once; after a failure it is back in its old place with an error',
    async (kind) => {
      const server = answerOwn({ [kind]: owned.reels });
      const answered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
      server.on(
        endpoints[kind],
        async () => {
          await answered[0].promise;
          return 'no answer';
        },
        async () => {
          await answered[1].promise;
          return { message: 'Gone' } as never;
        },
      );
      const { user } = await open(`?tab=${kind}`);
      const ask = async () =>
        await user.click(await screen.findByRole('button', { name: 'Delete The second' }));
      const press = (name: string) =>
        user.click(within(screen.getByRole('dialog')).getByRole('button', { name }));
      await ask();
      within(screen.getByRole('dialog')).getByRole('heading', { name: question[kind] });
      await press('Keep it');
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(captions()).toEqual(owned.reels);
      expect(server.askedOf(endpoints[kind])).toEqual([]);

      await ask();
      await press('Delete');
      await waitFor(() => expect(captions()).toEqual(others));
      answered[0].resolve();
      await screen.findByText('Delete failed!');
      await waitFor(() => expect(captions()).toEqual(owned.reels));

      await ask();
      await press('Delete');
      await waitFor(() => expect(captions()).toEqual(others));
      answered[1].resolve();
      await waitFor(() => expect(server.askedOf(endpoints[kind])).toHaveLength(2));
      expect(captions()).toEqual(others);
    },
  );
});

describe('editing (decisions §3)', () => {
  const dialog = () => within(screen.getByRole('dialog'));
  const save = () => dialog().getByRole('button', { name: 'Save' });

  it('sends only what was changed, shows a refusal beside its field or below, and then the new words', async () => {
    const server = answerOwn({ posts: ['The second', 'The first'] });
    const tooLong = 'Please keep this shorter than 5000 characters.';
    const tooOften = 'You can do this 20 times a day. Please try again in an hour.';
    server.on(
      editPost,
      refusal(400, 'invalid_input', tooLong, { field: 'description' }),
      refusal(429, 'too_many_requests', tooOften),
      { data: post(1, 'The first', { description: 'Told at length' }) },
    );
    const { user } = await open('?tab=posts');
    await user.click(await screen.findByRole('button', { name: 'Edit The first' }));
    const description = await screen.findByLabelText(/^Description/);
    await user.type(description, 'Told at length');
    await user.click(save());
    await waitFor(() => expect(description.getAttribute('aria-invalid')).toBe('true'));
    dialog().getByText(tooLong);
    await user.click(save());
    await dialog().findByText(tooOften);
    await user.click(save());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const sent = server.askedOf(editPost).map(({ path, body }) => [path, body]);
    const one = [`/api/post/edit/${post(1, '')._id}`, { description: 'Told at length' }];
    expect(sent).toEqual([one, one, one]);
    // The next edit begins with them.
    await user.click(screen.getByRole('button', { name: 'Edit The first' }));
    expect((await screen.findByLabelText<HTMLTextAreaElement>(/^Description/)).value).toBe('Told at length');
  });

  it('sends nothing if nothing was changed, and forgets what was typed when it is cancelled', async () => {
    const server = answerOwn({ reels: ['The first'] });
    const { user } = await open();
    const begin = async () => {
      await user.click(await screen.findByRole('button', { name: 'Edit The first' }));
      return await screen.findByLabelText<HTMLTextAreaElement>(/^Caption/);
    };
    await user.type(await begin(), ' of all');
    await user.click(dialog().getByRole('button', { name: 'Cancel' }));
    expect((await begin()).value).toBe('The first');
    await user.click(save());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.askedOf(editReel)).toEqual([]);
  });

  it('is not offered for stories, and for what is not public', async () => {
    const server = answerOwn({ stories: ['On the roof'] });
    server.on(getFriendReels, {
      data: [reel(1, 'In the making', { state: 'processing' }), reel(2, 'Gone', { takenDown: 'A reason' })],
      nextCursor: null,
    });
    const { user } = await open();
    await screen.findByRole('button', { name: 'Delete Gone' });
    expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull();
    await user.click(screen.getByRole('tab', { name: 'Stories' }));
    await screen.findByRole('button', { name: 'Delete On the roof' });
    expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull();
  });
});
