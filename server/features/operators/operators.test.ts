import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextAt, contextOn } from '#testing/context.ts';
import { requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { publishPicture, publishStatus } from '#testing/fixtures/posts.ts';
import { publishReel } from '#testing/fixtures/reels.ts';
import { makeOperator, signUpOperator } from '#testing/servers/operators.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { auditLedger, runAudit } from '../earnings/audit.ts';
import { completeWithdrawal } from '../payers/by-hand.ts';

let server: TestServer;
let asha: Person;
let ravi: Person;
let uma: Person;
beforeAll(async () => {
  server = await startTestServer();
  asha = await signUpSomebody(server);
  ravi = await signUpOperator(server, 'Ravi');
  uma = await signUpOperator(server, 'Uma');
});
afterAll(() => server.close());

const as = (who: Person, path: string, payload?: object) =>
  server.inject({
    method: payload ? 'POST' : 'GET',
    url: `/api/operator/${path}`,
    headers: who.headers,
    ...(payload ? { payload } : {}),
  });
const get = async (url: string, who?: Person) => await server.inject({ url, headers: who?.headers ?? {} });
const acts = async (targetId: string) =>
  (await call(server, { url: '/api/operator/log?limit=100', headers: ravi.headers })).data
    .filter((one: { targetId: string }) => one.targetId === targetId)
    .map(({ act, operator }: { act: string; operator: string }) => `${operator}: ${act}`)
    .reverse();
const statuses = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode);
/**
 * Differences of a creator's months, their reels' months, or the whole ledger from the data they are derived from.
 */
const audit = async (creatorId: string) =>
  (await auditLedger(contextOn(server.db))).differences.filter(
    ({ what, id }) => id === creatorId || what === 'reel' || what === 'account',
  );
const publicReel = async (creator: Person, category: string[]) => {
  const id = await publishReel(server, creator, { category });
  return (await get(`/api/reel/getReel/${id}`)).json().data;
};

describe('a withdrawal is paid once', () => {
  it('by fifty parallel requests of two operators: one posting, one log entry, one response', async () => {
    const { id } = await requestedWithdrawal(server, asha.id, '2025-01');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, place) =>
        as(place % 2 ? ravi : uma, `withdrawals/complete/${id}`, { reference: 'UTR 1' }),
      ),
    );
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    const posted = await server.db
      .selectFrom('ledger_transactions')
      .selectAll()
      .where('withdrawal_id', '=', id)
      .where('step', '=', 'completed')
      .execute();
    expect(posted).toHaveLength(1);
    expect(await acts(id)).toHaveLength(1);
  });

  it('with one of two references, and the other request gets that reference', async () => {
    const { id } = await requestedWithdrawal(server, asha.id, '2025-02');
    const answers = await Promise.all([
      as(ravi, `withdrawals/complete/${id}`, { reference: 'UTR 11' }),
      as(uma, `withdrawals/complete/${id}`, { reference: 'UTR 12' }),
    ]);
    expect(statuses(answers).sort()).toEqual([200, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
      code: 'withdrawal_decided',
      error: expect.stringMatching(/^This withdrawal was already paid, with the reference UTR 1[12]\.$/),
    });
    expect(await acts(id)).toHaveLength(1);
  });

  it('not to a suspended person; it can be rejected, or paid once the account is restored', async () => {
    const creator = await signUpSomebody(server, 'Creator');
    const { id } = await requestedWithdrawal(server, creator.id, '2025-01');
    await as(ravi, `people/suspend/${creator.id}`, { rule: 'spam', days: 7, reason: 'Spam' });
    const refused = await as(ravi, `withdrawals/complete/${id}`, { reference: 'UTR 1' });
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: 'person_suspended' });
    expect((await as(ravi, `withdrawals/reject/${id}`, { reason: 'Spam' })).statusCode).toBe(200);
    expect(await acts(id)).toEqual([`${ravi.username}: withdrawal.reject`]);
  });

  it('and not after the suspension of the person, however payment and suspension race', async () => {
    for (let round = 0; round < 5; round += 1) {
      const creator = await signUpSomebody(server, 'Creator');
      const { id } = await requestedWithdrawal(server, creator.id, '2025-01');
      const [paid] = await Promise.all([
        as(ravi, `withdrawals/complete/${id}`, { reference: `UTR 3${round}` }),
        as(uma, `people/suspend/${creator.id}`, { rule: 'spam', days: 7, reason: 'Spam' }),
      ]);
      const { state } = await server.db
        .selectFrom('withdrawals')
        .select('state')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect([paid.statusCode, state]).toEqual(
        paid.statusCode === 200 ? [200, 'completed'] : [409, 'pending'],
      );
      expect(await acts(id)).toHaveLength(paid.statusCode === 200 ? 1 : 0);
    }
  });

  it('and the list marks withdrawals that need attention', async () => {
    const creator = await signUpSomebody(server, 'Creator');
    await requestedWithdrawal(server, creator.id, '2024-12');
    const { data } = (await as(ravi, 'withdrawals?state=pending&month=December 2024')).json();
    expect(data).toMatchObject([{ userId: creator.id, email: creator.email, marks: ['new_account'] }]);
    for (const query of ['state=new', 'month=2025-13', 'limit=0', 'cursor=x'])
      expect((await as(ravi, `withdrawals?${query}`)).statusCode).toBe(400);
  });
});

