import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { deleteUser, previewDeletion } from '#contract/account-deletion.ts';
import { getUser } from '#contract/people.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { zoya } from '#testing/page/things.ts';

const open = (id: string, person?: typeof zoya) =>
  showPage({
    page: () => import('#web/pages/delete-user.tsx'),
    address: `/DeleteUser/${id}`,
    pattern: '/DeleteUser/:id',
    ...(person ? { person } : {}),
  });
const other = '018f0000-0000-7000-8000-00000000000b';
const preview = {
  username: 'zoya',
  reels: 0,
  posts: 1,
  stories: 0,
  comments: 0,
  likes: 0,
  followers: 0,
  following: 0,
  unpaidCoins: 2,
  withdrawalPending: false,
};
const fieldOf = /^Type .* to confirm$/;

it('/DeleteUser asks a visitor to log in', async () => {
  const { asked } = answerCalls();
  await open(zoya._id);
  await screen.findByRole('link', { name: 'Login' });
  expect(screen.queryByLabelText(fieldOf)).toBeNull();
  expect(asked).toEqual([]);
});

it.each(['nobody', other])(
  '/DeleteUser with the id of another person, or of no person, shows only a link to one’s own account: %s',
  async (id) => {
    const { asked } = answerCalls();
    await open(id, zoya);
    await screen.findByRole('heading', { name: 'This is not your account' });
    expect(screen.queryByLabelText(fieldOf)).toBeNull();
    expect(asked).toEqual([]);
    const own = screen.getByRole('link', { name: 'Go to my account' });
    expect(own.getAttribute('href')).toBe(`/DeleteUser/${zoya._id}`);
  },
);

it('/DeleteUser shows the server’s reason when it refuses, and the specification’s message when it does not answer', async () => {
  const server = answerCalls();
  server.on(previewDeletion, { data: preview });
  server.on(
    deleteUser,
    'no answer',
    refusal(500, 'internal', 'No luck.'),
    new Response('<html>', { status: 502 }),
    refusal(500, 'internal', ''),
    { message: 'Gone' },
  );
  // It asks whether the account is gone although the answer was lost.
  server.on(getUser, { data: zoya });
  const { user } = await open(zoya._id, zoya);
  await user.type(await screen.findByLabelText(fieldOf), 'zoya');
  // Consecutive responses have different messages, so that each wait is for the new one.
  for (const words of [
    'Network error. Try again.',
    'Error: No luck.',
    'Network error. Try again.',
    'Error: Failed to delete user',
  ]) {
    await user.click(screen.getByRole('button', { name: 'Delete my account' }));
    await screen.findByText(words);
  }
  // The typed text is still there, and the next try works.
  await user.click(screen.getByRole('button', { name: 'Delete my account' }));
  await screen.findByRole('heading', { name: 'User deleted successfully!' });
});

it('/DeleteUser shows an error and a retry button when the account cannot be loaded', async () => {
  answerCalls().on(previewDeletion, refusal(403, 'x', 'Not now.'), { data: preview });
  const { user } = await open(zoya._id, zoya);
  await screen.findByRole('heading', { name: "Couldn't load your account" });
  screen.getByText('Not now.');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByLabelText(fieldOf);
});
