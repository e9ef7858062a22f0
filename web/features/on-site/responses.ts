import type { NavigateFunction } from 'react-router';
import { isApiError } from '#contract/api-error.ts';
import { getLiked, likePost, likeReel, shareReel, unlikePost, unlikeReel } from '#contract/engagement.ts';
import { follow, getFollowed, unfollow } from '#contract/relations.ts';
import { call } from '#web/api.ts';
import { i18nOf } from '#web/messages/catalogues.ts';
import { notify } from '#web/ui/notices.ts';
import type { Action, Point, Work } from '../interactions/controls.ts';
import { currentToken, onSessionBegin } from '../session/session.ts';
import { focusField } from './comment-place.ts';
import { inBatches } from './in-batches.ts';
import { changeResponse, responseTo } from './own-response.ts';
import { showHeart } from './show-heart.ts';
import { asking, toggle } from './toggle.ts';
import { updateInLists } from './update-in-lists.ts';

interface Press {
  work: Work;
  tapped: Point | undefined;
  navigate: NavigateFunction;
}

/** Does what was pressed. Returns whether something is to open for it. */
export function act(action: Action, press: Press): boolean {
  if (action === 'like') {
    like(press);
    return false;
  }
  return action !== 'comment' || !focusField(press.work._id);
}

interface Wish {
  /** Does it, and says so. */
  grant?: () => void;
  /** What of the page to come back to: a hash. */
  place?: string;
}
let wished: { from: string; grant: (() => void) | undefined } | undefined;

/** Whoever is not logged in is led to the login, from which a link leads back. What they wanted is done as soon as they are logged in. */
export function isLoggedIn(navigate: NavigateFunction, { grant, place = '' }: Wish): boolean {
  if (currentToken()) return true;
  const from = location.pathname + location.search + place;
  wished = { from, grant };
  void navigate('/LoginGoogle', { state: { from } });
  return false;
}

onSessionBegin(() => {
  // Who logs in later, and by another way, may have forgotten it, or be somebody else.
  if (wished?.from === history.state?.usr?.from) wished?.grant?.();
  wished = undefined;
});

const sayDone = (what: 'onsite.nowLiked' | 'onsite.nowFollowing', values: { username?: string } = {}) =>
  notify('success', i18nOf(document.documentElement.lang)._(what, values));

const likes = {
  reel: { on: likeReel, off: unlikeReel },
  post: { on: likePost, off: unlikePost },
};

/** A double tap likes, and never takes a like back. */
function like({ work, tapped, navigate }: Press): void {
  const grant = () => {
    like({ work, tapped: undefined, navigate });
    sayDone('onsite.nowLiked');
  };
  if (!isLoggedIn(navigate, { grant })) return;
  const { _id: id, kind, likeCount } = work;
  const response = responseTo(id);
  const now = { on: response.liked ?? false, count: response.likeCount ?? likeCount };
  if (tapped) {
    showHeart(tapped);
    if (now.on) return;
  }
  void toggle(id, !now.on, {
    now,
    show: ({ on, count }) => {
      changeResponse(id, { liked: on, likeCount: count });
      updateInLists(id, { likeCount: count });
    },
    send: async (on) => {
      const answer = await call(likes[kind][on ? 'on' : 'off'], { params: { id } });
      return { on: answer.liked, count: answer.likeCount };
    },
    failed: (error) => sayFailed('onsite.likeFailed', error),
  });
}

interface Followed {
  _id: string;
  username: string;
  followerCount?: number;
}

/** Follows a person, or no longer. */
export function toggleFollow(person: Followed, navigate: NavigateFunction): void {
  const { _id: id, username, followerCount = 0 } = person;
  const grant = () => {
    toggleFollow(person, navigate);
    sayDone('onsite.nowFollowing', { username });
  };
  if (!isLoggedIn(navigate, { grant })) return;
  const response = responseTo(id);
  const now = { on: response.following ?? false, count: response.followerCount ?? followerCount };
  void toggle(id, !now.on, {
    now,
    show: ({ on, count }) => changeResponse(id, { following: on, followerCount: count }),
    send: async (on) => {
      const answer = await call(on ? follow : unfollow, { params: { userId: id } });
      return { on: answer.following, count: answer.followerCount };
    },
    failed: (error) => sayFailed('onsite.followFailed', error),
  });
}

const ask = (which: typeof getLiked | typeof getFollowed, field: 'liked' | 'following') =>
  inBatches(async (ids) => {
    const isNews = asking();
    const { data } = await call(which, { body: { ids } });
    for (const id of ids) if (isNews(id)) changeResponse(id, { [field]: data.includes(id) });
  });

export const askLiked = ask(getLiked, 'liked');
export const askFollowed = ask(getFollowed, 'following');

/** Counts that somebody shared a reel. The share itself has happened, so nobody is told if this fails. */
export function countShare(id: string): void {
  if (!currentToken()) return;
  call(shareReel, { params: { id } }).then(
    ({ shareviews }) => {
      changeResponse(id, { shareviews });
      updateInLists(id, { shareviews });
    },
    () => undefined,
  );
}

type Failed =
  | 'onsite.likeFailed'
  | 'onsite.followFailed'
  | 'onsite.commentFailed'
  | 'onsite.deleteFailed'
  | 'onsite.blockFailed';

/** One sentence about what was taken back, and why. */
export function sayFailed(what: Failed, error: unknown): void {
  const i18n = i18nOf(document.documentElement.lang);
  notify('error', i18n._(what, { reason: isApiError(error) ? error.sentence : i18n._('wrong.text') }));
}