/** Sets a destination through the site. It is on hold, because the account is new. */
const destined = async (who: Person, payload: object, isHeld = false) => {
  const url = '/api/payout/destination';
  const answer = await server.inject({ method: 'PUT', url, payload, headers: who.headers });
  expect(answer.statusCode, answer.body).toBe(200);
  if (isHeld) return;
  const free = server.db.updateTable('payout_destinations').set({ held_until: null });
  await free.where('person_id', '=', who.id).execute();
};

describe('a withdrawal that waits', () => {
  const upi = (name: string) => ({ kind: 'upi', vpa: `${name}@okaxis` });
  const pending = async (month: string) =>
    (await as(ravi, `withdrawals?state=pending&month=${month}`)).json().data;

  it.each([
    ['for a destination', undefined, 'no_destination', /^This person has not said where to be paid/],
    [
      'for the end of a hold',
      'held.one',
      'on_hold',
      /^Payouts of this person are on hold: nothing is paid until 20/,
    ],
  ] as const)('%s is marked, in no batch, and not paid', async (_what, vpa, mark, sentence) => {
    const month = vpa ? '2022-02' : '2022-01';
    const creator = await signUpSomebody(server, 'Creator');
    const { id } = await requestedWithdrawal(server, creator.id, month);
    await server.db.deleteFrom('payout_destinations').where('person_id', '=', creator.id).execute();
    if (vpa) await destined(creator, upi(vpa), true);
    expect(await pending(month)).toMatchObject([{ _id: id, marks: ['new_account', mark] }]);
    expect((await as(ravi, 'payouts/batches', { month })).json().code).toBe('nothing_to_pay');
    const refused = await as(ravi, `withdrawals/complete/${id}`, { reference: `UTR ${month}` });
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'payout_waits', error: expect.stringMatching(sentence) }),
    ]);
    expect(await acts(id)).toEqual([]);
    await destined(creator, upi(`later.${month}`));
    const paid = await as(ravi, `withdrawals/complete/${id}`, { reference: `UTR ${month}` });
    expect(paid.json().data).toMatchObject({ status: 'completed', payout: 'paid' });
  });

  it('for a destination that cannot be decrypted is marked; the others in the list can be paid', async () => {
    const month = '2022-06';
    const [lost, changed, fine] = await Promise.all(
      ['Lost', 'Changed', 'Fine'].map((name) => signUpSomebody(server, name)),
    );
    const ids: string[] = [];
    for (const [place, one] of [lost, changed, fine].entries()) {
      ids.push((await requestedWithdrawal(server, one?.id ?? '', month)).id);
      await destined(one as Person, upi(`reads.${place}`));
    }
    const details = async (one: Person | undefined) =>
      (
        await server.db
          .selectFrom('payout_destinations')
          .select('details')
          .where('person_id', '=', one?.id ?? '')
          .executeTakeFirstOrThrow()
      ).details;
    const store = (one: Person | undefined, value: Buffer | null) =>
      server.db
        .updateTable('payout_destinations')
        .set({ details: value })
        .where('person_id', '=', one?.id ?? '')
        .execute();
    // Encrypted with a key that this site does not have, as after a restore without the keys; and an altered one.
    const sealed = Buffer.from((await details(lost)) ?? '');
    sealed.writeUInt32BE(4711);
    await store(lost, sealed);
    await store(changed, await details(fine));
    const marks = new Map(
      (await pending(month)).map((row: { userId: string; marks: string[]; destination: object | null }) => [
        row.userId,
        [row.destination === null, row.marks.includes('unreadable_destination')],
      ]),
    );
    expect(marks).toEqual(
      new Map([
        [lost?.id, [true, true]],
        [changed?.id, [true, true]],
        [fine?.id, [false, false]],
      ]),
    );
    const { payments } = (await as(ravi, 'payouts/batches', { month })).json().data;
    expect(payments).toMatchObject([{ userId: fine?.id, to: 're•••@okaxis' }]);
    expect(payments).toHaveLength(1);
    const refused = await as(ravi, `withdrawals/complete/${ids[0]}`, { reference: 'UTR unreadable' });
    expect([refused.statusCode, refused.json().error]).toEqual([
      409,
      'The destination of this person cannot be read any more; ask them to enter it again.',
    ]);
    await destined(lost as Person, upi('entered.again'));
    const paid = await as(ravi, `withdrawals/complete/${ids[0]}`, { reference: 'UTR unreadable' });
    expect(paid.json().data).toMatchObject({ status: 'completed' });
  });

  it('can be rejected', async () => {
    const creator = await signUpSomebody(server, 'Creator');
    const { id } = await requestedWithdrawal(server, creator.id, '2022-03');
    await server.db.deleteFrom('payout_destinations').where('person_id', '=', creator.id).execute();
    expect((await as(ravi, `withdrawals/reject/${id}`, { reason: 'Spam' })).statusCode).toBe(200);
  });

  it('is marked beside each other account that is paid at the same destination', async () => {
    const month = '2022-04';
    const people = await Promise.all(['One', 'Two', 'Three'].map((name) => signUpSomebody(server, name)));
    for (const [place, one] of people.entries()) {
      await requestedWithdrawal(server, one.id, month);
      await destined(one, upi(place < 2 ? 'the.same' : 'another.one'));
    }
    const shared = (await pending(month))
      .filter(({ marks }: { marks: string[] }) => marks.includes('shared_destination'))
      .map(({ userId }: { userId: string }) => userId);
    expect(shared.sort()).toEqual([people[0]?.id, people[1]?.id].sort());
  });
});

