import { v7 } from 'uuid';
import type { Person } from '../servers/test-server.ts';

/** A viewer, another person with whom there may be a block, and a third person. The content is the other person's. */
export interface Scene {
  viewer: Person;
  other: Person;
  third: Person;
  reel: string;
  post: string;
  story: string;
  /** On the reel of the third person. */
  comment: string;
  /** Of the third person: the other one likes both. */
  reelOfThird: string;
  postOfThird: string;
}

export interface Asked {
  url: string;
  payload?: object;
}

/** How a call treats a block between the caller and the person whom it is about, whoever of them has blocked the other. */
export type BlockRule =
  /** The response shows the other person, or by `shows` their acts; with a block it leaves them out. */
  | {
      hides: (scene: Scene) => Asked;
      shows?: (body: Record<string, unknown>) => boolean;
      /** Needs a scene that no other call has changed. */
      fresh?: true;
    }
  /** With a block the answer is that to an unknown id, byte for byte. */
  | { isMissing: (id: string) => Asked; of: keyof Scene; knownToBlocker?: true }
  /** The answer is the same with and without a block. */
  | { ignores: (scene: Scene) => Asked }
  /** The response names nobody but the caller; the words say what it is about. */
  | string;

const hides = (url: (scene: Scene) => string): BlockRule => ({ hides: (scene) => ({ url: url(scene) }) });
const isMissing = (of: keyof Scene, url: (id: string) => string, payload?: () => object): BlockRule => ({
  of,
  isMissing: (id) => ({ url: url(id), ...(payload ? { payload: payload() } : {}) }),
});

/** The same in every scene, because the answer repeats it. */
const activityId = v7();
const because = {
  site: 'the site itself',
  caller: "the caller's own account",
  upload: "the caller's own file",
  publication: "the caller's own new work",
  money: "the caller's own money: it ignores blocks",
  copies: "the caller's own work and the one that it is a copy of: complaints and copies ignore blocks",
  operators: 'operators see everybody',
};
const calls = (why: string, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, why]));

