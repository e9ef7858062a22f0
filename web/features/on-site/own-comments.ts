import type { NavigateFunction } from 'react-router';
import { v4 } from 'uuid';
import { addComment, deleteComment, getComments } from '#contract/engagement.ts';
import type { Comment } from '#contract/reels.ts';
import { call } from '#web/api.ts';
import { queryClient } from '#web/query-client.ts';
import { commentOptions, threadOf } from '../comments/comments.ts';
import type { List } from '../lists/use-list.ts';
import type { SessionUser } from '../session/session.ts';
import { focusField } from './comment-place.ts';
import { changeResponse } from './own-response.ts';
import { isLoggedIn, sayFailed } from './responses.ts';
import { updateInLists } from './update-in-lists.ts';

const listKey = (reelId: string) => [...commentOptions(reelId).queryKey, null];

/** Changes each page of the list, if there is one. */
function changeList(reelId: string, change: (items: Comment[], page: number) => Comment[]): void {
  queryClient().setQueryData<List<Comment>>(
    listKey(reelId),
    (list) =>
      list && { ...list, pages: list.pages.map((page, at) => ({ ...page, items: change(page.items, at) })) },
  );
}

function showCount(reelId: string, commentCount: number): void {
  changeResponse(reelId, { commentCount });
  updateInLists(reelId, { commentCount });
}

interface Said {
  reelId: string;
  words: string;
  user: SessionUser;
}

/** With a new comment: at the top, or after the answers to the same one. */
function withNew(items: Comment[], shown: Comment, page: number): Comment[] {
  if (!shown.parentId) return page === 0 ? [shown, ...items] : items;
  const after = items.findLastIndex((one) => threadOf(one) === shown.parentId);
  return after === -1 ? items : items.toSpliced(after + 1, 0, shown);
}

/** Empties the field, shows a comment at once, and sends it. If it is refused, a sentence says so, and it is in the field again. */
export async function say({ reelId, words, user }: Said): Promise<void> {
  changeDraft(reelId, '');
  const sentAs = v4();
  const { _id: userId = '', username = '', profilePic = '' } = user;
  const parentId = answeredIn(reelId, words);
  const shown: Comment = {
    ...(parentId ? { parentId } : {}),
    _id: sentAs,
    userId,
    username,
    profilePic,
    text: words,
    createdAt: new Date().toISOString(),
  };
  const queries = queryClient();
  const isListed = queries.getQueryData(listKey(reelId)) !== undefined;
  if (isListed) {
    // A response that is still in flight does not have it.
    await queries.cancelQueries({ queryKey: listKey(reelId) });
    changeList(reelId, (items, page) => withNew(items, shown, page));
  }
  try {
    const answer = await call(addComment, {
      params: { id: reelId },
      body: { text: words, sentAs, parentId },
    });
    changeList(reelId, (items) => items.map((one) => (one._id === sentAs ? answer.data : one)));
    if (!isListed) await queries.invalidateQueries({ queryKey: listKey(reelId) });
    showCount(reelId, answer.commentCount);
  } catch (error) {
    changeList(reelId, (items) => items.filter(({ _id }) => _id !== sentAs));
    // Something else may have been typed meanwhile.
    changeDraft(reelId, [words, draftOf(reelId)].filter(Boolean).join('\n'));
    sayFailed('onsite.commentFailed', error);
  }
}

/** Hides a comment at once, and deletes it. If that fails, it is shown again. */
export async function unsay(reelId: string, { _id }: Comment): Promise<void> {
  const queries = queryClient();
  await queries.cancelQueries({ queryKey: listKey(reelId) });
  const before = queries.getQueryData<List<Comment>>(listKey(reelId));
  changeList(reelId, (items) => items.filter((one) => one._id !== _id));
  try {
    await call(deleteComment, { params: { id: _id } });
    const { commentCount } = await call(getComments, { params: { id: reelId }, query: { limit: 1 } });
    showCount(reelId, commentCount);
  } catch (error) {
    queries.setQueryData(listKey(reelId), before);
    sayFailed('onsite.deleteFailed', error);
  }
}

const draftKey = (reelId: string) => ['comment draft', reelId];

/** What is typed about each reel, for as long as the page is open: it is the same in the column and in the sheet. */
export function draftOf(reelId: string): string {
  return queryClient().getQueryData<string>(draftKey(reelId)) ?? '';
}

export function changeDraft(reelId: string, words: string): void {
  queryClient().setQueryData(draftKey(reelId), words);
}

const answeredKey = (reelId: string) => ['answered comment', reelId];

/** What a text answers: the comment whose Reply was pressed, as long as the text begins with the name of its author. */
function answeredIn(reelId: string, words: string): string | undefined {
  const comment = queryClient().getQueryData<Comment>(answeredKey(reelId));
  return comment && words.startsWith(`@${comment.username}`) ? threadOf(comment) : undefined;
}

/** Begins an answer to somebody in the field. */
export function answer(reelId: string, comment: Comment, navigate: NavigateFunction): void {
  const { _id, username } = comment;
  if (!isLoggedIn(navigate, { place: `#${_id}` })) return;
  queryClient().setQueryData(answeredKey(reelId), comment);
  changeDraft(reelId, `@${username} ${draftOf(reelId)}`);
  focusField(reelId);
}
