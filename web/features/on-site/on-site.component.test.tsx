import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import {
  addComment,
  deleteComment,
  getComments,
  getLiked,
  likePost,
  unlikePost,
} from '#contract/engagement.ts';
import { changePassword, editProfile, removePhoto, setPhoto } from '#contract/profile.ts';
import { block, follow, getFollowed, unfollow } from '#contract/relations.ts';
import { answerCalls, refusal } from '#testing/page/answers.ts';
import { arriveAt, showPage } from '#testing/page/show-page.tsx';
import { person, post, reel, zoya } from '#testing/page/things.ts';
import Comments from '../comments/comments.tsx';
import { controls } from '../interactions/controls.ts';
import { PostCard } from '../posts/post-card.tsx';
import { shownPost } from '../posts/posts.ts';
import { beginSession } from '../session/session.ts';
import { useSession } from '../session/use-session.ts';
import ProfileForms from './profile-forms.tsx';

const web = { more: { interactions: 'web' as const } };
const photo = post(1, 'A glimpse', { likeCount: 4, userId: person(2)._id, username: 'farid' });
const card = {
  page: async () => ({ default: () => <PostCard post={shownPost(photo)} early onZoom={() => undefined} /> }),
  address: '/ShowPosts',
};
const heart = () => screen.findByRole('button', { name: /^Like, / });

/** An answer that comes when the test says so. */
function later<T>() {
  let give = (_: T) => {};
  const answer = new Promise<T>((resolve) => {
    give = resolve;
  });
  return { answer, give };
}

it('with an app, the buttons of a photo are inert, and nothing is asked', async () => {
  const server = answerCalls();
  const { user } = await showPage({ ...card, person: zoya });
  await user.click(await heart());
  expect((await heart()).getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByRole('button', { name: 'Comment' })).toBeDefined();
  expect(server.asked).toEqual([]);
});

it('without an app, a like is shown before it is answered, and then the count of the server', async () => {
  const server = answerCalls();
  const { answer, give } = later<{ liked: boolean; likeCount: number }>();
  server.on(getLiked, { data: [] });
  server.on(likePost, () => answer);
  const { user } = await showPage({ ...card, ...web, person: zoya });
  await waitFor(() => expect(server.askedOf(getLiked)).toHaveLength(1));
  await user.click(await heart());
  const pressed = await screen.findByRole('button', { name: 'Like, 5 likes', pressed: true });
  expect(screen.queryByRole('button', { name: 'Comment' })).toBeNull();
  give({ liked: true, likeCount: 9 });
  await waitFor(() => expect(pressed.getAttribute('aria-label')).toBe('Like, 9 likes'));
});

it('a like that is known from another device is shown, and can be taken back', async () => {
  const server = answerCalls();
  server.on(getLiked, { data: [photo._id] });
  server.on(unlikePost, { liked: false, likeCount: 3 });
  const { user } = await showPage({ ...card, ...web, person: zoya });
  await user.click(await screen.findByRole('button', { name: 'Like, 4 likes', pressed: true }));
  await screen.findByRole('button', { name: 'Like, 3 likes', pressed: false });
});

it.each([
  ['the login to which the like led', '/', 1],
  ['another login', undefined, 0],
] as const)('a like of a visitor after %s: %#', async (_login, from, likes) => {
  const server = answerCalls();
  server.on(getLiked, { data: [] });
  server.on(likePost, { liked: true, likeCount: 5 });
  const { user } = await showPage({ ...card, ...web });
  await user.click(await heart());
  await arriveAt('/LoginGoogle');
  history.replaceState({ usr: { from } }, '');
  await act(() => beginSession(zoya, 'a token'));
  await waitFor(() => expect(server.askedOf(likePost)).toHaveLength(likes));
  await waitFor(() => expect(screen.queryAllByText('Your like is saved.')).toHaveLength(likes));
});

it('a refused like is taken back with one sentence', async () => {
  const server = answerCalls();
  server.on(getLiked, { data: [] });
  server.on(likePost, refusal(429, 'too_many_requests', 'Too many requests.'));
  const { user } = await showPage({ ...card, ...web, person: zoya });
  await user.click(await heart());
  await screen.findByText("Your like wasn't saved. Too many requests.");
  await screen.findByRole('button', { name: 'Like, 4 likes', pressed: false });
});

