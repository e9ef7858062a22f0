import { screen, within } from '@testing-library/react';
import type { ComponentType } from 'react';
import { describe, expect, it } from 'vitest';
import { userData } from '#contract/accounts.ts';
import { categories, getCategoryCounts } from '#contract/categories.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { getNotifications, markRead } from '#contract/notifications.ts';
import { getAllUsers } from '#contract/people.ts';
import { getAllPosts } from '#contract/posts.ts';
import { getAllReels } from '#contract/reels.ts';
import { getStoryPeople } from '#contract/stories.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { follow, person, post, reel, zoya } from '#testing/page/things.ts';

interface ListOfAPage {
  path: string;
  pattern?: string;
  page: () => Promise<{ default: ComponentType<never> }>;
  /** What the loader gives in the browser: no list. */
  loaded?: unknown;
  /** The call that returns the list, and its answer. */
  endpoint: Endpoint;
  answer: object;
  loading: string;
  placeholders?: number;
  failed: string;
  normal: () => Promise<HTMLElement>;
  signedIn?: boolean;
}

const firstPage = { start: null, first: null };

const lists: ListOfAPage[] = [
  {
    path: '/',
    page: () => import('#web/pages/home.tsx'),
    loaded: firstPage,
    endpoint: getAllReels,
    answer: { data: [reel(1, 'A glimpse of zoya')], nextCursor: null },
    loading: 'Loading reels',
    placeholders: 6,
    failed: "Couldn't load reels",
    normal: () => screen.findByRole('link', { name: /A glimpse of zoya/ }),
  },
  {
    path: '/Category',
    page: () => import('#web/pages/category.tsx'),
    loaded: { first: null },
    endpoint: getCategoryCounts,
    answer: { data: categories.map((one) => ({ ...one, image: `/categories/${one.id}.svg`, count: 1 })) },
    loading: 'Loading categories',
    failed: "Couldn't load categories",
    normal: () => screen.findByRole('button', { name: /^Cricket/ }),
  },
  {
    path: '/ShowPosts',
    page: () => import('#web/pages/show-posts.tsx'),
    loaded: firstPage,
    endpoint: getAllPosts,
    answer: { data: [post(1, 'The newer photo')], nextCursor: null },
    loading: 'Loading posts',
    placeholders: 4,
    failed: 'Error: Too many requests.',
    normal: () => screen.findByRole('article'),
  },
  {
    path: '/AllUsers',
    page: () => import('#web/pages/all-users.tsx'),
    loaded: { q: '', ...firstPage, firstIsOld: true },
    endpoint: getAllUsers,
    answer: { data: [person(2)], nextCursor: null },
    loading: 'Loading…',
    failed: "Couldn't load people",
    normal: () => screen.findByRole('link', { name: /Person 2/ }),
  },
  {
    path: '/Activity',
    page: () => import('#web/pages/activity.tsx'),
    endpoint: getNotifications,
    answer: { data: [follow(1, 'farid')], unread: 0, nextCursor: null },
    loading: 'Loading…',
    failed: "Couldn't load notifications",
    normal: () => screen.findByText(/farid.* started following you/),
    signedIn: true,
  },
];

describe.each(lists)('the list of $path', (list) => {
  it('shows placeholders while it loads, then the error and a retry button', async () => {
    const server = answerCalls();
    const held = Promise.withResolvers<void>();
    const refused = async () => {
      await held.promise;
      return refusal(429, 'too_many_requests', 'Too many requests.');
    };
    server.on(list.endpoint, refused, list.answer as never);
    server.on(userData, { data: { ...zoya, data: zoya } });
    server.on(markRead, { unread: 0 });
    server.on(getStoryPeople, { data: [], nextCursor: null });
    const { user } = await showPage({
      page: list.page,
      address: list.path,
      ...(list.pattern ? { pattern: list.pattern } : {}),
      loaded: list.loaded,
      ...(list.signedIn ? { person: zoya } : {}),
    });
    const waiting = await screen.findByRole('status', { name: list.loading });
    if (list.placeholders) expect(waiting.children).toHaveLength(list.placeholders);
    held.resolve();
    const title = await screen.findByRole('heading', { name: list.failed });
    if (!list.failed.includes('Too many'))
      within(title.parentElement as HTMLElement).getByText('Too many requests.');
    // The reason is said once.
    expect(screen.getAllByText(/Too many requests/)).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await list.normal();
  });
});
