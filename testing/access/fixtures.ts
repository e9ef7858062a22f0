import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import type { OperatorRole } from '#contract/roles.ts';
import { appeal } from '#server/features/moderation/appeals.ts';
import { indexWork } from '#server/features/search-index/search-index.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId, newKey } from '#server/platform/ids.ts';
import { contextOn } from '../context.ts';
import { decidedAgainst } from '../fixtures/decisions.ts';
import { requestedWithdrawal } from '../fixtures/earnings.ts';
import { lockedPayouts, madeBatch, unlockedPayouts } from '../fixtures/payouts.ts';
import { proposedBy } from '../fixtures/proposals.ts';
import { failedReel, freshClip } from '../fixtures/reels.ts';
import { changeWorks } from '../fixtures/works.ts';
import { makeOperator } from '../servers/operators.ts';
import { type Person, signUpSomebody, type TestServer } from '../servers/test-server.ts';

/** Every kind of caller. `owner` owns the requested content. */
export const actors = [
  'nobody',
  'other',
  'owner',
  /** An operator of each role; `operator` is an administrator. */
  'operator',
  'moderator',
  'payer',
  'suspended',
  'deleted',
  'logged out',
  'malformed',
] as const;
export type Actor = (typeof actors)[number];

/** The role of each operator. */
export const roleOfActor: Partial<Record<Actor, OperatorRole>> = {
  operator: 'administrator',
  moderator: 'moderator',
  payer: 'payer',
};
export const isOperator = (actor: Actor): boolean => roleOfActor[actor] !== undefined;

/** A caller of each kind, and new content of the owner for each call, so that no call affects another. */
export interface World {
  server: TestServer;
  owner: Person;
  other: Person;
  tokens: Record<Actor, string | undefined>;
  /** What a response to this actor must not contain: addresses of others, passwords, tokens. */
  secretsFrom(actor: Actor): string[];
  reel(creator?: Person): Promise<string>;
  post(creator?: Person): Promise<string>;
  story(creator?: Person): Promise<string>;
  comment(writer?: Person): Promise<string>;
  /** An undecided withdrawal of a month that earned a rupee. */
  withdrawal(): Promise<string>;
  /** A batch with such a withdrawal, which was not sent. */
  batch(state?: 'proposed' | 'approved'): Promise<string>;
  /** Locks payouts as after a restore, by a payment that matches nothing. `withdrawal` unlocks them again. */
  unmatchedPayment(): Promise<string>;
  /** An unanswered report of a post, by a visitor. */
  report(): Promise<string>;
  reportNumber(id: string): Promise<string>;
  /** A reel that failed, whose file is kept for another try. */
  failedReel(): Promise<string>;
  /** An act in the log of operators. */
  act(): Promise<string>;
  /** A step of a withdrawal in the ledger. */
  ledgerEntry(): Promise<string>;
  /** What the last audit found. */
  difference(): Promise<string>;
  /** A suspension that an operator proposed. */
  proposal(): Promise<string>;
  /** A decision against a post, by the id that its owner has. */
  decision(): Promise<string>;
  /** The case of an appeal against such a decision. */
  appeal(): Promise<string>;
  /** An uploaded file that is not published yet. */
  upload(kind: 'video' | 'photo', owner: Pick<Person, 'id'>): Promise<string>;
  /** A file of the owner that was uploaded in chunks and checked. */
  sent(): Promise<string>;
  person(): Promise<Person>;
  jpeg: Uint8Array<ArrayBuffer>;
  clip: Uint8Array<ArrayBuffer>;
}

