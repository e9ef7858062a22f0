import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { getComments } from '#contract/engagement.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { reel, zoya } from '#testing/page/things.ts';
import Comments from './comments.tsx';

const { _id } = reel(1, 'A glimpse');
const indented = (words: string) => screen.getByText(words).closest('li')?.classList.contains('ml-10');
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

it('answers are below their question, and stand alone without it', async () => {
  const server = answerCalls();
  const [question, gone] = [reel(2, '')._id, reel(3, '')._id];
  server.on(getComments, {
    data: [
      { ...said, _id: question, text: 'Where?' },
      { ...said, _id: reel(4, '')._id, text: 'In Jaipur', parentId: question },
      { ...said, _id: reel(5, '')._id, text: 'In Agra', parentId: question },
      { ...said, _id: reel(6, '')._id, text: 'Yes', parentId: gone },
      { ...said, _id: reel(7, '')._id, text: 'No', parentId: gone },
    ],
    commentCount: 5,
    nextCursor: null,
  });
  await showPage({ page, address: '/videoplayer' });
  await screen.findByText('Where?');
  const lines = ['Where?', 'In Jaipur', 'In Agra', 'Yes', 'No'].map(indented);
  expect(lines).toEqual([false, true, true, false, false]);
});

it.each([
  ['is loaded up to it', 3, 3],
  ['is loaded no further than its tenth page', 12, 10],
])('a list whose later page has the comment of the address %s', async (_, at, pages) => {
  const server = answerCalls();
  const asked = reel(99, '')._id;
  server.on(getComments, ({ query }) => {
    const nth = Number(query.cursor ?? 1);
    return {
      data: [{ ...said, _id: nth === at ? asked : reel(nth, '')._id, text: `Page ${nth}` }],
      commentCount: 20,
      nextCursor: String(nth + 1),
    };
  });
  await showPage({ page, address: `/videoplayer?reel=${_id}#${asked}` });
  await screen.findByText(`Page ${pages}`);
  await screen.findByRole('button', { name: 'Load more', busy: false });
  expect(server.askedOf(getComments)).toHaveLength(pages);
  expect(screen.queryAllByRole('listitem', { current: true })).toHaveLength(at === pages ? 1 : 0);
});
