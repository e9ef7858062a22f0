import { v7 } from 'uuid';
import { photoFile } from '#server/media/file-names.ts';
import { copyInReview } from '../fixtures/earnings.ts';
import { photoIn } from '../fixtures/posts.ts';
import { call, multipart, signUpSomebody } from '../servers/test-server.ts';
import { type Actor, actors, type World } from './fixtures.ts';

export interface Asked {
  url: string;
  payload?: object | Buffer;
  headers?: Record<string, string>;
}

export interface AccessCall {
  /** The request, for something that belongs to the owner. */
  ask: (world: World, actor: Actor) => Asked | Promise<Asked>;
  /** The response to operators contains people's addresses. */
  showsAddresses?: boolean;
  /** Only the owner may call it; other signed-in people are refused with 403. */
  own?: boolean;
  /** Status per actor, if it differs from what the call's `access` says. */
  expect?: Partial<Record<Actor, number>>;
}

/** The key of a picture whose files are there. */
async function storedPicture(server: World['server']): Promise<string> {
  const { db, dataDir } = server;
  const { id } = await signUpSomebody(server);
  return await photoIn(db, dataDir, id, '#7664e8', new Date());
}

const at = (url: string): AccessCall => ({ ask: () => ({ url }) });
const ofOwner = (path: string, more: Partial<AccessCall> = {}): AccessCall => ({
  ask: ({ owner }) => ({ url: `${path}/${owner.id}` }),
  ...more,
});
const send = async (url: string, bytes: Uint8Array<ArrayBuffer>): Promise<Asked> => ({
  url,
  ...(await multipart(bytes)),
});
/** Signed-in people act for themselves: each publishes an upload of their own. */
const personOf = (world: World, actor: Actor) => (actor === 'other' ? world.other : world.owner);
const deadAreUnknown = { suspended: 401, deleted: 401, 'logged out': 401, malformed: 401, nobody: 401 };
const everybody = (status: number) =>
  Object.fromEntries(actors.map((actor) => [actor, status])) as Record<Actor, number>;
/** Valid in form, but nobody's. */
const aCredential = (...fields: string[]) => ({
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: Object.fromEntries(['clientDataJSON', ...fields].map((field) => [field, 'e30'])),
});
const aBrowser = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/a',
  keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16).toString('base64url') },
};
let names = 0;

