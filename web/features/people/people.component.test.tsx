import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { getFollowers, getFollowing } from '#contract/relations.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { arriveAt, showPage } from '#testing/page/show-page.tsx';
import { person, zoya } from '#testing/page/things.ts';
import { ProfileHeader } from './profile-header.tsx';

const header = (followers: number) => async () => ({
  default: () => (
    <ProfileHeader
      userId={zoya._id}
      name="Zoya"
      username="zoya"
      profilePic=""
      seen={undefined}
      counts={[
        ['profile.posts', 3],
        ['profile.followers', followers],
        ['profile.following', 1],
      ]}
      actions={null}
    />
  ),
});

it('the figures of followers and followed people open lists, which lead to profiles', async () => {
  const server = answerCalls();
  const farid = person(2, { name: 'Farid', username: 'farid' });
  server.on(getFollowers, refusal(429, 'too_many_requests', 'Too many requests.'), {
    data: [farid],
    nextCursor: 'more',
  });
  server.on(getFollowing, { data: [person(3)], nextCursor: null });
  const { user } = await showPage({ page: header(2), address: '/user/1' });
  await user.click(await screen.findByRole('button', { name: '2 Followers' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Followers' }));
  await dialog.findByText('Too many requests.');
  await user.click(dialog.getByRole('button', { name: 'Try again' }));
  await dialog.findByRole('link', { name: /@farid/ });
  dialog.getByRole('button', { name: 'Load more' });
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await user.click(screen.getByRole('button', { name: '1 Following' }));
  await user.click(await screen.findByRole('link', { name: /@person3/ }));
  await arriveAt(`/user/${person(3)._id}`);
});

it('a figure of nobody opens nothing', async () => {
  answerCalls();
  await showPage({ page: header(0), address: '/user/1' });
  await screen.findByRole('button', { name: '1 Following' });
  expect(screen.queryByRole('button', { name: /Followers/ })).toBeNull();
});