it('of several presses only the last one counts, and calls follow one another', async () => {
  const server = answerCalls();
  const first = later<{ liked: boolean; likeCount: number }>();
  server.on(getLiked, { data: [] });
  server.on(likePost, () => first.answer);
  server.on(unlikePost, { liked: false, likeCount: 4 });
  const { user } = await showPage({ ...card, ...web, person: zoya });
  for (const _press of [1, 2, 3, 4]) await user.click(await heart());
  expect(server.askedOf(likePost)).toHaveLength(1);
  first.give({ liked: true, likeCount: 5 });
  await waitFor(() => expect(server.askedOf(unlikePost)).toHaveLength(1));
  await screen.findByRole('button', { name: 'Like, 4 likes', pressed: false });
  expect(server.askedOf(likePost)).toHaveLength(1);
});

it('an answer about likes that was asked for before a press does not undo the press', async () => {
  const server = answerCalls();
  const { answer, give } = later<{ data: string[] }>();
  const other = post(2, 'Another one', { likeCount: 7, userId: photo.userId, username: 'farid' });
  server.on(getLiked, () => answer);
  server.on(likePost, { liked: true, likeCount: 9 });
  const cards = () => (
    <>
      {[photo, other].map((one) => (
        <PostCard key={one._id} post={shownPost(one)} early onZoom={() => undefined} />
      ))}
    </>
  );
  const { user } = await showPage({
    ...{ page: async () => ({ default: cards }), address: '/ShowPosts' },
    ...{ ...web, person: zoya },
  });
  await waitFor(() => expect(server.askedOf(getLiked)).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'Like, 4 likes' }));
  await screen.findByRole('button', { name: 'Like, 9 likes', pressed: true });
  give({ data: [other._id] });
  await screen.findByRole('button', { name: 'Like, 7 likes', pressed: true });
  screen.getByRole('button', { name: 'Like, 9 likes', pressed: true });
});

it('whoever is not logged in is led to the login', async () => {
  answerCalls();
  const { user } = await showPage({ ...card, ...web });
  await user.click(await heart());
  await arriveAt('/LoginGoogle');
});

const { _id: reelId } = reel(1, 'A glimpse');
const said = {
  _id: reel(7, '')._id,
  userId: person(2)._id,
  username: 'farid',
  profilePic: '',
  text: 'So bright',
  createdAt: '2026-11-03T06:30:00Z',
};
const commentsPage = {
  page: async () => ({
    default: () => (
      <>
        <Comments reelId={reelId} />
        {controls.CommentField && <controls.CommentField reelId={reelId} />}
      </>
    ),
  }),
  address: '/videoplayer',
};
const field = () => screen.findByLabelText<HTMLTextAreaElement>('Write a comment');

it('a comment is shown before it is answered, at the top', async () => {
  const server = answerCalls();
  const { answer, give } = later<{ data: typeof said; commentCount: number }>();
  server.on(getComments, { data: [said], commentCount: 1, nextCursor: null });
  server.on(addComment, () => answer);
  const { user } = await showPage({ ...commentsPage, ...web, person: zoya });
  await screen.findByText('So bright');
  await user.type(await field(), 'Where is this?{Enter}');
  await screen.findByText('Where is this?');
  expect(screen.getAllByRole('listitem')[0]?.textContent).toContain('Where is this?');
  expect((await field()).value).toBe('');
  give({
    data: { ...said, _id: reel(8, '')._id, userId: zoya._id, username: 'zoya', text: 'Where is this?' },
    commentCount: 2,
  });
  await waitFor(() => expect(server.askedOf(addComment)).toHaveLength(1));
  expect(screen.getAllByText('Where is this?')).toHaveLength(1);
});

it('a refused comment is taken back with one sentence, and stays in the field', async () => {
  const server = answerCalls();
  server.on(getComments, { data: [said], commentCount: 1, nextCursor: null });
  server.on(addComment, refusal(429, 'too_many_requests', 'Too many requests.'));
  const { user } = await showPage({ ...commentsPage, ...web, person: zoya });
  await screen.findByText('So bright');
  await user.type(await field(), 'Where is this?{Enter}');
  await screen.findByText("Your comment wasn't sent. Too many requests.");
  expect((await field()).value).toBe('Where is this?');
  expect(screen.queryByRole('link', { name: '@zoya' })).toBeNull();
});

it('letters that are typed at once are all in the field, where they were typed', async () => {
  answerCalls().on(getComments, { data: [said], commentCount: 1, nextCursor: null });
  await showPage({ ...commentsPage, ...web, person: zoya });
  const typing = userEvent.setup({ delay: null });
  await typing.type(await field(), 'In Jaipur');
  await typing.type(await field(), 'See: ', { initialSelectionStart: 0, initialSelectionEnd: 0 });
  expect((await field()).value).toBe('See: In Jaipur');
});

