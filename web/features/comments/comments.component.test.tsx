import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { getComments } from '#contract/engagement.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { reel, zoya } from '#testing/page/things.ts';
import Comments from './comments.tsx';

const { _id } = reel(1, 'A glimpse');
const page = async () => ({ default: () => <Comments reelId={_id} /> });
const said = { _id, userId: zoya._id, username: 'zoya', profilePic: '', createdAt: '2026-11-03T06:30:00Z' };

it('comments that could not be loaded are asked for again', async () => {
  const server = answerCalls();
  server.on(getComments, refusal(429, 'too_many_requests', 'Too many requests.'), {
    data: [{ ...said, text: 'So bright' }],
    commentCount: 1,
    nextCursor: null,
  });
  const { user } = await showPage({ page, address: '/videoplayer' });
  await screen.findByText("The comments couldn't be loaded.");
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('So bright');
  expect(screen.getByRole('link', { name: '@zoya' }).getAttribute('href')).toBe(`/user/${zoya._id}`);
});

it('the comment whose id is in the address is brought into view and marked', async () => {
  const server = answerCalls();
  const other = { ...said, _id: zoya._id, text: 'Asked for' };
  server.on(getComments, {
    data: [{ ...said, text: 'Newer' }, other],
    commentCount: 2,
    nextCursor: null,
  });
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  await showPage({ page, address: `/videoplayer?reel=${_id}#${other._id}` });
  await screen.findByText('Newer');
  expect(scrolled.mock.contexts.map((one) => (one as Element).textContent)).toEqual([
    expect.stringContaining('Asked for'),
  ]);
  expect(screen.getByRole('listitem', { current: true }).textContent).toContain('Asked for');
});