it("an operator's own withdrawal is decided by another operator", async () => {
  const { id } = await requestedWithdrawal(server, ravi.id, '2022-05');
  for (const [decide, payload] of [
    ['complete', { reference: 'UTR 51' }],
    ['reject', { reason: 'No' }],
  ] as const) {
    const refused = await as(ravi, `withdrawals/${decide}/${id}`, payload);
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'own_withdrawal']);
  }
  expect(await acts(id)).toEqual([]);
  expect((await as(uma, `withdrawals/complete/${id}`, { reference: 'UTR 51' })).statusCode).toBe(200);
});

describe('totals of a financial year', () => {
  /** Pays the rupee of a month at a time, by the clock of the server. */
  const payAt = async (who: Person, month: string, at: string) => {
    const { id } = await requestedWithdrawal(server, who.id, month);
    const context = { ...server.context, clock: () => new Date(at) };
    await completeWithdrawal(context, id, { reference: `${at} ${who.id}`, operatorId: null });
  };
  const totals = async (year: number) => (await as(ravi, `withdrawals/totals/${year}?limit=1`)).json();

  it('contain what was paid from 1 April to 31 March in the time zone of the site, by creator, and so does a statement', async () => {
    const [early, late] = [await signUpSomebody(server, 'Early'), await signUpSomebody(server, 'Late')];
    await payAt(early, '2041-01', '2042-03-31T23:59:59+05:30');
    await payAt(early, '2041-02', '2042-04-01T00:00:00+05:30');
    await payAt(early, '2041-03', '2043-03-31T12:00:00+05:30');
    await payAt(late, '2041-01', '2042-06-01T12:00:00+05:30');
    // A requested withdrawal is not paid yet.
    await requestedWithdrawal(server, late.id, '2041-02');

    expect((await totals(2041)).data).toMatchObject([{ userId: early.id, payments: 1, paidPaise: 100 }]);
    const page = await totals(2042);
    expect(page.data).toMatchObject([
      {
        userId: early.id,
        name: 'Early',
        payments: 2,
        paidPaise: 200,
        rupees: '2.00',
      },
    ]);
    const next = await as(ravi, `withdrawals/totals/2042?limit=1&cursor=${page.nextCursor}`);
    expect(next.json()).toMatchObject({ data: [{ userId: late.id, paidPaise: 100 }], nextCursor: null });
    expect((await totals(2043)).data).toEqual([]);

    const statement = await get(`/api/user-earnings/statement/${early.id}/2041-01`, early);
    expect(statement.json().data.years).toEqual([
      { year: 2042, payments: 2, paidPaise: 200 },
      { year: 2041, payments: 1, paidPaise: 100 },
    ]);
    const none = await get(`/api/user-earnings/statement/${asha.id}/2041-01`, asha);
    expect(none.json().data.years.filter(({ year }: { year: number }) => year > 2040)).toEqual([]);
  });

  it('contain what was paid to a deleted account, without its name', async () => {
    const gone = await signUpSomebody(server, 'Gone');
    await payAt(gone, '2044-01', '2044-06-01T12:00:00+05:30');
    const url = `/api/delete/${gone.id}`;
    expect((await server.inject({ method: 'DELETE', url, headers: gone.headers })).statusCode).toBe(200);
    expect((await totals(2044)).data).toMatchObject([
      { userId: gone.id, name: '', username: '', payments: 1, paidPaise: 100 },
    ]);
  });

  it('are refused for an invalid year, and to people who are no operators', async () => {
    for (const year of ['abc', '20', '1999.5', '2026-04'])
      expect((await as(ravi, `withdrawals/totals/${year}`)).json().error).toMatch(/^Please give the year/);
    expect((await as(asha, 'withdrawals/totals/2026')).statusCode).toBe(404);
  });
});

