import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { contextAt } from '#testing/context.ts';
import { changes } from '#testing/copies/changes.ts';
import { scene } from '#testing/copies/works.ts';
import { reopenMonths } from '#testing/fixtures/watching.ts';
import { randomFrom } from '#testing/random.ts';
import { countLockWaits } from '#testing/servers/lock-waits.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import { call, multipart, type Person, signUpSomebody } from '#testing/servers/test-server.ts';
import { deleteAccount } from '../account-deletion/account-deletion.ts';
import { auditLedger } from '../earnings/audit.ts';
import { closeMonths } from '../months/closing.ts';
import { storyTakeDown } from '../posts-and-stories/take-down.ts';
import { deleteOldPrints } from './deletion.ts';

/** Noon of the 15th of November 2026 in India. */
const noon = new Date('2026-11-15T06:30:00Z');
const december = new Date('2026-12-10T06:30:00Z');
const month = '2026-11';

let site: Awaited<ReturnType<typeof startMailingServer>>;
let server: typeof site.server;
let creator: Person;
let other: Person;
beforeAll(async () => {
  site = await startMailingServer();
  server = site.server;
});
afterAll(() => site.close());
beforeEach(async () => {
  await reopenMonths(server.db);
  server.now.value = noon;
  [creator, other] = [await signUpSomebody(server), await signUpSomebody(server)];
});

let seeds = 500;
const newScene = () => {
  seeds += 1;
  return scene(randomFrom(seeds));
};
const changed = (kind: string, picture: Buffer) => {
  const change = changes[kind];
  if (!change) throw new Error(`there is no change ${kind}`);
  return change(picture);
};
const post = (url: string, payload: object, { headers }: Person) =>
  server.inject({ method: 'POST', url, payload, headers });

