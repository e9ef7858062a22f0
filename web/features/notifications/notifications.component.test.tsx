import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { userData } from '#contract/accounts.ts';
import { getNotifications, markRead } from '#contract/notifications.ts';
import { answerCalls } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { follow, person, zoya } from '#testing/page/things.ts';

const page = () => import('#web/pages/activity.tsx');

it('/Activity asks a visitor to log in', async () => {
  const { asked } = answerCalls();
  await showPage({ page, address: '/Activity' });
  await screen.findByText('Log in to see who liked, commented and followed.');
  expect(asked).toEqual([]);
});

it('a comment and a mention lead to the comment', async () => {
  const server = answerCalls();
  const { _id: aboutId } = person(2);
  const [commentId, mentionId] = [person(3)._id, person(4)._id];
  server.on(userData, { data: { ...zoya, data: zoya } });
  server.on(markRead, { unread: 0 });
  server.on(getNotifications, {
    data: [
      follow(1, 'farid', { kind: 'comment', aboutId, commentId }),
      follow(2, 'farid', { kind: 'mention', aboutId, commentId: mentionId }),
    ],
    unread: 0,
    nextCursor: null,
  });
  await showPage({ page, address: '/Activity', person: zoya });
  await screen.findByText(/commented on your reel/);
  const addresses = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(addresses).toEqual([commentId, mentionId].map((id) => `/videoplayer?reel=${aboutId}#${id}`));
});