it('the result of the nightly audit is available by an endpoint: one wrong month is one difference', async () => {
  const last = async () => (await as(ravi, 'ledger/last-audit')).json().data;
  const creator = await signUpSomebody(server, 'Creator');
  await publishPicture(server.db, server.dataDir, creator.id, 'A photo', new Date());
  const night = new Date(Date.now() - 3_600_000);
  await runAudit(contextAt(server.db, night));
  const { differences } = await last();
  const setPosts = (posts: number) =>
    server.db.updateTable('creator_months').set({ posts }).where('creator_id', '=', creator.id).execute();
  await setPosts(7);
  await runAudit(contextAt(server.db, night));
  const broken = await last();
  expect(broken).toMatchObject({ at: night.toISOString(), differences: differences + 1 });
  expect(broken.ageSeconds).toBeGreaterThanOrEqual(3600);
  const found = (await as(ravi, 'ledger/differences?what=month')).json().data;
  expect(found.find(({ userId }: { userId: string }) => userId === creator.id)).toMatchObject({
    ...{ username: creator.username, figure: 'posts', recorded: '7', derived: '1' },
    foundAt: night.toISOString(),
  });
  await setPosts(1);
});

describe('taken-down content', () => {
  const target = (kind: string, id: string) => ({ target: `${kind}:${id}` });
  const down = (kind: string, id: string, who = ravi, what = 'copy') =>
    as(who, 'reports/take-down', { ...target(kind, id), what, rule: 'spam', reason: 'It is not yours.' });
  const restore = (kind: string, id: string, who = ravi) => as(who, 'reports/restore', target(kind, id));
  const feedHas = async (url: string, id: string, who?: Person) =>
    (await get(url, who)).json().data.some((one: { _id: string }) => one._id === id);
  const person = async (id: string) => (await get(`/api/getuser/${id}`)).json().data;
  const countOf = async (category: string) =>
    (await get('/api/count/getCategoryCounts')).json().data.find((one: { id: string }) => one.id === category)
      .count;
  /** Waits for withheld keys, which take effect within a second. */
  const eventually = (url: string, status: number) =>
    expect.poll(async () => (await get(url)).statusCode).toBe(status);

  it('a reel is visible to its owner only, with the reason; its files to nobody; restoring undoes this', async () => {
    const creator = await signUpSomebody(server, 'Creator');
    const reel = await publicReel(creator, ['kabaddi']);
    await call(server, { method: 'POST', url: `/api/reel/increaseView/${reel._id}` });
    await call(server, { method: 'POST', url: `/api/reel/like/${reel._id}`, headers: asha.headers });
    const [before, count] = [(await get(`/api/reel/getReel/${reel._id}`)).json(), await countOf('kabaddi')];

    expect(
      new Set(statuses(await Promise.all([ravi, uma, ravi].map((who) => down('reel', reel._id, who))))),
    ).toEqual(new Set([200]));
    expect(await countOf('kabaddi')).toBe(count - 1);
    expect(await person(creator.id)).toMatchObject({ reelCount: 0 });
    for (const who of [undefined, asha]) {
      expect((await get(`/api/reel/getReel/${reel._id}`, who)).statusCode).toBe(404);
      expect(await feedHas('/api/reel/getallReels?limit=100', reel._id, who)).toBe(false);
      expect(await feedHas(`/api/reel/getFrienddata/${creator.id}`, reel._id, who)).toBe(false);
    }
    expect((await get(`/api/reel/comments/${reel._id}`)).statusCode).toBe(404);
    const month = new Date(reel.createdAt).toISOString().slice(0, 7);
    expect((await get(`/sitemaps/reels-${month}.xml`)).body).not.toContain(reel._id);
    for (const act of ['like', 'share', 'increaseView']) {
      const url = `/api/reel/${act}/${reel._id}`;
      const acted = await server.inject({ method: 'POST', url, headers: asha.headers });
      expect(`${act} ${acted.statusCode}`).toBe(`${act} 404`);
    }
    const own = (await get(`/api/reel/getReel/${reel._id}`, creator)).json().data;
    expect(own).toMatchObject({ takenDown: 'It is not yours.', videourl: '', thumbnillurl: '', views: 1 });
    expect(await feedHas(`/api/reel/getFrienddata/${creator.id}`, reel._id, creator)).toBe(true);
    for (const url of [reel.videourl, reel.posterurl, reel.thumbnillurl]) await eventually(url, 404);
    expect(await audit(creator.id)).toEqual([]);

    await Promise.all([restore('reel', reel._id), restore('reel', reel._id, uma)]);
    expect((await get(`/api/reel/getReel/${reel._id}`)).json()).toEqual(before);
    expect(await countOf('kabaddi')).toBe(count);
    expect(await person(creator.id)).toMatchObject({ reelCount: 1 });
    await eventually(reel.videourl, 200);
    expect(await audit(creator.id)).toEqual([]);
    expect((await acts(reel._id)).map((one: string) => one.split(': ')[1])).toEqual([
      'content.take-down',
      'content.restore',
    ]);
  });

  it('a post and a story behave the same', async () => {
    const creator = await signUpSomebody(server, 'Creator');
    const postId = await publishPicture(server.db, server.dataDir, creator.id, 'A photo', new Date());
    await publishStatus(server.db, server.dataDir, creator.id, 'A story', new Date());
    const stories = `/api/story/getFriendStorydata/${creator.id}`;
    const [{ _id: storyId, imageurl }] = (await get(stories)).json().data;
    for (const [kind, id] of [
      ['post', postId],
      ['story', storyId],
    ] as const)
      expect((await down(kind, id)).json().data).toEqual({ kind, _id: id, takenDown: 'It is not yours.' });

    expect(await person(creator.id)).toMatchObject({ postCount: 0 });
    expect((await get(`/api/post/getPost/${postId}`)).statusCode).toBe(404);
    const likePost = `/api/post/like/${postId}`;
    expect((await server.inject({ method: 'POST', url: likePost, headers: asha.headers })).statusCode).toBe(
      404,
    );
    const posts = `/api/post/getFrienddata/${creator.id}`;
    expect((await get('/api/post/getallPostsall?limit=100')).body).not.toContain(postId);
    expect((await get('/api/story/getallStorys?limit=100')).body).not.toContain(storyId);
    for (const list of [posts, stories]) {
      expect((await get(list)).json().data).toEqual([]);
      expect((await get(list, asha)).json().data).toEqual([]);
      expect((await get(list, creator)).json().data).toMatchObject([
        { takenDown: 'It is not yours.', imageurl: '', renditions: [] },
      ]);
    }
    await eventually(imageurl, 404);

    for (const [kind, id] of [
      ['post', postId],
      ['story', storyId],
    ] as const)
      expect((await restore(kind, id)).json().data).toEqual({ kind, _id: id, takenDown: null });
    expect(await person(creator.id)).toMatchObject({ postCount: 1 });
    for (const list of [posts, stories]) expect((await get(list)).json().data).toHaveLength(1);
    expect(await audit(creator.id)).toEqual([]);
  });

  it('can be deleted by its owner, and every count stays exact', async () => {
    const creator = await signUpSomebody(server, 'Creator');
    const [reel, count] = [await publicReel(creator, ['food']), await countOf('food')];
    const postId = await publishPicture(server.db, server.dataDir, creator.id, 'A photo', new Date());
    await down('reel', reel._id, ravi, 'content');
    await down('post', postId);
    for (const url of [`/api/reel/deleteReel/${reel._id}`, `/api/post/deletePost/${postId}`])
      await call(server, { method: 'DELETE', url, headers: creator.headers });
    expect(await countOf('food')).toBe(count - 1);
    expect(await person(creator.id)).toMatchObject({ reelCount: 0, postCount: 0 });
    // Only new copies can be public again.
    expect((await restore('reel', reel._id)).statusCode).toBe(200);
    expect((await restore('reel', reel._id)).statusCode).toBe(404);
    expect(await countOf('food')).toBe(count - 1);
    expect(await person(creator.id)).toMatchObject({ reelCount: 0 });
    expect(await audit(creator.id)).toEqual([]);
  });

  it('is deleted with the account, and the counts of categories stay exact [long]', async () => {
    const creator = await signUpSomebody(server, 'Creator');
    const [reel, count] = [await publicReel(creator, ['food']), await countOf('food')];
    await down('reel', reel._id);
    const payload = { password: 'correct horse' };
    const url = `/api/delete/${creator.id}`;
    await call(server, { method: 'DELETE', url, headers: creator.headers, payload });
    expect(await countOf('food')).toBe(count - 1);
    expect(await audit(creator.id)).toEqual([]);
  });

  it('a comment is deleted once and cannot be restored', async () => {
    const reel = await publicReel(asha, []);
    const { data } = await call(server, {
      method: 'POST',
      url: `/api/reel/comment/${reel._id}`,
      headers: uma.headers,
      payload: { text: 'Buy this', sentAs: '01900000-0000-7000-8000-000000000001' },
    });
    const answers = await Promise.all([1, 2, 3].map(() => down('comment', data._id)));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect((await get(`/api/reel/comments/${reel._id}`)).json()).toMatchObject({ data: [], commentCount: 0 });
    expect((await restore('comment', data._id)).json()).toMatchObject({
      code: 'invalid_input',
      error: 'A comment that was taken down was deleted and cannot be restored.',
    });
    expect(await acts(data._id)).toEqual([`${ravi.username}: content.take-down`]);
    // Its author still reads which one it was.
    const decisions = server.db.selectFrom('decisions').select(['person_id', 'evidence']);
    expect(await decisions.where('target_id', '=', data._id).execute()).toMatchObject([
      { person_id: uma.id, evidence: { words: 'Buy this' } },
    ]);
  });

  it('closes every report about it, and a report can be closed without a take-down', async () => {
    const [one, other] = [await publicReel(asha, []), await publicReel(asha, [])];
    const report = (id: string, who: Person) =>
      call(server, {
        method: 'POST',
        url: '/api/report',
        headers: who.headers,
        payload: { kind: 'reel', id, reason: 'spam' },
      });
    for (const who of [ravi, uma]) await report(one._id, who);
    await report(other._id, ravi);
    const open = async () => (await as(ravi, 'reports')).json().data;
    const newest = (await open()).at(-1);
    expect(newest).toMatchObject({ targetId: other._id, owner: asha.username, state: 'public' });
    const close = (who: Person) => as(who, `reports/close/${newest._id}`, { reason: 'Harmless' });
    const closed = await close(ravi);
    expect((await close(ravi)).json()).toEqual(closed.json());
    expect((await close(uma)).json()).toMatchObject({
      code: 'case_decided',
      params: { username: ravi.username },
    });
    const byReport = await as(ravi, 'reports/take-down', {
      target: (await open())[0]._id,
      what: 'copy',
      rule: 'spam',
      reason: 'Spam',
    });
    expect(byReport.json().data).toMatchObject({ kind: 'reel', _id: one._id });
    expect(await open()).toEqual([]);
    expect((await as(ravi, 'reports?state=decided')).json().data).toHaveLength(2);
    expect(await acts(newest._id)).toEqual([`${ravi.username}: report.close`]);
  });

  const reelId = 'reel:01900000-0000-7000-8000-000000000000';
  it.each<[string, object, number]>([
    ['what is not there', { target: reelId, what: 'copy', rule: 'spam', reason: 'x' }, 404],
    [
      'an unknown report',
      { target: '01900000-0000-7000-8000-000000000000', what: 'copy', rule: 'spam', reason: 'x' },
      404,
    ],
    [
      'no kind of thing',
      { target: 'planet:01900000-0000-7000-8000-000000000000', what: 'copy', rule: 'spam', reason: 'x' },
      400,
    ],
    ['without a reason', { target: reelId, what: 'copy', rule: 'spam', reason: ' ' }, 400],
    ['without a target', { what: 'copy', rule: 'spam', reason: 'x' }, 400],
    ['neither a copy nor content', { target: reelId, reason: 'x' }, 400],
  ])('%s is refused', async (_what, payload, status) => {
    const answer = await as(ravi, 'reports/take-down', payload);
    expect(answer.statusCode).toBe(status);
    expect(answer.json().error).toMatch(/^[A-Z].*\.$/);
  });

  it('cannot be a person: that account is suspended instead', async () => {
    expect((await down('person', asha.id)).json().error).toBe(
      'A person is not taken down; suspend the account instead.',
    );
  });
});