export async function openWorld(server: TestServer): Promise<World> {
  const people: Person[] = [];
  const person = async () => {
    const one = await signUpSomebody(server);
    people.push(one);
    return one;
  };
  const [owner, other, operator, suspended, deleted, loggedOut, moderator, payer, proposer] =
    await Promise.all(Array.from({ length: 9 }, person));
  if (
    !owner ||
    !other ||
    !operator ||
    !suspended ||
    !deleted ||
    !loggedOut ||
    !moderator ||
    !payer ||
    !proposer
  )
    throw new Error('nobody came');
  const { db } = server;
  await makeOperator(server, operator.id);
  await makeOperator(server, moderator.id, undefined, 'moderator');
  await makeOperator(server, payer.id, undefined, 'payer');
  await db.updateTable('people').set({ suspended_at: new Date() }).where('id', '=', suspended.id).execute();
  await db.deleteFrom('people').where('id', '=', deleted.id).execute();
  await server.inject({ method: 'POST', url: '/api/logout', headers: loggedOut.headers });
  // The first request of a finished month closes it for the whole site, also if it is refused.
  await server.inject({
    method: 'POST',
    url: '/api/user-earnings/request',
    headers: owner.headers,
    payload: { userId: owner.id, month: '2025-01', totalRupee: '1.00' },
  });

  const picture = () => ({
    media_key: newKey(),
    sha256: randomBytes(32),
    placeholder: '',
    width: 640,
    height: 800,
    widths: [360, 640],
  });
  const reel = async (creator = owner) => {
    const now = new Date();
    const id = newId(now);
    const caption = 'A reel #today';
    const { widths: _, ...file } = picture();
    await changeWorks(db, (trx) =>
      trx
        .insertInto('reels')
        .values({
          ...file,
          id,
          creator_id: creator.id,
          caption,
          credit: '',
          categories: [],
          state: 'ready',
          uploaded_at: now,
          published_at: now,
        })
        .execute(),
    );
    await inTransaction(db, (trx) => indexWork(trx, { kind: 'reel', id, text: caption }, now));
    await db
      .updateTable('people')
      .set((eb) => ({ reel_count: eb('reel_count', '+', 1) }))
      .where('id', '=', creator.id)
      .execute();
    await db
      .insertInto('creator_months')
      .values({ creator_id: creator.id, month: monthNow(), reels: 100, posts: 100, stories: 100 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return id;
  };
  await hide(db, owner.id, picture);
  const world: World = {
    server,
    owner,
    other,
    tokens: {
      nobody: undefined,
      other: other.token,
      owner: owner.token,
      operator: operator.token,
      moderator: moderator.token,
      payer: payer.token,
      suspended: suspended.token,
      deleted: deleted.token,
      'logged out': loggedOut.token,
      malformed: 'malformed.token-of-nobody',
    },
    secretsFrom(actor) {
      const self = { other, owner, operator, moderator, payer }[actor as 'other'] as Person | undefined;
      const strangers = people.filter((one) => one !== self);
      const hidden = actor === 'owner' || isOperator(actor) ? [] : [privateMark];
      return ['$argon2', ...hidden, ...strangers.flatMap(({ email, token }) => [email, token])];
    },
    reel,
    async post(creator = owner) {
      await reel(creator);
      const now = new Date();
      const id = newId(now);
      await changeWorks(db, (trx) =>
        trx
          .insertInto('posts')
          .values({
            ...picture(),
            id,
            creator_id: creator.id,
            caption: 'A post',
            description: '',
            published_at: now,
          })
          .execute(),
      );
      await db
        .updateTable('people')
        .set((eb) => ({ post_count: eb('post_count', '+', 1) }))
        .where('id', '=', creator.id)
        .execute();
      return id;
    },
    async story(creator = owner) {
      await reel(creator);
      const now = new Date();
      const id = newId(now);
      await db
        .insertInto('stories')
        .values({ ...picture(), id, creator_id: creator.id, status_text: 'A story', published_at: now })
        .execute();
      return id;
    },
    async comment(writer = owner) {
      const now = new Date();
      const id = newId(now);
      const reel_id = await reel(writer);
      await db
        .insertInto('reel_comments')
        .values({
          id,
          reel_id,
          creator_id: writer.id,
          person_id: writer.id,
          text: 'Nice',
          sent_as: id,
          created_at: now,
        })
        .execute();
      await db.updateTable('reels').set({ comment_count: 1 }).where('id', '=', reel_id).execute();
      return id;
    },
    async withdrawal() {
      await unlockedPayouts(db);
      return (await requestedWithdrawal(server, (await person()).id, '2025-01')).id;
    },
    async batch(state = 'approved') {
      await unlockedPayouts(db);
      const creator = await person();
      // If the server has mail, an address that is not verified blocks payments.
      await server.db
        .updateTable('people')
        .set({ email_verified_at: new Date() })
        .where('id', '=', creator.id)
        .execute();
      const { id } = await requestedWithdrawal(server, creator.id, '2025-01');
      return await madeBatch(server, id, state);
    },
    failedReel: () => failedReel(db, owner.id),
    async act() {
      const now = new Date();
      const id = newId(now);
      const target = { act: 'site.backup', target_kind: 'site', target_id: '/backup/new', details: '{}' };
      await db
        .insertInto('audit_log')
        .values({ id, operator_id: null, operator: 'root', ...target, acted_at: now })
        .execute();
      return id;
    },
    async ledgerEntry() {
      const withdrawalId = await world.withdrawal();
      const row = db.selectFrom('ledger_transactions').select('id').where('withdrawal_id', '=', withdrawalId);
      return (await row.executeTakeFirstOrThrow()).id;
    },
    async difference() {
      const [id, found_at] = [newId(new Date()), new Date()];
      const values = { figure: id, recorded: '2', derived: '1' };
      await db
        .insertInto('audit_differences')
        .values({ ...values, id, what: 'month', about: owner.id, month: '2025-01', found_at })
        .execute();
      return id;
    },
    proposal: async () => proposedBy(db, proposer.id, (await person()).id),
    unmatchedPayment: () => lockedPayouts(db),
    async report() {
      const now = new Date();
      const id = newId(now);
      const target_id = await world.post();
      const evidence = { ownerId: owner.id, owner: owner.username, words: 'A post', more: '' };
      await db
        .insertInto('cases')
        .values({
          ...{ id, kind: 'post', target_id, language: 'en', reasons: ['spam'], report_count: 1 },
          evidence: JSON.stringify({ ...evidence, picture: null, video: null, reelId: null }),
          ...{ opened_at: now, due_at: now },
        })
        .execute();
      await db
        .insertInto('reports')
        .values({
          id,
          case_id: id,
          number: newKey(),
          reporter_id: null,
          reason: 'spam',
          text: '',
          contact: '',
          created_at: now,
        })
        .execute();
      return id;
    },
    decision: async () => decidedAgainst(db, owner, await world.post()),
    async appeal() {
      const key = await world.decision();
      await appeal(contextOn(db), { id: key, text: 'It is mine' });
      const row = db.selectFrom('decisions').select('appeal_id').where('key', '=', key);
      return (await row.executeTakeFirstOrThrow()).appeal_id ?? '';
    },
    async reportNumber(id) {
      const row = db.selectFrom('reports').select('number').where('id', '=', id);
      return (await row.executeTakeFirstOrThrow()).number;
    },
    async upload(kind, { id }) {
      const { media_key, sha256, ...facts } = picture();
      await db
        .insertInto('uploads')
        .values({
          key: media_key,
          owner_id: id,
          kind,
          bytes: 1000,
          sha256,
          facts: kind === 'photo' ? JSON.stringify(facts) : null,
          created_at: new Date(),
        })
        .execute();
      return media_key;
    },
    async sent() {
      const key = newKey();
      const now = new Date();
      const file = {
        fileName: key,
        fileUrl: `/media/${key}/video.mp4`,
        kind: 'video' as const,
        duplicate: false,
      };
      await db
        .insertInto('resumable_uploads')
        .values({
          key,
          owner_id: owner.id,
          kind: 'reel',
          bytes: 1000,
          answer: JSON.stringify({ file }),
          created_at: now,
          touched_at: now,
        })
        .execute();
      return key;
    },
    person,
    jpeg: new Uint8Array(
      await sharp({ create: { width: 200, height: 200, channels: 3, background: '#7664e8' } })
        .jpeg()
        .toBuffer(),
    ),
    clip: await freshClip(),
  };
  return world;
}

const privateMark = 'private-mark';

/** Content of the owner that others must not see: processing, failed, expired, taken down, or sent to the operators. */
async function hide(
  db: TestServer['db'],
  creator_id: string,
  picture: () => {
    media_key: string;
    sha256: Buffer;
    placeholder: string;
    width: number;
    height: number;
    widths: number[];
  },
): Promise<void> {
  const now = new Date();
  for (const state of ['processing', 'failed'] as const) {
    const { widths: _, ...file } = picture();
    const reel = {
      id: newId(now),
      creator_id,
      caption: privateMark,
      credit: '',
      categories: [],
      uploaded_at: now,
    };
    await changeWorks(db, (trx) =>
      trx
        .insertInto('reels')
        .values({ ...file, ...reel, state, failure: privateMark })
        .execute(),
    );
  }
  const longAgo = new Date(now.getTime() - 48 * 3_600_000);
  await db
    .insertInto('stories')
    .values({ ...picture(), id: newId(longAgo), creator_id, status_text: privateMark, published_at: longAgo })
    .execute();
  await changeWorks(db, (trx) =>
    trx
      .insertInto('posts')
      .values({
        ...picture(),
        id: newId(now),
        creator_id,
        caption: privateMark,
        description: '',
        published_at: now,
        taken_down_at: now,
        taken_down_as: 'content',
        taken_down_reason: privateMark,
      })
      .execute(),
  );
  await db
    .insertInto('messages')
    .values({
      id: newId(now),
      kind: 'contact',
      person_id: creator_id,
      name: '',
      email: '',
      phone: '',
      text: privateMark,
      created_at: now,
    })
    .execute();
}

const monthNow = () =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata', year: 'numeric', month: '2-digit' }).format(
    new Date(),
  );