it('what is typed while a comment is refused stays in the field, after the refused one', async () => {
  const server = answerCalls();
  const { answer, give } = later<Response>();
  server.on(getComments, { data: [said], commentCount: 1, nextCursor: null });
  server.on(addComment, () => answer);
  const { user } = await showPage({ ...commentsPage, ...web, person: zoya });
  await screen.findByText('So bright');
  await user.type(await field(), 'Where is this?{Enter}');
  await user.type(await field(), 'In Jaipur?');
  give(refusal(429, 'too_many_requests', 'Too many requests.'));
  await screen.findByText("Your comment wasn't sent. Too many requests.");
  expect((await field()).value).toBe('Where is this?\nIn Jaipur?');
});

it('Escape leaves the field, and closes nothing around it', async () => {
  const server = answerCalls();
  server.on(getComments, { data: [said], commentCount: 1, nextCursor: null });
  const { user } = await showPage({ ...commentsPage, ...web, person: zoya });
  await user.type(await field(), 'Where');
  const isFirst = fireEvent.keyDown(await field(), { key: 'Escape' });
  expect(isFirst).toBe(false);
  expect(document.activeElement).toBe(document.body);
  expect((await field()).value).toBe('Where');
});

it('an answer begins with the name of whom it is for', async () => {
  const server = answerCalls();
  server.on(getComments, { data: [said], commentCount: 1, nextCursor: null });
  const { user } = await showPage({ ...commentsPage, ...web, person: zoya });
  await user.click(await screen.findByRole('button', { name: 'Reply to @farid' }));
  expect((await field()).value).toBe('@farid ');
  expect(document.activeElement).toBe(await field());
});

it.each([
  ['In Jaipur', ['Wow', 'So bright', 'Thanks', '@farid In Jaipur'], said._id],
  ['{Control>}a{/Control}In Jaipur', ['In Jaipur', 'Wow', 'So bright', 'Thanks'], undefined],
] as const)(
  'an answer is shown below what it answers, unless the name was removed: %s',
  async (typed, order, parentId) => {
    const server = answerCalls();
    const [wow, thanks] = [
      { ...said, _id: reel(5, '')._id, username: 'arun', text: 'Wow' },
      { ...said, _id: reel(8, '')._id, username: 'arun', text: 'Thanks', parentId: said._id },
    ];
    server.on(getComments, { data: [wow, said, thanks], commentCount: 3, nextCursor: null });
    server.on(addComment, () => new Promise(() => undefined));
    const { user } = await showPage({ ...commentsPage, ...web, person: zoya });
    await user.click(await screen.findByRole('button', { name: 'Reply to @farid' }));
    await user.type(await field(), `${typed}{Enter}`);
    const lines = screen.getAllByRole('listitem');
    expect(lines.map((line) => line.querySelector('p + *')?.textContent)).toEqual(order);
    expect(lines.filter((line) => line.classList.contains('ml-10'))).toHaveLength(parentId ? 2 : 1);
    const parents = server.askedOf(addComment).map(({ body }) => (body as { parentId?: string }).parentId);
    expect(parents).toEqual([parentId]);
  },
);

it("one's own comment can be deleted, and is shown again if that fails", async () => {
  const server = answerCalls();
  const own = { ...said, userId: zoya._id, username: 'zoya' };
  server.on(
    getComments,
    { data: [own], commentCount: 1, nextCursor: null },
    { data: [], commentCount: 0, nextCursor: null },
  );
  server.on(deleteComment, refusal(503, 'unavailable', 'Please try again.'), {});
  const { user } = await showPage({ ...commentsPage, ...web, person: zoya });
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await screen.findByText("Your comment wasn't deleted. Please try again.");
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(server.askedOf(deleteComment)).toHaveLength(2));
  await screen.findByText('No comments yet.');
  // The button that had the focus is gone.
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Comments' }));
});

it('with an app, comments have no field, no answer and no deletion', async () => {
  const server = answerCalls();
  server.on(getComments, { data: [{ ...said, userId: zoya._id }], commentCount: 1, nextCursor: null });
  await showPage({ ...commentsPage, person: zoya });
  await screen.findByText('So bright');
  expect(screen.queryByLabelText('Write a comment')).toBeNull();
  expect(screen.queryByRole('button', { name: /Reply|Delete/ })).toBeNull();
});