describe('a suspended person', () => {
  it('is signed out at once, invisible and cannot log in; restoring undoes this', async () => {
    const mona = await signUpSomebody(server, 'Mona');
    const reel = await publicReel(mona, []);
    const signIn = () =>
      server.inject({
        method: 'POST',
        url: '/api/signin',
        payload: { email: mona.email, password: 'correct horse' },
      });
    const there = async () => [
      (await get(`/api/getuser/${mona.id}`)).statusCode,
      (await get(`/api/reel/getReel/${reel._id}`)).statusCode,
      (await get('/api/reel/getallReels?limit=100')).body.includes(reel._id) ? 200 : 404,
    ];
    expect(await there()).toEqual([200, 200, 200]);
    const answers = await Promise.all(
      [ravi, uma].map((who) =>
        as(who, `people/suspend/${mona.id}`, { rule: 'spam', days: 7, reason: 'Spam' }),
      ),
    );
    expect(statuses(answers)).toEqual([200, 200]);
    expect((await get('/api/block', mona)).statusCode).toBe(401);
    expect(await there()).toEqual([404, 404, 404]);
    expect((await signIn()).json()).toMatchObject({ code: 'suspended' });

    await as(ravi, `people/restore/${mona.id}`, {});
    expect(await there()).toEqual([200, 200, 200]);
    // The old session stays invalid.
    expect((await get('/api/block', mona)).statusCode).toBe(401);
    expect((await signIn()).statusCode).toBe(200);
    expect((await acts(mona.id)).map((one: string) => one.split(': ')[1])).toEqual([
      'person.suspend',
      'person.restore',
    ]);
  });

  it('cannot be an operator: the role must be removed first, and its rights end at once', async () => {
    const other = await signUpSomebody(server, 'Other');
    await as(ravi, `people/role/${other.id}`, { role: 'administrator' });
    await makeOperator(server, other.id);
    expect((await as(other, 'log')).statusCode).toBe(200);
    expect(
      (await as(ravi, `people/suspend/${other.id}`, { rule: 'spam', days: 7, reason: 'x' })).json(),
    ).toMatchObject({
      code: 'is_operator',
    });
    await as(ravi, `people/role/${other.id}`, { role: 'person' });
    expect((await as(other, 'log')).statusCode).toBe(404);
    expect(
      (await as(ravi, `people/suspend/${other.id}`, { rule: 'spam', days: 7, reason: 'x' })).statusCode,
    ).toBe(200);
    expect((await as(ravi, `people/role/${other.id}`, { role: 'administrator' })).json()).toMatchObject({
      code: 'person_suspended',
    });
    expect(await acts(other.id)).toHaveLength(3);
  });
});

describe('the audit log', () => {
  it('is append-only, even for the owner of the database', async () => {
    for (const rewrite of [
      sql`update audit_log set operator = 'nobody'`,
      sql`delete from audit_log`,
      sql`truncate audit_log`,
    ])
      await expect(rewrite.execute(server.db)).rejects.toThrow('only ever added to');
  });

  it('contains nothing about failed actions: action and entry share one transaction', async () => {
    const { id } = await requestedWithdrawal(server, asha.id, '2025-07');
    await sql`
      create function refuse_act() returns trigger language plpgsql as $$
      begin if new.target_id = ${sql.lit(id)} then raise exception 'the disk is full'; end if; return new; end $$`.execute(
      server.db,
    );
    await sql`create trigger refused before insert on audit_log for each row execute function refuse_act()`.execute(
      server.db,
    );
    expect((await as(ravi, `withdrawals/complete/${id}`, { reference: 'UTR' })).statusCode).toBe(500);
    const pending = await as(ravi, 'withdrawals?state=pending&month=2025-07');
    expect(pending.json().data).toMatchObject([{ _id: id }]);
    expect(await acts(id)).toEqual([]);
  });
});