/** The request of each call of the contract, and who may send it. A call without a line here fails the test. */
export const calls: Record<string, AccessCall> = {
  'GET /api/config': at('/api/config'),
  'POST /api/playback': {
    ask: () => ({
      url: '/api/playback',
      payload: {
        figures: [{ firstFrameMs: 240, stalls: 0, stalledMs: 0, watchedMs: 9000, rendition: 540 }],
      },
    }),
  },
  'GET /api/count/getCategoryCounts': at('/api/count/getCategoryCounts'),
  'GET /api/trending': at('/api/trending'),
  'GET /api/search': at('/api/search?q=asha'),
  'GET /api/tag/:tag': {
    async ask({ reel }) {
      await reel();
      return { url: '/api/tag/today' };
    },
  },
  'GET /api/oembed': {
    async ask({ server, reel }) {
      const page = `${server.origin}/videoplayer?reel=${await reel()}`;
      return { url: `/api/oembed?url=${encodeURIComponent(page)}` };
    },
  },

  'POST /api/signup': {
    ask() {
      names += 1;
      const username = `newcomer${process.pid}x${names}`;
      return {
        url: '/api/signup',
        payload: {
          name: 'New',
          username,
          email: `${username}@people.example`,
          password: 'a password',
          cpassword: 'a password',
        },
      };
    },
  },
  'POST /api/signin': {
    // The password proves who the person is, so the response is meant for them.
    async ask({ server }) {
      const { email } = await signUpSomebody(server);
      return { url: '/api/signin', payload: { email, password: 'correct horse' } };
    },
  },
  'POST /api/userdata': { ask: () => ({ url: '/api/userdata', payload: {} }), expect: deadAreUnknown },
  // The site of these tests sends no mail.
  'POST /api/password/forgot': {
    ask: () => ({ url: '/api/password/forgot', payload: { email: 'somebody@people.example' } }),
    expect: everybody(404),
  },
  'POST /api/password/reset': {
    ask: () => ({
      url: '/api/password/reset',
      payload: { token: 'not one', password: 'a password', cpassword: 'a password' },
    }),
    expect: everybody(410),
  },
  'POST /api/email/send-verification': {
    ask: () => ({ url: '/api/email/send-verification' }),
    expect: { other: 404, owner: 404, operator: 404 },
  },
  'POST /api/email/change': {
    ask: () => ({ url: '/api/email/change', payload: { email: 'new@people.example' } }),
    expect: { other: 404, owner: 404, operator: 404 },
  },
  'POST /api/email/verify': {
    ask: () => ({ url: '/api/email/verify', payload: { token: 'not one' } }),
    expect: { other: 410, owner: 410, operator: 410 },
  },
  'POST /api/profile/language': {
    ask: () => ({ url: '/api/profile/language', payload: { language: 'hi' } }),
  },
  // Without a token: it would end the session that the other calls use.
  'POST /api/logout': { ask: () => ({ url: '/api/logout', payload: {}, headers: { authorization: '' } }) },

  // Google login is not set up here; it has tests of its own.
  'POST /api/google-nonce': {
    ask: () => ({ url: '/api/google-nonce' }),
    expect: everybody(404),
  },
  'POST /api/google-loginweb': {
    ask: () => ({ url: '/api/google-loginweb', payload: { idToken: 'x.y.z' } }),
    expect: everybody(404),
  },
  'POST /api/link-google': {
    ask: () => ({ url: '/api/link-google', payload: { idToken: 'x.y.z' } }),
    expect: { other: 404, owner: 404, operator: 404 },
  },
  'GET /api/link-google': at('/api/link-google'),
  'DELETE /api/link-google': at('/api/link-google'),

  'GET /api/getuser/:id': ofOwner('/api/getuser'),
  'GET /api/getallUser': at('/api/getallUser'),
  'GET /api/followers/:userId': ofOwner('/api/followers'),
  'GET /api/following/:userId': ofOwner('/api/following'),
  'POST /api/followed': {
    ask: async (world) => ({ url: '/api/followed', payload: { ids: [(await world.person()).id] } }),
  },
  'POST /api/follow/:userId': {
    ask: async (world) => ({ url: `/api/follow/${(await world.person()).id}` }),
  },
  'DELETE /api/follow/:userId': {
    ask: async (world) => ({ url: `/api/follow/${(await world.person()).id}` }),
  },
  'POST /api/block/:userId': {
    ask: async (world) => ({ url: `/api/block/${(await world.person()).id}` }),
  },
  'DELETE /api/block/:userId': {
    ask: async (world) => ({ url: `/api/block/${(await world.person()).id}` }),
  },
  'GET /api/block': at('/api/block'),

  'POST /api/profile/edit': { ask: () => ({ url: '/api/profile/edit', payload: { name: 'Another' } }) },
  'POST /api/profile/photo': { ask: ({ jpeg }) => send('/api/profile/photo', jpeg) },
  'DELETE /api/profile/photo': at('/api/profile/photo'),
  // The right form with the wrong password: the session is needed by the rest of this test.
  'POST /api/profile/password': {
    ask: () => ({
      url: '/api/profile/password',
      payload: { password: 'not it', newPassword: 'a new password', cpassword: 'a new password' },
    }),
    expect: { other: 403, owner: 403, operator: 403 },
  },

  'POST /api/confirm': {
    ask: () => ({ url: '/api/confirm', payload: { act: 'export', password: 'correct horse' } }),
  },
  'GET /api/payout/destination': at('/api/payout/destination'),
  'PUT /api/payout/destination': {
    ask: () => ({ url: '/api/payout/destination', payload: { kind: 'upi', vpa: 'asha@okaxis' } }),
  },
  // Only the payer's signature counts, not the caller.
  'POST /api/payouts/webhook/razorpayx': {
    ask: () => ({ url: '/api/payouts/webhook/razorpayx', payload: {} }),
    expect: everybody(401),
  },
  'DELETE /api/payout/destination': at('/api/payout/destination'),
  'GET /api/sessions': at('/api/sessions'),
  // Sessions of other people do not exist for anybody.
  'DELETE /api/sessions/:id': {
    // The session that ends is not used afterwards.
    async ask({ server }, actor) {
      const person = await signUpSomebody(server);
      const { data } = await call(server, { url: '/api/sessions', headers: person.headers });
      return {
        url: `/api/sessions/${data[0]._id}`,
        ...(actor === 'owner' ? { headers: person.headers } : {}),
      };
    },
    expect: { other: 404, operator: 404 },
  },
  'DELETE /api/sessions': at('/api/sessions'),

  'GET /api/delete/:userId': ofOwner('/api/delete', { own: true }),
  'DELETE /api/delete/:userId': {
    // The owner that is deleted is not used afterwards.
    async ask({ server, owner }, actor) {
      if (actor !== 'owner') return { url: `/api/delete/${owner.id}` };
      const { id, headers } = await signUpSomebody(server);
      return { url: `/api/delete/${id}`, headers };
    },
    own: true,
  },
  'POST /api/export': at('/api/export'),
  // The URL itself authorizes the download, once; here nobody has one.
  'GET /api/export/:ticket': {
    ask: () => ({ url: `/api/export/${'x'.repeat(43)}` }),
    expect: everybody(404),
  },

  'GET /api/reel/getallReels': at('/api/reel/getallReels'),
  'GET /api/reel/getReel/:id': { ask: async (world) => ({ url: `/api/reel/getReel/${await world.reel()}` }) },
  'GET /api/reel/getFrienddata/:userId': ofOwner('/api/reel/getFrienddata'),
  'POST /api/s3Reel/uploadReels': { ask: ({ clip }) => send('/api/s3Reel/uploadReels', clip) },
  // For others it does not exist.
  'POST /api/uploads/:key/finish': {
    ask: async (world) => ({ url: `/api/uploads/${await world.sent()}/finish` }),
    expect: { other: 404, operator: 404 },
  },
  'POST /api/reel/add': {
    ask: async (world, actor) => ({
      url: '/api/reel/add',
      payload: { videoKey: await world.upload('video', personOf(world, actor)) },
    }),
    // The upload of another person does not exist for them.
    expect: { operator: 409 },
  },
  'POST /api/reel/edit/:id': {
    ask: async (world) => ({
      url: `/api/reel/edit/${await world.reel(world.owner)}`,
      payload: { caption: 'Said better' },
    }),
    own: true,
  },
  'DELETE /api/reel/deleteReel/:id': {
    ask: async (world) => ({ url: `/api/reel/deleteReel/${await world.reel()}` }),
    own: true,
  },
  'POST /api/reel/captions/:id/:language': {
    ask: async (world) =>
      send(
        `/api/reel/captions/${await world.reel()}/en`,
        Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nHello'),
      ),
    own: true,
  },
  'DELETE /api/reel/captions/:id/:language': {
    ask: async (world) => ({ url: `/api/reel/captions/${await world.reel()}/en` }),
    own: true,
  },
  'POST /api/reel/increaseView/:id': {
    ask: async (world) => ({ url: `/api/reel/increaseView/${await world.reel()}` }),
  },
  // Without the lease of a showing nothing counts, and the response does not say so.
  'POST /api/reel/watched': {
    ask: () => ({ url: '/api/reel/watched', payload: { watched: [{ lease: 'not one', seconds: 5 }] } }),
  },
  'POST /api/feed/forYou': { ask: () => ({ url: '/api/feed/forYou', payload: {} }) },
  'POST /api/feed/reels': {
    ask: async (world) => ({ url: '/api/feed/reels', payload: { ids: [await world.reel()] } }),
  },
  'GET /api/feed/following': at('/api/feed/following'),
  'GET /api/taste': at('/api/taste'),
  'PUT /api/taste': { ask: () => ({ url: '/api/taste', payload: { on: true, adult: true } }) },
  'DELETE /api/taste/watched': at('/api/taste/watched'),
  'POST /api/taste/watched': {
    ask: async (world) => ({
      url: '/api/taste/watched',
      payload: { watched: [{ _id: await world.reel(), toEnd: true }] },
    }),
  },
  'POST /api/reel/like/:id': { ask: async (world) => ({ url: `/api/reel/like/${await world.reel()}` }) },
  'DELETE /api/reel/like/:id': { ask: async (world) => ({ url: `/api/reel/like/${await world.reel()}` }) },
  'POST /api/liked': {
    ask: async (world) => ({ url: '/api/liked', payload: { ids: [await world.reel()] } }),
  },
  'GET /api/reel/comments/:id': {
    ask: async (world) => ({ url: `/api/reel/comments/${await world.reel()}` }),
  },
  'POST /api/reel/comment/:id': {
    ask: async (world) => ({
      url: `/api/reel/comment/${await world.reel()}`,
      payload: { text: 'Nice', sentAs: v7() },
    }),
  },
  'DELETE /api/reel/comment/:id': {
    ask: async (world) => ({ url: `/api/reel/comment/${await world.comment()}` }),
    own: true,
  },
  'POST /api/reel/share/:id': { ask: async (world) => ({ url: `/api/reel/share/${await world.reel()}` }) },

  // A link of another site: people with access get that message, others get none.
  'POST /api/link/download-video': {
    ask: () => ({ url: '/api/link/download-video', payload: { link: 'https://elsewhere.example/x' } }),
    expect: everybody(400),
  },
  'POST /api/instagram': {
    ask: () => ({ url: '/api/instagram', payload: { url: 'https://elsewhere.example/x' } }),
    expect: { other: 400, owner: 400, operator: 400 },
  },

  'GET /api/post/getallPostsall': at('/api/post/getallPostsall'),
  'GET /api/post/getPost/:id': { ask: async (world) => ({ url: `/api/post/getPost/${await world.post()}` }) },
  'GET /api/post/getFrienddata/:userId': ofOwner('/api/post/getFrienddata'),
  'POST /api/s3Post/uploadPosts': { ask: ({ jpeg }) => send('/api/s3Post/uploadPosts', jpeg) },
  'POST /api/post/add': {
    ask: async (world, actor) => ({
      url: '/api/post/add',
      payload: { fileName: await world.upload('photo', personOf(world, actor)) },
    }),
    expect: { operator: 409 },
  },
  'POST /api/post/edit/:id': {
    ask: async (world) => ({
      url: `/api/post/edit/${await world.post(world.owner)}`,
      payload: { caption: 'Said better' },
    }),
    own: true,
  },
  'DELETE /api/post/deletePost/:id': {
    ask: async (world) => ({ url: `/api/post/deletePost/${await world.post()}` }),
    own: true,
  },
  'POST /api/post/like/:id': { ask: async (world) => ({ url: `/api/post/like/${await world.post()}` }) },
  'DELETE /api/post/like/:id': { ask: async (world) => ({ url: `/api/post/like/${await world.post()}` }) },

  'GET /api/story/getallStorys': at('/api/story/getallStorys'),
  'GET /api/story/people': at('/api/story/people'),
  'GET /api/story/row': at('/api/story/row'),
  'POST /api/story/seen/:id': { ask: async (world) => ({ url: `/api/story/seen/${await world.story()}` }) },
  'GET /api/story/getFriendStorydata/:userId': ofOwner('/api/story/getFriendStorydata'),
  'POST /api/s3Story/uploadStorys': { ask: ({ jpeg }) => send('/api/s3Story/uploadStorys', jpeg) },
  'POST /api/story/add': {
    ask: async (world, actor) => ({
      url: '/api/story/add',
      payload: { fileName: await world.upload('photo', personOf(world, actor)) },
    }),
    expect: { operator: 409 },
  },
  'DELETE /api/story/deleteStory/:id': {
    ask: async (world) => ({ url: `/api/story/deleteStory/${await world.story()}` }),
    own: true,
  },

  'GET /api/notification/getNotifications/:userId': ofOwner('/api/notification/getNotifications', {
    own: true,
  }),
  'POST /api/notification/markRead': at('/api/notification/markRead'),
  'POST /api/notification/register': {
    ask: () => ({ url: '/api/notification/register', payload: { device: v7(), platform: 'ios' } }),
  },
  'POST /api/notification/unregister': {
    ask: () => ({ url: '/api/notification/unregister', payload: { device: v7() } }),
  },

  'GET /api/reel/totalViewsByUser/:userId': ofOwner('/api/reel/totalViewsByUser', { own: true }),
  'GET /api/post/likedPosts/count/:userId': ofOwner('/api/post/likedPosts/count', { own: true }),
  'POST /api/user-earnings/update-status': {
    ask: ({ owner }) => ({
      url: '/api/user-earnings/update-status',
      payload: { userId: owner.id, month: '2025-01', coins: 1, breakdown: {} },
    }),
    own: true,
  },
  'GET /api/user-earnings/history/:userId': ofOwner('/api/user-earnings/history', { own: true }),
  'GET /api/user-earnings/withdraw-status/:userId': ofOwner('/api/user-earnings/withdraw-status', {
    own: true,
  }),
  'GET /api/user-earnings/allrequests/:userId': ofOwner('/api/user-earnings/allrequests', { own: true }),
  'POST /api/user-earnings/look': {
    // Nothing waits: only the owner may learn that.
    ask: ({ owner }) => ({ url: '/api/user-earnings/look', payload: { userId: owner.id } }),
    own: true,
    expect: { owner: 409 },
  },
  'POST /api/user-earnings/cancel': {
    // Nobody requested the month: everybody acts for themselves.
    ask: () => ({ url: '/api/user-earnings/cancel', payload: { month: '2025-01' } }),
    expect: { other: 404, owner: 404, operator: 404 },
  },
  'POST /api/user-earnings/request': {
    // The month earned too little: only the owner may learn that.
    ask: ({ owner }) => ({
      url: '/api/user-earnings/request',
      payload: { userId: owner.id, month: '2025-01', totalRupee: '1.00' },
    }),
    own: true,
    expect: { owner: 409 },
  },
  'GET /api/user-earnings/month/:userId/:month': {
    ask: ({ owner }) => ({ url: `/api/user-earnings/month/${owner.id}/2025-01` }),
    own: true,
  },
  'GET /api/user-earnings/reel-views': { ask: () => ({ url: `/api/user-earnings/reel-views?ids=${v7()}` }) },
  'GET /api/user-earnings/yesterday': { ask: () => ({ url: '/api/user-earnings/yesterday' }) },
  // For others it does not exist.
  'GET /api/user-earnings/reel/:id': {
    ask: async (world) => ({ url: `/api/user-earnings/reel/${await world.reel()}` }),
    expect: { other: 404, operator: 404 },
  },
  'GET /api/user-earnings/statement/:userId/:month': {
    ask: ({ owner }) => ({ url: `/api/user-earnings/statement/${owner.id}/2025-01` }),
    own: true,
  },
  'POST /api/activity/save': {
    ask: async (world) => ({
      url: '/api/activity/save',
      payload: { events: [{ id: v7(), kind: 'scroll', reelId: await world.reel() }] },
    }),
  },
  'GET /api/user-earnings/activity/:userId': ofOwner('/api/user-earnings/activity', { own: true }),

  'GET /api/push': at('/api/push'),
  'PUT /api/push': { ask: () => ({ url: '/api/push', payload: { off: [] } }) },
  'POST /api/push/subscribe': { ask: () => ({ url: '/api/push/subscribe', payload: aBrowser }) },
  'POST /api/push/unsubscribe': {
    ask: () => ({ url: '/api/push/unsubscribe', payload: { endpoint: aBrowser.endpoint } }),
  },
  'GET /api/passkeys': at('/api/passkeys'),
  'POST /api/passkeys/begin': at('/api/passkeys/begin'),
  'POST /api/passkeys/begin-login': at('/api/passkeys/begin-login'),
  'POST /api/confirm/passkey': {
    ask: () => ({ url: '/api/confirm/passkey', payload: { act: 'export' } }),
  },
  'POST /api/passkeys': {
    ask: () => ({
      url: '/api/passkeys',
      payload: { credential: aCredential('attestationObject'), name: 'A' },
    }),
    expect: { other: 403, owner: 403, operator: 403 },
  },
  'POST /api/passkeys/login': {
    ask: () => ({
      url: '/api/passkeys/login',
      payload: { credential: aCredential('authenticatorData', 'signature') },
    }),
    expect: everybody(403),
  },
  'PUT /api/passkeys/:id': {
    ask: () => ({ url: `/api/passkeys/${v7()}`, payload: { name: 'A' } }),
    expect: { other: 404, owner: 404, operator: 404 },
  },
  'DELETE /api/passkeys/:id': {
    ask: () => ({ url: `/api/passkeys/${v7()}` }),
    expect: { other: 404, owner: 404, operator: 404 },
  },
  'POST /api/confirm/send-code': {
    ask: () => ({ url: '/api/confirm/send-code', payload: { act: 'export' } }),
    // This site sends no mail.
    expect: { other: 404, owner: 404, operator: 404 },
  },
  'GET /api/second-factor': at('/api/second-factor'),
  // For operators, with a code.
  ...Object.fromEntries(
    ['begin', 'give', 'recovery-codes', 'finish'].map((step) => [
      `POST /api/second-factor/${step}`,
      {
        ask: () => ({
          url: `/api/second-factor/${step}`,
          payload: { [step === 'begin' ? 'code' : 'totp']: '123456' },
        }),
        expect: { other: 403, owner: 403, operator: 403 },
      },
    ]),
  ),

  'POST /api/contact/contact': {
    ask: () => ({
      url: '/api/contact/contact',
      payload: { name: 'A', email: 'a@people.example', text: 'Hello' },
    }),
  },
  'POST /api/feedback/feed': { ask: () => ({ url: '/api/feedback/feed', payload: { text: 'Good' } }) },
  'POST /api/report': {
    ask: async (world) => ({
      url: '/api/report',
      payload: { kind: 'person', id: (await world.person()).id, reason: 'spam' },
    }),
  },
  'GET /api/report/:number': {
    ask: async (world) => ({ url: `/api/report/${await world.reportNumber(await world.report())}` }),
  },

  'POST /api/decision/appeal/:id': {
    ask: async (world) => ({
      url: `/api/decision/appeal/${await world.decision()}`,
      payload: { text: 'It is mine' },
    }),
  },
  'GET /api/decision/:id': { ask: async (world) => ({ url: `/api/decision/${await world.decision()}` }) },

  'GET /api/operator/withdrawals': { ...at('/api/operator/withdrawals'), showsAddresses: true },
  'GET /api/operator/withdrawals/:id': {
    ask: async (world) => ({ url: `/api/operator/withdrawals/${await world.withdrawal()}` }),
    showsAddresses: true,
  },
  'GET /api/operator/payouts/batches': at('/api/operator/payouts/batches'),
  'GET /api/operator/payouts/batches/:id': {
    ask: async (world) => ({ url: `/api/operator/payouts/batches/${await world.batch()}` }),
  },
  'POST /api/operator/payouts/batches': {
    ask: async (world) => ({
      url: '/api/operator/payouts/batches',
      payload: { withdrawals: [await world.withdrawal()] },
    }),
  },
  'POST /api/operator/payouts/batches/approve/:id': {
    ask: async (world) => ({
      url: `/api/operator/payouts/batches/approve/${await world.batch('proposed')}`,
      payload: {},
    }),
  },
  'POST /api/operator/payouts/batches/send/:id': {
    ask: async (world) => ({
      url: `/api/operator/payouts/batches/send/${await world.batch()}`,
      payload: {},
    }),
    showsAddresses: true,
  },
  'POST /api/operator/payouts/batches/cancel/:id': {
    ask: async (world) => ({
      url: `/api/operator/payouts/batches/cancel/${await world.batch()}`,
      payload: {},
    }),
  },
  'POST /api/operator/payouts/record': {
    ask: () => ({
      url: '/api/operator/payouts/record',
      payload: { payments: [{ id: v7(), state: 'failed', reason: 'No' }] },
    }),
  },
  'GET /api/operator/payouts/lock': at('/api/operator/payouts/lock'),
  'POST /api/operator/payouts/name': {
    ask: async (world) => ({
      url: '/api/operator/payouts/name',
      payload: { payment: await world.unmatchedPayment(), other: 'The rent' },
    }),
  },
  'POST /api/operator/payouts/reconcile': {
    ask: async (world) => {
      await world.unmatchedPayment();
      return {
        url: '/api/operator/payouts/reconcile',
        payload: { payments: [{ id: v7(), state: 'failed', reason: 'No' }] },
      };
    },
  },
  'GET /api/operator/withdrawals/totals/:year': at('/api/operator/withdrawals/totals/2025'),
  'POST /api/operator/withdrawals/complete/:id': {
    ask: async (world) => ({
      url: `/api/operator/withdrawals/complete/${await world.withdrawal()}`,
      payload: { reference: v7() },
    }),
  },
  'POST /api/operator/withdrawals/reject/:id': {
    ask: async (world) => ({
      url: `/api/operator/withdrawals/reject/${await world.withdrawal()}`,
      payload: { reason: 'No' },
    }),
  },
  'POST /api/copies/ask': {
    ask: async ({ owner, server }) => ({
      url: '/api/copies/ask',
      payload: { kind: 'post', id: await copyInReview(server.db, new Date(), owner.id) },
    }),
    expect: { other: 404, operator: 404 },
  },
  'GET /api/operator/copies': at('/api/operator/copies'),
  'GET /api/operator/copies/:id': {
    ask: async ({ server }) => ({
      url: `/api/operator/copies/${await copyInReview(server.db, new Date())}`,
    }),
  },
  'GET /api/operator/copies/picture/:id/:work': {
    ask: async ({ server }) => {
      const id = await copyInReview(server.db, new Date());
      const media_key = await storedPicture(server);
      await server.db.updateTable('posts').set({ media_key }).where('id', '=', id).execute();
      return { url: `/api/operator/copies/picture/${id}/${id}` };
    },
  },
  'POST /api/operator/copies/decide/:id': {
    ask: async ({ server }) => ({
      url: `/api/operator/copies/decide/${await copyInReview(server.db, new Date())}`,
      payload: { verdict: 'copy', reason: 'It is the same' },
    }),
  },
  'GET /api/operator/months/waiting': at('/api/operator/months/waiting'),
  'POST /api/operator/months/release': {
    ask: async (world) => ({
      url: '/api/operator/months/release',
      payload: { month: '2025-01', userId: (await world.person()).id, reason: 'A new site' },
    }),
  },
  'POST /api/operator/months/void': {
    ask: async (world) => ({
      url: '/api/operator/months/void',
      payload: { month: '2025-01', userId: (await world.person()).id, reason: 'A script' },
    }),
  },
  // A visitor may have written an address, to be answered.
  'GET /api/operator/reports': { ...at('/api/operator/reports'), showsAddresses: true },
  'GET /api/operator/reports/counts': at('/api/operator/reports/counts'),
  'GET /api/operator/reports/:id': {
    ask: async (world) => ({ url: `/api/operator/reports/${await world.report()}` }),
    showsAddresses: true,
  },
  'GET /api/operator/reports/evidence/:id/:part': {
    ask: async (world) => {
      const id = await world.report();
      const { evidence } = await world.server.db
        .selectFrom('cases')
        .select('evidence')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const picture = { key: await storedPicture(world.server), file: photoFile };
      await world.server.db
        .updateTable('cases')
        .set({ evidence: JSON.stringify({ ...evidence, picture }) } as never)
        .where('id', '=', id)
        .execute();
      return { url: `/api/operator/reports/evidence/${id}/picture` };
    },
  },
  'GET /api/operator/reports/versions/:id': {
    ask: async (world) => ({ url: `/api/operator/reports/versions/${await world.reel()}` }),
  },
  'POST /api/operator/reports/take-down': {
    ask: async (world) => ({
      url: '/api/operator/reports/take-down',
      payload: {
        target: `reel:${await world.reel(await world.person())}`,
        what: 'copy',
        rule: 'spam',
        reason: 'Spam',
      },
    }),
  },
  'POST /api/operator/reports/restore': {
    ask: async (world) => ({
      url: '/api/operator/reports/restore',
      payload: { target: `story:${await world.story()}` },
    }),
  },
  'POST /api/operator/reports/look/:id': {
    ask: async (world) => ({ url: `/api/operator/reports/look/${await world.report()}` }),
  },
  'POST /api/operator/reports/take-up/:id': {
    ask: async (world) => ({ url: `/api/operator/reports/take-up/${await world.report()}` }),
  },
  'POST /api/operator/reports/close/:id': {
    ask: async (world) => ({
      url: `/api/operator/reports/close/${await world.report()}`,
      payload: { reason: 'Harmless' },
    }),
  },
  'POST /api/operator/reports/release/:id': {
    ask: async (world) => ({ url: `/api/operator/reports/release/${await world.report()}` }),
  },
  'POST /api/operator/reports/note/:id': {
    ask: async (world) => ({
      url: `/api/operator/reports/note/${await world.report()}`,
      payload: { text: 'Seen before' },
    }),
  },
  'POST /api/operator/reports/label': {
    ask: async (world) => ({
      url: '/api/operator/reports/label',
      payload: {
        target: `reel:${await world.reel(await world.person())}`,
        rule: 'violence',
        reason: 'A fight',
      },
    }),
  },
  'POST /api/operator/reports/unlabel': {
    ask: async (world) => ({
      url: '/api/operator/reports/unlabel',
      payload: { target: `reel:${await world.reel()}` },
    }),
  },
  'POST /api/operator/reports/decide-many': {
    ask: async (world) => ({
      url: '/api/operator/reports/decide-many',
      payload: { ids: [await world.report()], act: 'close', reason: 'Harmless' },
    }),
  },
  'POST /api/operator/reports/merge/:id': {
    ask: async (world) => ({
      url: `/api/operator/reports/merge/${await world.report()}`,
      payload: { ids: [await world.report()], reason: 'One matter' },
    }),
  },
  'POST /api/operator/reports/unmerge/:id': {
    ask: async (world) => ({ url: `/api/operator/reports/unmerge/${await world.report()}` }),
  },
  'POST /api/operator/reports/answer/:id': {
    ask: async (world) => ({
      url: `/api/operator/reports/answer/${await world.appeal()}`,
      payload: { answer: 'upheld', reason: 'It is not theirs' },
    }),
  },
  'POST /api/operator/orders': {
    ask: async (world) => ({
      url: '/api/operator/orders',
      payload: { target: `post:${await world.post()}`, text: 'Order 12 of the court' },
    }),
  },
  'GET /api/operator/people': { ...at('/api/operator/people?q=somebody'), showsAddresses: true },
  'GET /api/operator/people/:id': {
    ask: async (world) => ({ url: `/api/operator/people/${(await world.person()).id}` }),
    showsAddresses: true,
  },
  'POST /api/operator/people/reset-link/:id': {
    ask: async (world) => ({ url: `/api/operator/people/reset-link/${(await world.person()).id}` }),
  },
  'POST /api/operator/people/suspend/:id': {
    ask: async (world) => ({
      url: `/api/operator/people/suspend/${(await world.person()).id}`,
      payload: { rule: 'spam', reason: 'Spam' },
    }),
    showsAddresses: true,
  },
  'POST /api/operator/people/restore/:id': {
    ask: async (world) => ({ url: `/api/operator/people/restore/${(await world.person()).id}` }),
    showsAddresses: true,
  },
  'POST /api/operator/people/mute/:id': {
    ask: async (world) => ({
      url: `/api/operator/people/mute/${(await world.person()).id}`,
      payload: { days: 7, reason: 'Reports everything' },
    }),
    showsAddresses: true,
  },
  'POST /api/operator/people/unmute/:id': {
    ask: async (world) => ({ url: `/api/operator/people/unmute/${(await world.person()).id}` }),
    showsAddresses: true,
  },
  'POST /api/operator/people/role/:id': {
    ask: async (world) => ({
      url: `/api/operator/people/role/${(await world.person()).id}`,
      payload: { role: 'administrator' },
    }),
    showsAddresses: true,
  },
  'GET /api/operator/messages': { ...at('/api/operator/messages'), showsAddresses: true },
  'GET /api/operator/media': at('/api/operator/media'),
  'GET /api/operator/media/:id': {
    ask: async (world) => ({ url: `/api/operator/media/${await world.failedReel()}` }),
  },
  'POST /api/operator/media/retry/:id': {
    ask: async (world) => ({
      url: `/api/operator/media/retry/${await world.failedReel()}`,
      payload: { reason: 'The disk was full' },
    }),
  },
  'GET /api/operator/ledger/audit': at('/api/operator/ledger/audit'),
  'GET /api/operator/media/audit': at('/api/operator/media/audit'),
  'GET /api/operator/ledger/differences': at('/api/operator/ledger/differences'),
  'GET /api/operator/ledger/differences/:id': {
    ask: async (world) => ({ url: `/api/operator/ledger/differences/${await world.difference()}` }),
  },
  'GET /api/operator/ledger/entries': at('/api/operator/ledger/entries'),
  'GET /api/operator/ledger/entries/:id': {
    ask: async (world) => ({ url: `/api/operator/ledger/entries/${await world.ledgerEntry()}` }),
  },
  'GET /api/operator/ledger/export/:year': at('/api/operator/ledger/export/2026'),
  'GET /api/operator/ledger/last-audit': at('/api/operator/ledger/last-audit'),
  'GET /api/operator/categories': at('/api/operator/categories'),
  'GET /api/operator/log': at('/api/operator/log'),
  'GET /api/operator/log/:id': {
    ask: async (world) => ({ url: `/api/operator/log/${await world.act()}` }),
  },
  'GET /api/operator/proposals': at('/api/operator/proposals'),
  ...Object.fromEntries(
    ['approve', 'decline'].map((answer) => [
      `POST /api/operator/proposals/${answer}/:id`,
      {
        // Whose act it is decides in the rule: a suspension is not for payers.
        ask: async (world: World) => ({
          url: `/api/operator/proposals/${answer}/${await world.proposal()}`,
          payload: answer === 'decline' ? { reason: 'No' } : {},
        }),
        expect: { payer: 403 },
      },
    ]),
  ),
  'GET /api/operator/today': at('/api/operator/today'),
  'GET /api/operator/figures': at('/api/operator/figures'),
};