/** Each call of the contract. One without a line here fails the test. */
export const blockRules: Record<string, BlockRule> = {
  'GET /api/getuser/:id': isMissing('other', (id) => `/api/getuser/${id}`),
  'GET /api/getallUser': hides(({ other }) => `/api/getallUser?q=${other.username}`),
  'GET /api/followers/:userId': hides(({ third }) => `/api/followers/${third.id}`),
  'GET /api/following/:userId': hides(({ third }) => `/api/following/${third.id}`),
  'POST /api/followed': {
    hides: ({ other }) => ({ url: '/api/followed', payload: { ids: [other.id] } }),
    fresh: true,
  },
  'POST /api/follow/:userId': isMissing('other', (id) => `/api/follow/${id}`),
  'DELETE /api/follow/:userId': isMissing('other', (id) => `/api/follow/${id}`),
  // Who has blocked somebody repeats it without an effect; who is blocked finds nobody, and the block shows once the other one ends.
  'POST /api/block/:userId': {
    ...(isMissing('other', (id) => `/api/block/${id}`) as { isMissing: (id: string) => Asked; of: 'other' }),
    knownToBlocker: true,
  },
  'DELETE /api/block/:userId': { ignores: () => ({ url: `/api/block/${v7()}` }) },
  'GET /api/block': 'the people whom the caller has blocked, to unblock them',
  'POST /api/userdata': {
    hides: ({ viewer }) => ({ url: '/api/userdata', payload: { token: viewer.token } }),
  },

  'GET /api/trending': 'numbers of people, without those of a block: server/features/search/search.test.ts',
  'GET /api/search': hides(({ other }) => `/api/search?q=${other.username}`),
  'GET /api/tag/:tag': hides(() => '/api/tag/today?kind=reel&limit=100'),

  'GET /api/reel/getallReels': hides(() => '/api/reel/getallReels?limit=50'),
  'POST /api/feed/forYou': { hides: () => ({ url: '/api/feed/forYou', payload: {} }), fresh: true },
  'POST /api/feed/reels': {
    hides: ({ reel }) => ({ url: '/api/feed/reels', payload: { ids: [reel] } }),
  },
  'GET /api/feed/following': { hides: () => ({ url: '/api/feed/following' }), fresh: true },
  'GET /api/taste':
    'what the caller watched, without what is of a block: server/features/taste/hidden.test.ts',
  'POST /api/taste/watched': {
    ignores: ({ reel }) => ({
      url: '/api/taste/watched',
      payload: { watched: [{ _id: reel, toEnd: true }] },
    }),
  },

  'GET /api/reel/getReel/:id': isMissing('reel', (id) => `/api/reel/getReel/${id}`),
  'GET /api/reel/getFrienddata/:userId': isMissing('other', (id) => `/api/reel/getFrienddata/${id}`),
  'POST /api/reel/edit/:id': isMissing(
    'reel',
    (id) => `/api/reel/edit/${id}`,
    () => ({ caption: 'Said better' }),
  ),
  'DELETE /api/reel/deleteReel/:id': isMissing('reel', (id) => `/api/reel/deleteReel/${id}`),
  'POST /api/reel/captions/:id/:language': "captions of the caller's own reel; of another's: see below",
  'DELETE /api/reel/captions/:id/:language': isMissing('reel', (id) => `/api/reel/captions/${id}/en`),
  'POST /api/reel/increaseView/:id': isMissing(
    'reel',
    (id) => `/api/reel/increaseView/${id}`,
    () => ({}),
  ),
  'POST /api/reel/watched': {
    ignores: () => ({ url: '/api/reel/watched', payload: { watched: [{ lease: 'not one', seconds: 5 }] } }),
  },
  'POST /api/reel/like/:id': isMissing('reel', (id) => `/api/reel/like/${id}`),
  'DELETE /api/reel/like/:id': isMissing('reel', (id) => `/api/reel/like/${id}`),
  'POST /api/liked': {
    hides: ({ reel, post }) => ({ url: '/api/liked', payload: { ids: [reel, post] } }),
    fresh: true,
  },
  'GET /api/reel/comments/:id': hides(({ reelOfThird }) => `/api/reel/comments/${reelOfThird}`),
  'POST /api/reel/comment/:id': isMissing(
    'reel',
    (id) => `/api/reel/comment/${id}`,
    () => ({ text: 'Nice', sentAs: v7() }),
  ),
  'DELETE /api/reel/comment/:id': isMissing('comment', (id) => `/api/reel/comment/${id}`),
  'POST /api/reel/share/:id': isMissing('reel', (id) => `/api/reel/share/${id}`),

  'GET /api/post/getallPostsall': hides(() => '/api/post/getallPostsall?limit=50'),
  'GET /api/post/getPost/:id': isMissing('post', (id) => `/api/post/getPost/${id}`),
  'GET /api/post/getFrienddata/:userId': isMissing('other', (id) => `/api/post/getFrienddata/${id}`),
  'POST /api/post/edit/:id': isMissing(
    'post',
    (id) => `/api/post/edit/${id}`,
    () => ({ caption: 'Said better' }),
  ),
  'DELETE /api/post/deletePost/:id': isMissing('post', (id) => `/api/post/deletePost/${id}`),
  'POST /api/post/like/:id': isMissing('post', (id) => `/api/post/like/${id}`),
  'DELETE /api/post/like/:id': isMissing('post', (id) => `/api/post/like/${id}`),

  'GET /api/story/getallStorys': hides(() => '/api/story/getallStorys?limit=50'),
  'GET /api/story/getFriendStorydata/:userId': isMissing(
    'other',
    (id) => `/api/story/getFriendStorydata/${id}`,
  ),
  'GET /api/story/people': hides(() => '/api/story/people?limit=50'),
  'GET /api/story/row': { hides: () => ({ url: '/api/story/row' }), fresh: true },
  'POST /api/story/seen/:id': isMissing('story', (id) => `/api/story/seen/${id}`),
  'DELETE /api/story/deleteStory/:id': isMissing('story', (id) => `/api/story/deleteStory/${id}`),

  'GET /api/notification/getNotifications/:userId': hides(
    ({ viewer }) => `/api/notification/getNotifications/${viewer.id}`,
  ),
  'POST /api/notification/markRead': {
    // Up to an unknown one: nothing is marked.
    hides: () => ({ url: `/api/notification/markRead?upTo=${v7()}` }),
    shows: ({ unread }) => unread !== 0,
  },

  'POST /api/report': {
    ignores: ({ reel }) => ({ url: '/api/report', payload: { kind: 'reel', id: reel, reason: 'copied' } }),
  },
  'POST /api/activity/save': {
    ignores: ({ reel }) => ({
      url: '/api/activity/save',
      payload: { events: [{ id: activityId, kind: 'scroll', reelId: reel }] },
    }),
  },

  'GET /api/oembed': 'another site asks, and not a person',

  ...calls(because.site, [
    'GET /api/config',
    'POST /api/playback',
    'GET /api/count/getCategoryCounts',
    'POST /api/contact/contact',
    'POST /api/feedback/feed',
    'GET /api/report/:number',
    'GET /api/decision/:id',
    'POST /api/decision/appeal/:id',
    'POST /api/link/download-video',
    'POST /api/instagram',
    'POST /api/payouts/webhook/razorpayx',
  ]),
  ...calls(because.caller, [
    'POST /api/signup',
    'POST /api/signin',
    'POST /api/password/forgot',
    'POST /api/password/reset',
    'POST /api/email/send-verification',
    'POST /api/email/change',
    'POST /api/email/verify',
    'POST /api/profile/language',
    'POST /api/logout',
    'POST /api/google-nonce',
    'POST /api/google-loginweb',
    'POST /api/link-google',
    'GET /api/link-google',
    'DELETE /api/link-google',
    'POST /api/profile/edit',
    'POST /api/profile/photo',
    'DELETE /api/profile/photo',
    'POST /api/profile/password',
    'POST /api/confirm',
    'POST /api/confirm/passkey',
    'POST /api/confirm/send-code',
    'GET /api/sessions',
    'DELETE /api/sessions/:id',
    'DELETE /api/sessions',
    'GET /api/delete/:userId',
    'DELETE /api/delete/:userId',
    'POST /api/export',
    'GET /api/export/:ticket',
    'POST /api/notification/register',
    'POST /api/notification/unregister',
    'GET /api/push',
    'PUT /api/push',
    'POST /api/push/subscribe',
    'POST /api/push/unsubscribe',
    'GET /api/passkeys',
    'POST /api/passkeys/begin',
    'POST /api/passkeys/begin-login',
    'POST /api/passkeys',
    'POST /api/passkeys/login',
    'PUT /api/passkeys/:id',
    'DELETE /api/passkeys/:id',
    'PUT /api/taste',
    'DELETE /api/taste/watched',
    'GET /api/second-factor',
    ...['begin', 'give', 'recovery-codes', 'finish'].map((step) => `POST /api/second-factor/${step}`),
  ]),
  ...calls(because.upload, [
    'POST /api/s3Reel/uploadReels',
    'POST /api/s3Post/uploadPosts',
    'POST /api/s3Story/uploadStorys',
    'POST /api/uploads/:key/finish',
  ]),
  ...calls(because.publication, ['POST /api/reel/add', 'POST /api/post/add', 'POST /api/story/add']),
  ...calls(because.money, [
    'GET /api/payout/destination',
    'PUT /api/payout/destination',
    'DELETE /api/payout/destination',
    'GET /api/reel/totalViewsByUser/:userId',
    'GET /api/post/likedPosts/count/:userId',
    'POST /api/user-earnings/update-status',
    'GET /api/user-earnings/history/:userId',
    'GET /api/user-earnings/withdraw-status/:userId',
    'GET /api/user-earnings/allrequests/:userId',
    'POST /api/user-earnings/look',
    'POST /api/user-earnings/cancel',
    'POST /api/user-earnings/request',
    'GET /api/user-earnings/month/:userId/:month',
    'GET /api/user-earnings/reel-views',
    'GET /api/user-earnings/yesterday',
    'GET /api/user-earnings/reel/:id',
    'GET /api/user-earnings/statement/:userId/:month',
    'GET /api/user-earnings/activity/:userId',
  ]),
  ...calls(because.copies, ['POST /api/copies/ask']),
};

/** The rule of a call; operators' calls have one rule together. */
export const blockRuleOf = (name: string): BlockRule | undefined =>
  name.includes(' /api/operator/') ? because.operators : blockRules[name];