const farid = person(2, { username: 'farid', name: 'Farid', followerCount: 7 });
const profile = {
  page: async () => ({
    default: () => (controls.PersonActions ? <controls.PersonActions person={farid} /> : <p>With the app</p>),
  }),
  address: '/user/farid',
};

it('a follow is shown at once, and can be taken back', async () => {
  const server = answerCalls();
  server.on(getFollowed, { data: [] });
  server.on(follow, { following: true, followerCount: 8 });
  server.on(unfollow, { following: false, followerCount: 7 });
  const { user } = await showPage({ ...profile, ...web, person: zoya });
  const button = await screen.findByRole('button', { name: 'Follow @farid', pressed: false });
  await user.click(button);
  await screen.findByRole('button', { name: 'Follow @farid', pressed: true });
  expect(button.textContent).toBe('Following');
  await waitFor(() => expect(server.askedOf(follow)).toHaveLength(1));
  await user.click(button);
  await waitFor(() => expect(server.askedOf(unfollow)).toHaveLength(1));
  expect(button.textContent).toBe('Follow');
});

it('blocking a person asks first, and then leaves their profile', async () => {
  const server = answerCalls();
  server.on(getFollowed, { data: [farid._id] });
  server.on(block, {});
  const { user } = await showPage({ ...profile, ...web, person: zoya });
  await user.click(await screen.findByRole('button', { name: 'Block @farid' }));
  expect(server.askedOf(block)).toEqual([]);
  await user.click(await screen.findByRole('button', { name: 'Block' }));
  await screen.findByText('You have blocked @farid.');
  await arriveAt('/AllUsers');
});

it('with an app, a profile has no button to follow or block', async () => {
  answerCalls();
  await showPage({ ...profile, person: zoya });
  await screen.findByText('With the app');
});

const settings = {
  page: async () => ({ default: () => <ProfileForms user={zoya} /> }),
  address: '/Settings',
};

it('name and username are changed, and a refusal stands beside its field', async () => {
  const server = answerCalls();
  const taken = {
    username: { field: 'username', code: 'username_taken', params: {}, error: 'This username is taken.' },
  };
  server.on(
    editProfile,
    refusal(409, 'username_taken', 'This username is taken.', {
      field: 'username',
      fields: Object.values(taken),
    }),
    { user: { ...zoya, username: 'zoya.b' } },
  );
  const { user } = await showPage({ ...settings, ...web, person: zoya });
  const username = await screen.findByLabelText('Username');
  await user.clear(username);
  await user.type(username, 'zoya.b');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('This username is taken.');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  expect(JSON.parse(localStorage.getItem('user') ?? '{}').username).toBe('zoya.b');
});

it('a new password gives this browser a new session', async () => {
  const server = answerCalls();
  server.on(changePassword, { data: 'another token' });
  const { user } = await showPage({ ...settings, ...web, person: zoya });
  await user.click(screen.getByText('Change password', { selector: 'summary' }));
  await user.type(screen.getByLabelText('Current password'), 'a long password');
  await user.type(screen.getByLabelText('New password'), 'a longer password');
  await user.type(screen.getByLabelText('Confirm password'), 'a longer password');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  await screen.findByText('Your password is changed. You are logged out everywhere else.');
  expect(localStorage.getItem('authToken')).toBe('another token');
});

it('a refused picture is taken back with one sentence', async () => {
  const server = answerCalls();
  URL.createObjectURL = () => 'blob:picture';
  URL.revokeObjectURL = () => undefined;
  server.on(setPhoto, refusal(415, 'file_not_image', 'This is not a photo.'));
  const { user } = await showPage({ ...settings, ...web, person: zoya });
  await user.upload(
    screen.getByLabelText('Profile picture'),
    new File(['x'], 'x.jpg', { type: 'image/jpeg' }),
  );
  await screen.findByText("Your picture wasn't changed. This is not a photo.");
});

it('after the picture is removed, the button that changes it has the focus', async () => {
  const server = answerCalls();
  server.on(removePhoto, { user: zoya });
  const withPicture = { ...zoya, profilePic: '/media/z/photo.jpg' };
  const page = () => {
    const { user } = useSession();
    return user && <ProfileForms user={user} />;
  };
  const { user } = await showPage({
    ...{ page: async () => ({ default: page }), address: '/Settings' },
    ...{ ...web, person: withPicture },
  });
  await user.click(await screen.findByRole('button', { name: 'Remove' }));
  await screen.findByText('Saved.');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change picture' }));
});
