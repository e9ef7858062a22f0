import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { deleteUser, previewDeletion } from '#contract/account-deletion.ts';
import { confirm } from '#contract/confirmation.ts';
import { requestExport } from '#contract/export.ts';
import { listPasskeys } from '#contract/passkeys.ts';
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

const ended = refusal(401, 'not_signed_in', 'Please log in.');
const gone = 'User deleted successfully!';
const press = 'Delete my account';

it('/DeleteUser lists what is deleted, and deletes nothing until the own username is typed', async () => {
  const server = answerCalls();
  server.on(previewDeletion, { data: preview });
  server.on(deleteUser, { message: 'Gone' });
  const { user } = await open(zoya._id, zoya);
  const field = await screen.findByLabelText(fieldOf);
  const counts = [...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
  expect(counts).toEqual(expect.arrayContaining(['Posts1', 'Reels0', 'Stories0']));
  screen.getByText('You lose 2 coins that you have not withdrawn.');
  await user.click(screen.getByRole('button', { name: press }));
  await screen.findByText('This is not your username: zoya');
  await user.type(field, 'somebody.else{Enter}');
  screen.getByText('This is not your username: zoya');
  expect(document.activeElement).toBe(field);
  expect(server.askedOf(deleteUser)).toEqual([]);
  await user.clear(field);
  await user.type(field, '@ZOYA{Enter}');
  await screen.findByRole('heading', { name: gone });
  expect(localStorage.getItem('authToken')).toBeNull();
});

it.each([
  ['is gone, says that it was deleted', refusal(404, 'not_found', 'There is no such person.'), true],
  ['still exists, does not claim success', { data: zoya }, false],
] as const)(
  '/DeleteUser whose answer was lost asks once the session has ended; if the account %s',
  async (_, answer, isGone) => {
    const server = answerCalls();
    server.on(previewDeletion, { data: preview });
    server.on(deleteUser, 'no answer', ended);
    server.on(getUser, answer);
    const { user } = await open(zoya._id, zoya);
    await user.type(await screen.findByLabelText(fieldOf), 'zoya{Enter}');
    await screen.findByText('Network error. Try again.');
    expect(server.askedOf(getUser)).toEqual([]);
    await user.click(screen.getByRole('button', { name: press }));
    if (isGone) return void (await screen.findByRole('heading', { name: gone }));
    await screen.findByRole('link', { name: 'Login' });
    expect(screen.queryByText(gone)).toBeNull();
  },
);

it('/DeleteUser asks to log in once the account has been deleted from another device', async () => {
  const server = answerCalls();
  server.on(previewDeletion, { data: preview });
  server.on(deleteUser, ended);
  const { user } = await open(zoya._id, zoya);
  await user.type(await screen.findByLabelText(fieldOf), 'zoya{Enter}');
  await screen.findByRole('link', { name: 'Login' });
  expect(localStorage.getItem('authToken')).toBeNull();
});

it('/DeleteUser offers no deletion while a withdrawal is pending, also if it was requested in another tab meanwhile', async () => {
  const server = answerCalls();
  server.on(previewDeletion, { data: preview }, { data: { ...preview, withdrawalPending: true } });
  server.on(deleteUser, refusal(409, 'withdrawal_pending', 'A withdrawal is pending.'));
  const { user } = await open(zoya._id, zoya);
  await user.type(await screen.findByLabelText(fieldOf), 'zoya{Enter}');
  await screen.findByText(/^A withdrawal is still pending/);
  expect(screen.queryByLabelText(fieldOf)).toBeNull();
  const link = screen.getByRole('link', { name: 'See my withdrawals' });
  expect(link.getAttribute('href')).toBe('/EarningHistory');
});

it('/DeleteUser in a session that is not fresh asks for the password, shows when it is wrong, and deletes when it is right', async () => {
  const server = answerCalls();
  const sentence = 'For your safety, log in again and repeat this within ten minutes.';
  server.on(previewDeletion, { data: preview });
  server.on(listPasskeys, { data: [] });
  server.on(deleteUser, refusal(403, 'confirmation_required', sentence));
  server.on(confirm, refusal(403, 'wrong_password', 'Your current password is wrong.'), () => {
    server.on(deleteUser, { message: 'Gone' });
    return { confirmation: 'confirmed' };
  });
  const { user } = await open(zoya._id, zoya);
  await user.type(await screen.findByLabelText(fieldOf), 'zoya{Enter}');
  const dialog = async () => within(await screen.findByRole('dialog', { name: 'Is it you?' }));
  // Closing the dialog keeps the account, and the page says how else to confirm.
  await user.click((await dialog()).getByRole('button', { name: 'Close' }));
  await screen.findByText(new RegExp(sentence));
  expect(server.askedOf(deleteUser)).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: press }));
  await user.type((await dialog()).getByLabelText('Password'), 'a wrong password{Enter}');
  await (await dialog()).findByText('Your current password is wrong.');
  await user.clear((await dialog()).getByLabelText('Password'));
  await user.type((await dialog()).getByLabelText('Password'), 'right{Enter}');
  await screen.findByRole('heading', { name: gone });
  expect(server.askedOf(confirm).at(-1)?.body).toEqual({
    ...{ act: 'delete_account', params: { userId: zoya._id } },
    password: 'right',
  });
});

it('/DeleteUser says when too many copies of the data were downloaded, and stays', async () => {
  const sentence = 'You can download your data 6 times an hour. Please try again later.';
  const server = answerCalls();
  server.on(previewDeletion, { data: preview });
  server.on(requestExport, refusal(429, 'too_many_requests', sentence));
  const { user } = await open(zoya._id, zoya);
  await user.click(await screen.findByRole('button', { name: 'Download a copy of your data first' }));
  await waitFor(() => expect(screen.getByText(sentence).getAttribute('role')).toBe('status'));
  screen.getByLabelText(fieldOf);
});