async function upload(picture: Buffer, by: Person, kind: 'post' | 'story' = 'post'): Promise<string> {
  const url = kind === 'post' ? '/api/s3Post/uploadPosts' : '/api/s3Story/uploadStorys';
  const { payload, headers } = await multipart(new Uint8Array(picture), 'file', 'a.jpg', 'image/jpeg');
  const sent = { method: 'POST' as const, url, payload, headers: { ...headers, ...by.headers } };
  return (await call(server, sent)).fileName;
}
async function publish(picture: Buffer, by: Person, kind: 'post' | 'story' = 'post') {
  const answer = await post(`/api/${kind}/add`, { fileName: await upload(picture, by, kind) }, by);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const monthOf = async ({ id, headers }: Person, of = month) =>
  (await call(server, { url: `/api/user-earnings/month/${id}/${of}?limit=50`, headers })).data;
const coinsOf = async (person: Person, of = month) => (await monthOf(person, of)).totalCoins;
const audit = async () => (await auditLedger(server.context)).differences;
async function operator(): Promise<Person> {
  const person = await signUpSomebody(server);
  await makeOperator(server, person.id, server.now.value);
  return person;
}
const ask = (id: string, by: Person, kind = 'post') =>
  post('/api/copies/ask', { kind, id, words: 'I took it myself' }, by);
const decide = (id: string, verdict: 'own' | 'copy', by: Person) =>
  post(`/api/operator/copies/decide/${id}`, { verdict, reason: 'I compared them' }, by);
/** What an operator sees of the creator's works. */
async function open({ headers }: Person) {
  const { data } = await call(server, { url: '/api/operator/copies', headers });
  return data.filter(({ userId }: { userId: string }) => userId === creator.id);
}

describe('a picture that is published again', () => {
  it.each(['mirrored', 'three quarters of it', 'JPEG of quality 30', 'other last bytes'])(
    '%s, by somebody else, earns nothing, and its creator reads what it is a copy of',
    async (kind) => {
      const picture = await newScene();
      const { data: first } = await publish(picture, other);
      const { data, copy } = await publish(await changed(kind, picture), creator);
      const of = { kind: 'post', _id: first._id, userId: other.id, username: other.username };
      expect(data.duplicate).toBe(true);
      expect(copy).toEqual({ of, state: 'found', reason: null });
      const shown = await monthOf(creator);
      expect(shown.totalCoins).toBe(0);
      expect(shown.items).toMatchObject([
        { _id: data._id, duplicate: true, publishedCoins: 0, copy: { of } },
      ]);
      expect(await coinsOf(other)).toBe(2);
      expect(await audit()).toEqual([]);
    },
  );

  it('as a story, by its own creator, earns nothing; a copy of a copy refers to the first work', async () => {
    const picture = await newScene();
    const { data: first, copy: none } = await publish(picture, creator);
    expect([first.duplicate, none]).toEqual([false, null]);
    const second = await publish(await changed('mirrored', picture), creator, 'story');
    const third = await publish(await changed('WebP', await changed('mirrored', picture)), other);
    expect([second.data.duplicate, third.data.duplicate]).toEqual([true, true]);
    expect([second.copy.of._id, third.copy.of._id]).toEqual([first._id, first._id]);
    expect(await coinsOf(creator)).toBe(2);
  });

  it('in six ways in parallel, earns once', async () => {
    const picture = await newScene();
    const kinds = Object.keys(changes).slice(0, 6);
    const names: string[] = [];
    for (const kind of kinds) names.push(await upload(await changed(kind, picture), creator));
    const answers = await Promise.all(names.map((fileName) => post('/api/post/add', { fileName }, creator)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(kinds.map(() => 200));
    expect(answers.filter((answer) => !answer.json().data.duplicate)).toHaveLength(1);
    expect(await coinsOf(creator)).toBe(2);
    expect(await audit()).toEqual([]);
  });

  it('after its creator deleted it, earns once in the month; then its print is deleted', async () => {
    const picture = await newScene();
    const { data: first } = await publish(picture, creator);
    const gone = {
      method: 'DELETE' as const,
      url: `/api/post/deletePost/${first._id}`,
      headers: creator.headers,
    };
    await call(server, gone);
    const { data, copy } = await publish(await changed('mirrored', picture), creator);
    expect([data.duplicate, copy.of]).toEqual([true, null]);
    expect(await coinsOf(creator)).toBe(0);
    expect(await audit()).toEqual([]);
    const prints = async () =>
      (
        await server.db.selectFrom('prints').select('work_id').where('creator_id', '=', creator.id).execute()
      ).map(({ work_id }) => work_id);
    const tidy = (now: Date) =>
      deleteOldPrints({ db: server.db, clock: () => now, config: { timeZone: 'Asia/Kolkata' } as never });
    await tidy(new Date('2026-11-30T18:29:00Z'));
    expect((await prints()).sort()).toEqual([first._id, data._id].sort());
    await tidy(new Date('2026-11-30T18:31:00Z'));
    expect(await prints()).toEqual([data._id]);
  });

  it('counts as another work if it cannot be compared, so that publishing never fails', async () => {
    const picture = await newScene();
    const { data: first } = await publish(picture, other);
    await server.db
      .updateTable('prints')
      .set({ print: Buffer.of(1, 200, 200, 7) })
      .where('work_id', '=', first._id)
      .execute();
    const { data } = await publish(await changed('mirrored', picture), creator);
    expect(data.duplicate).toBe(false);
    expect(await coinsOf(creator)).toBe(2);
  });
});

it('another picture pays', async () => {
  await publish(await newScene(), other);
  const { data, copy } = await publish(await newScene(), creator);
  expect([data.duplicate, copy]).toEqual([false, null]);
  expect(await coinsOf(creator)).toBe(2);
});

it('a deleted account leaves no print and no key', async () => {
  const keys = async () =>
    (
      await server.db
        .selectFrom('print_keys')
        .select((eb) => eb.fn.countAll<number>().as('keys'))
        .executeTakeFirstOrThrow()
    ).keys;
  const before = await keys();
  const picture = await newScene();
  await publish(picture, creator);
  await publish(await changed('mirrored', picture), creator);
  expect(await keys()).toBeGreaterThan(before);
  await deleteAccount(contextAt(server.db, noon), creator.id, creator.id);
  expect(await keys()).toBe(before);
  for (const table of ['prints', 'copies'] as const)
    expect(
      await server.db.selectFrom(table).select('kind').where('creator_id', '=', creator.id).execute(),
    ).toEqual([]);
});

describe('a reviewer', () => {
  it('can decide that it is an own work: what its month would have paid counts in that of the decision, and its creator is notified', async () => {
    const picture = await newScene();
    await publish(picture, other);
    const { data } = await publish(await changed('mirrored', picture), creator);
    const like = (by: Person) => post(`/api/post/like/${data._id}`, {}, by);
    for (let likes = 0; likes < 10; likes += 1) await like(await signUpSomebody(server));
    expect(await coinsOf(creator)).toBe(0);
    for (const times of [1, 2]) {
      const asked = await ask(data._id, creator);
      expect([times, asked.json().data.state]).toEqual([times, 'asked']);
    }
    server.now.value = december;
    await closeMonths(server.context);
    const judge = await operator();
    expect(await open(judge)).toMatchObject([
      {
        kind: 'post',
        _id: data._id,
        userId: creator.id,
        words: 'I took it myself',
        of: { userId: other.id },
      },
    ]);
    const verified = { email_verified_at: server.now.value, language: 'en' };
    await server.db.updateTable('people').set(verified).where('id', '=', creator.id).execute();
    for (const times of [1, 2])
      expect([times, (await decide(data._id, 'own', judge)).statusCode]).toEqual([times, 200]);
    expect(await open(judge)).toEqual([]);
    expect(await coinsOf(creator)).toBe(0);
    // Two for the photo, one for ten likes.
    const shown = await monthOf(creator, '2026-12');
    expect(shown).toMatchObject({ totalCoins: 3, items: [], decisions: [{ act: 'own', month, coins: 3 }] });
    expect((await monthOf(creator)).items).toMatchObject([
      { _id: data._id, duplicate: false, coins: 0, copy: { state: 'own', reason: 'I compared them' } },
    ]);
    expect(await audit()).toEqual([]);
    const { data: notices } = await call(server, {
      url: `/api/notification/getNotifications/${creator.id}`,
      headers: creator.headers,
    });
    expect(notices.filter(({ kind }: { kind: string }) => kind === 'work_is_own')).toHaveLength(1);
    server.now.value = new Date(december.getTime() + 20 * 60_000);
    await site.sendAll();
    const mails = site.smtp.mails.filter(({ to }) => to.includes(creator.email));
    expect(mails.filter(({ subject }) => subject === 'Your work on Jhalak is your own')).toHaveLength(1);
    const gone = {
      method: 'DELETE' as const,
      url: `/api/post/deletePost/${data._id}`,
      headers: creator.headers,
    };
    await call(server, gone);
    expect(await coinsOf(creator, '2026-12')).toBe(3);
    expect(await audit()).toEqual([]);
  });

  it('can decide that it is a copy: it stays one, and another decision is refused', async () => {
    const picture = await newScene();
    await publish(picture, other);
    const { data } = await publish(await changed('mirrored', picture), creator);
    expect((await ask(data._id, other)).statusCode).toBe(404);
    await ask(data._id, creator);
    const judge = await operator();
    expect((await decide(data._id, 'copy', judge)).statusCode).toBe(200);
    const again = await decide(data._id, 'own', judge);
    expect([again.statusCode, again.json().code]).toEqual([409, 'copy_decided']);
    expect((await monthOf(creator)).items).toMatchObject([
      { copy: { state: 'copy', reason: 'I compared them' } },
    ]);
    expect(await coinsOf(creator)).toBe(0);
    expect(await audit()).toEqual([]);
  });

  it('is not requested for a deleted work, which operators do not see', async () => {
    const picture = await newScene();
    await publish(picture, creator);
    const { data: copy } = await publish(picture, other);
    const url = `/api/post/deletePost/${copy._id}`;
    await call(server, { method: 'DELETE', url, headers: other.headers });
    expect((await ask(copy._id, other)).statusCode).toBe(404);
  });

  it('cannot decide about their own work', async () => {
    const picture = await newScene();
    await publish(picture, other);
    const judge = await operator();
    const { data } = await publish(await changed('mirrored', picture), judge);
    await ask(data._id, judge);
    const answer = await decide(data._id, 'own', judge);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'own_work']);
  });

  it('changes nothing for likes from before and after the decision: each counts once', async () => {
    const picture = await newScene();
    await publish(picture, other);
    const { data } = await publish(await changed('mirrored', picture), creator);
    const people: Person[] = [];
    for (let likes = 0; likes < 12; likes += 1) people.push(await signUpSomebody(server));
    const [first, second, ...rest] = people as [Person, Person, ...Person[]];
    const like = (by: Person) => post(`/api/post/like/${data._id}`, {}, by);
    const unlike = ({ headers }: Person) =>
      server.inject({ method: 'DELETE', url: `/api/post/like/${data._id}`, headers });
    for (const by of [first, second, ...rest.slice(0, 9)]) await like(by);
    await unlike(first);
    await ask(data._id, creator);
    server.now.value = december;
    await closeMonths(server.context);
    expect((await decide(data._id, 'own', await operator())).statusCode).toBe(200);
    const { decisions } = await monthOf(creator, '2026-12');
    expect(decisions).toMatchObject([{ act: 'own', month, coins: 3 }]);
    const likes = async () =>
      (await monthOf(creator, '2026-12')).lines.find(({ kind }: { kind: string }) => kind === 'likes').count;
    expect(await likes()).toBe(0);
    await like(first);
    await unlike(second);
    await like(second);
    expect(await likes()).toBe(1);
    await like(rest[9] as Person);
    expect(await likes()).toBe(2);
    expect(await audit()).toEqual([]);
    for (const { id } of [first, second]) await deleteAccount(contextAt(server.db, december), id, id);
    expect(await likes()).toBe(1);
    expect(await audit()).toEqual([]);
  });
});

describe('a copy of a taken-down work', () => {
  it('waits for a review, and is public and counts after the decision', async () => {
    const picture = await newScene();
    const { data: first } = await publish(picture, other);
    const judge = await operator();
    const target = `post:${first._id}`;
    await post('/api/operator/reports/take-down', { target, reason: 'It breaks the rules' }, judge);
    const { data, copy } = await publish(await changed('mirrored', picture), creator);
    expect(data).toMatchObject({ duplicate: true, takenDown: expect.stringContaining('taken down') });
    expect(copy).toMatchObject({ of: null, state: 'asked' });
    const isPublic = async () => (await server.inject({ url: `/api/post/getPost/${data._id}` })).statusCode;
    expect(await isPublic()).toBe(404);
    expect(await open(judge)).toMatchObject([{ _id: data._id, withheld: true }]);
    expect((await decide(data._id, 'own', judge)).statusCode).toBe(200);
    expect(await isPublic()).toBe(200);
    expect(await coinsOf(creator)).toBe(2);
    expect(await audit()).toEqual([]);
  });

  it.each(['other last bytes', 'mirrored', 'JPEG of quality 30'])(
    'is hidden also if that was itself a copy of a public work by the same creator: %s',
    async (change) => {
      const picture = await newScene();
      await publish(picture, creator);
      const insult = await changed('with words on it', picture);
      const { data: first, copy } = await publish(insult, creator);
      expect(copy.state).toBe('found');
      const target = `post:${first._id}`;
      await post('/api/operator/reports/take-down', { target, reason: 'An insult' }, await operator());
      for (const again of [insult, await changed(change, insult)])
        expect((await publish(again, creator)).data.takenDown ?? 'public').toContain('taken down');
    },
  );

  it('that is decided to be a copy stays hidden', async () => {
    const picture = await newScene();
    const { data: first } = await publish(picture, other);
    const judge = await operator();
    await post('/api/operator/reports/take-down', { target: `post:${first._id}`, reason: 'No' }, judge);
    const { data } = await publish(await changed('WebP', picture), creator, 'story');
    expect((await decide(data._id, 'copy', judge)).statusCode).toBe(200);
    expect(await open(judge)).toEqual([]);
    const { data: shown } = await call(server, { url: `/api/story/getFriendStorydata/${creator.id}` });
    expect(shown).toEqual([]);
    expect(await coinsOf(creator)).toBe(0);
  });
});

describe('a work that an operator took down and its owner deleted', () => {
  async function takenDown(kind: 'post' | 'story' = 'post') {
    const picture = await newScene();
    const { data } = await publish(picture, other, kind);
    const judge = await operator();
    const target = `${kind}:${data._id}`;
    await post('/api/operator/reports/take-down', { target, reason: 'It breaks the rules' }, judge);
    return { picture, id: data._id as string, target, judge };
  }
  const erase = {
    work: (id: string, by: Person) =>
      call(server, { method: 'DELETE', url: `/api/post/deletePost/${id}`, headers: by.headers }),
    account: (_: string, by: Person) => deleteAccount(contextAt(server.db, server.now.value), by.id, by.id),
  };
  const tidyIn = (now: Date) => {
    server.now.value = now;
    return deleteOldPrints(contextAt(server.db, now));
  };
  const statusOf = async (id: string) => (await server.inject({ url: `/api/post/getPost/${id}` })).statusCode;
  const printsOf = async (id: string) =>
    await server.db.selectFrom('prints').select('number').where('work_id', '=', id).execute();
  async function losePrint(id: string) {
    const [{ number } = { number: 0 }] = await printsOf(id);
    await server.db.deleteFrom('print_keys').where('number', '=', number).execute();
    await server.db.deleteFrom('prints').where('number', '=', number).execute();
  }

  it.each([
    ['work', 'same bytes', 'November'],
    ['work', 'same bytes', 'December'],
    ['work', 'mirrored', 'December'],
    ['account', 'same bytes', 'December'],
    ['account', 'mirrored', 'November'],
    ['account', 'mirrored', 'December'],
  ] as const)('with its %s is withheld again: %s, published in %s', async (what, change, when) => {
    const { picture, id } = await takenDown();
    await erase[what](id, other);
    await tidyIn(when === 'December' ? december : noon);
    const copied = change === 'mirrored' ? await changed('mirrored', picture) : picture;
    const { data, copy } = await publish(copied, creator);
    expect(data).toMatchObject({ duplicate: true, takenDown: expect.stringContaining('taken down') });
    expect(copy).toMatchObject({ of: null, state: 'asked' });
    expect(await statusOf(data._id)).toBe(404);
    const of = { kind: 'post', _id: id, userId: other.id, picture: '' };
    const judge = await operator();
    expect(await open(judge)).toMatchObject([{ _id: data._id, withheld: true, of }]);
    expect((await decide(data._id, 'own', judge)).statusCode).toBe(200);
    expect(await statusOf(data._id)).toBe(200);
    expect(await audit()).toEqual([]);
  });

  it('is withheld again if its own creator publishes the same bytes', async () => {
    const { picture, id } = await takenDown();
    await erase.work(id, other);
    await tidyIn(december);
    const { data } = await publish(picture, other, 'story');
    expect(data.takenDown).toContain('taken down');
  });

  it('is recognized by its bytes also if it has no print', async () => {
    const { picture, id } = await takenDown();
    await losePrint(id);
    await erase.account(id, other);
    const { data } = await publish(picture, creator);
    expect(data.takenDown).toContain('taken down');
  });

  it('is recognized by a copy from before it was taken down, which stays public', async () => {
    const picture = await newScene();
    const { data: first } = await publish(picture, other);
    const { data: second } = await publish(await changed('mirrored', picture), await signUpSomebody(server));
    const target = `post:${first._id}`;
    await post(
      '/api/operator/reports/take-down',
      { target, reason: 'It breaks the rules' },
      await operator(),
    );
    await erase.work(first._id, other);
    await losePrint(first._id);
    const { data: third } = await publish(await changed('mirrored', picture), creator);
    expect([await statusOf(second._id), third.takenDown]).toEqual([
      200,
      expect.stringContaining('taken down'),
    ]);
  });

  it('keeps its print if it is taken down while the account is being deleted', async () => {
    const { data: story } = await publish(await newScene(), other, 'story');
    let deletion: Promise<void> | undefined;
    await inTransaction(server.db, async (trx) => {
      await storyTakeDown.takeDown(trx, story._id, 'It breaks the rules', noon);
      deletion = deleteAccount(contextAt(server.db, noon), other.id, other.id);
      await expect.poll(() => countLockWaits(server.db)).toBe(1);
    });
    await deletion;
    expect(await printsOf(story._id)).toHaveLength(1);
  });

  it.each(['work', 'account'] as const)(
    'with its %s can be restored: its copies are then public, and its print is deleted after the month',
    async (what) => {
      const { picture, id, target, judge } = await takenDown();
      await erase[what](id, other);
      const restored = await post('/api/operator/reports/restore', { target }, judge);
      expect([restored.statusCode, restored.json().data.takenDown]).toEqual([200, null]);
      expect(await statusOf(id)).toBe(404);
      const { data } = await publish(picture, creator);
      expect(await statusOf(data._id)).toBe(200);
      await tidyIn(noon);
      expect(await printsOf(id)).toHaveLength(1);
      await tidyIn(december);
      expect(await printsOf(id)).toEqual([]);
      expect(await audit()).toEqual([]);
    },
  );

  it('differs from a copy that no operator has reviewed: the print of that one is deleted with it', async () => {
    const { picture, id, judge } = await takenDown();
    const { data: waiting } = await publish(await changed('mirrored', picture), creator);
    const { data: decided } = await publish(await changed('WebP', picture), creator);
    expect((await decide(decided._id, 'copy', judge)).statusCode).toBe(200);
    await erase.account('', creator);
    await tidyIn(december);
    expect(await printsOf(id)).toHaveLength(1);
    expect(await printsOf(decided._id)).toHaveLength(1);
    expect(await printsOf(waiting._id)).toEqual([]);
  });

  it.each(['keeps', 'deletes'])(
    'does not hide what its copier took, who then %s the account, from the creator of the earlier work',
    async (what) => {
      const picture = await newScene();
      await publish(picture, creator);
      const { data: copy } = await publish(picture, other);
      const { data: mirrored } = await publish(await changed('mirrored', picture), other);
      const judge = await operator();
      for (const { _id } of [copy, mirrored])
        await post(
          '/api/operator/reports/take-down',
          { target: `post:${_id}`, reason: 'A stolen photo' },
          judge,
        );
      if (what === 'deletes') await erase.account('', other);
      const own = [picture, await changed('four fifths of it, mirrored', picture)];
      for (const one of own) expect((await publish(one, creator)).data.takenDown).toBe(null);
      const again = await publish(picture, what === 'deletes' ? await signUpSomebody(server) : other);
      expect(again.data.takenDown).toContain('taken down');
    },
  );

  it('keeps what was found about it only until it is restored, and no words about it, after the account is deleted', async () => {
    const picture = await newScene();
    await publish(picture, creator);
    const judge = await operator();
    const copies: string[] = [];
    for (const kind of ['post', 'story'] as const) {
      const { data } = await publish(picture, other, kind);
      await ask(data._id, other, kind);
      expect((await decide(data._id, 'copy', judge)).statusCode).toBe(200);
      await post(
        '/api/operator/reports/take-down',
        { target: `${kind}:${data._id}`, reason: 'A theft' },
        judge,
      );
      copies.push(data._id);
    }
    await erase.account('', other);
    const found = () =>
      server.db.selectFrom('copies').select(['work_id', 'words', 'reason']).where('work_id', 'in', copies);
    const kept = copies.map((work_id) => ({ work_id, words: '', reason: null }));
    expect(await found().orderBy('work_id').execute()).toEqual(kept);
    for (const target of [`post:${copies[0]}`, `story:${copies[1]}`])
      expect((await post('/api/operator/reports/restore', { target }, judge)).statusCode).toBe(200);
    expect(await found().execute()).toEqual([]);
  });

  it('is not what waited for a review when its creator deleted the account', async () => {
    const { picture, id, target, judge } = await takenDown();
    await publish(picture, creator);
    await erase.account('', creator);
    await post('/api/operator/reports/restore', { target }, judge);
    expect(await statusOf(id)).toBe(200);
    expect((await publish(picture, other, 'story')).data.takenDown).toBe(null);
  });
});
