import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { contextAt } from '#testing/context.ts';
import { changes } from '#testing/copies/changes.ts';
import { sceneOf } from '#testing/copies/works.ts';
import { reopenMonths } from '#testing/fixtures/watching.ts';
import { randomFrom } from '#testing/random.ts';
import { countLockWaits } from '#testing/servers/lock-waits.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import { call, multipart, type Person, signUpSomebody } from '#testing/servers/test-server.ts';
import { someOf } from '#testing/share.ts';
import { deleteAccount } from '../account-deletion/account-deletion.ts';
import { auditLedger } from '../earnings/audit.ts';
import { restoreContent } from '../moderation/take-down.ts';
import { closeMonths } from '../months/closing.ts';
import { deletePost } from '../posts-and-stories/deletion.ts';
import { storyTakeDown } from '../posts-and-stories/take-down.ts';
import { publishCompared } from './matching.ts';

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
  return sceneOf(randomFrom(seeds), { width: 360, height: 480 });
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
  it.each(someOf(['mirrored', 'three quarters of it', 'JPEG of quality 30', 'other last bytes'], 2))(
    '%s, by somebody else, earns nothing, and its creator reads what it is a copy of',
    async (kind) => {
      const picture = await newScene();
      const { data: first } = await publish(picture, other);
      const { data, copy } = await publish(await changed(kind, picture), creator);
      const of = {
        ...{ kind: 'post', _id: first._id, userId: other.id, username: other.username },
        ...{ publishedAt: noon.toISOString(), deletedAt: null },
      };
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

  it('after its creator deleted it, earns nothing, also in a later month', async () => {
    const picture = await newScene();
    const { data: first } = await publish(picture, creator);
    await call(server, {
      method: 'DELETE',
      url: `/api/post/deletePost/${first._id}`,
      headers: creator.headers,
    });
    for (const [now, kind] of [
      [noon, 'mirrored'],
      [december, 'WebP'],
    ] as const) {
      server.now.value = now;
      const { data, copy } = await publish(await changed(kind, picture), creator);
      expect([data.duplicate, copy.of._id, copy.of.deletedAt]).toEqual([true, first._id, noon.toISOString()]);
    }
    expect([await coinsOf(creator), await coinsOf(creator, '2026-12')]).toEqual([0, 0]);
    expect(await audit()).toEqual([]);
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

it('a publication that PostgreSQL aborts because of a deadlock is stored by another try', async () => {
  let tries = 0;
  const publishing = publishCompared(server, { print: null, creatorId: creator.id }, async (trx) => {
    tries += 1;
    if (tries < 3)
      await sql`do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$`.execute(trx);
    const { rows } = await sql<{ stored: boolean }>`select true as stored`.execute(trx);
    return rows;
  });
  expect(await publishing).toEqual([{ stored: true }]);
  expect(tries).toBe(3);
});

it('another picture pays', async () => {
  await publish(await newScene(), other);
  const { data, copy } = await publish(await newScene(), creator);
  expect([data.duplicate, copy]).toEqual([false, null]);
  expect(await coinsOf(creator)).toBe(2);
});

it('a deleted account leaves no print and no key, but the hashes of works that keep their coins', async () => {
  const keys = async () =>
    (
      await server.db
        .selectFrom('print_keys')
        .select((eb) => eb.fn.countAll<number>().as('keys'))
        .executeTakeFirstOrThrow()
    ).keys;
  const before = await keys();
  const picture = await newScene();
  const { data: kept } = await publish(picture, creator);
  server.now.value = december;
  await publish(await newScene(), creator);
  await publish(await changed('mirrored', picture), creator);
  expect(await keys()).toBeGreaterThan(before);
  await closeMonths(server.context);
  await deleteAccount(contextAt(server.db, december), creator.id, creator.id);
  expect(await keys()).toBe(before);
  const left = server.db.selectFrom('prints').select(['work_id', 'compared', 'print']);
  expect(await left.where('creator_id', '=', creator.id).execute()).toEqual([
    { work_id: kept._id, compared: 'everybody', print: null },
  ]);
  expect(
    await server.db.selectFrom('copies').select('kind').where('creator_id', '=', creator.id).execute(),
  ).toEqual([]);
  const { data, copy } = await publish(picture, other);
  expect([data.duplicate, copy.of]).toEqual([true, null]);
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

const takeDown = (what: 'copy' | 'content', id: string, by: Person, kind = 'post') =>
  post(
    '/api/operator/reports/take-down',
    { target: `${kind}:${id}`, what, rule: 'spam', reason: 'It breaks the rules' },
    by,
  );
const restore = (id: string, by: Person) =>
  post('/api/operator/reports/restore', { target: `post:${id}` }, by);
const erase = {
  work: (id: string, by: Person) =>
    call(server, { method: 'DELETE', url: `/api/post/deletePost/${id}`, headers: by.headers }),
  account: (_: string, by: Person) => deleteAccount(contextAt(server.db, server.now.value), by.id, by.id),
};
const statusOf = async (id: string) => (await server.inject({ url: `/api/post/getPost/${id}` })).statusCode;

it('what was deleted at once by many does not hide the original from the comparison', async () => {
  const picture = await newScene();
  const { data: gone } = await publish(picture, other);
  await erase.work(gone._id, other);
  // As if many others had done the same.
  await sql`
    with many as (
      insert into prints (work_id, creator_id, kind, sha256, print, compared, number)
      select gen_random_uuid(), gen_random_uuid(), 'post', sha256(n::text::bytea), print, 'creator',
        (select max(number) from prints) + n
      from prints, generate_series(1, 64) n where work_id = ${gone._id} returning number
    ) insert into print_keys (key, number)
      select key, many.number from print_keys join prints using (number), many where work_id = ${gone._id}`.execute(
    server.db,
  );
  const { data: first } = await publish(await changed('other last bytes', picture), creator);
  const { data, copy } = await publish(picture, await signUpSomebody(server));
  expect([first.duplicate, data.duplicate, copy?.of._id]).toEqual([false, true, first._id]);
});

describe('nobody is harmed by a rival who', () => {
  it('publishes a picture and deletes it at once: it stays new for its creator, and the operator sees who did what', async () => {
    const picture = await newScene();
    const { data: before } = await publish(picture, other);
    const mirrored = await publish(await changed('mirrored', picture), creator);
    expect([mirrored.data.duplicate, await coinsOf(creator)]).toEqual([true, 0]);
    await erase.work(before._id, other);
    const { data: after, copy } = await publish(picture, await signUpSomebody(server));
    expect([after.duplicate, copy.of._id]).toEqual([true, mirrored.data._id]);
    expect([await coinsOf(creator), await coinsOf(other)]).toEqual([2, 0]);
    expect((await monthOf(creator)).items).toMatchObject([{ duplicate: false, copy: null }]);
    const again = await publish(picture, other);
    expect(again.copy).toMatchObject({ of: { _id: before._id, deletedAt: noon.toISOString() } });
    await ask(again.data._id, other);
    const judge = await operator();
    const { data } = await call(server, { url: '/api/operator/copies', headers: judge.headers });
    expect(data.find(({ _id }: { _id: string }) => _id === again.data._id)).toMatchObject({
      of: { userId: other.id, username: other.username, publishedAt: noon.toISOString() },
    });
    expect(await audit()).toEqual([]);
  });

  it('keeps it for a day: its creator is not told by whom it was, and a person who is asked sees it', async () => {
    const picture = await newScene();
    const { data: before } = await publish(picture, other);
    server.now.value = new Date(noon.getTime() + 24 * 3_600_000);
    await erase.work(before._id, other);
    const { data, copy } = await publish(picture, creator);
    expect([data.duplicate, copy.of]).toEqual([true, null]);
    await ask(data._id, creator);
    const judge = await operator();
    const deletedAt = server.now.value.toISOString();
    const of = { _id: before._id, username: other.username, publishedAt: noon.toISOString(), deletedAt };
    expect(await open(judge)).toMatchObject([{ _id: data._id, of: { ...of, picture: '' } }]);
    expect((await decide(data._id, 'own', judge)).statusCode).toBe(200);
    expect(await coinsOf(creator)).toBe(2);
    expect(await audit()).toEqual([]);
  });

  it.each(
    someOf(
      [
        ['before', 'mirrored'],
        ['after', 'mirrored'],
        ['after', 'other last bytes'],
      ],
      1,
    ),
  )(
    'is reported as a thief: what its creator published %s the take-down is public and earns (%s)',
    async (when, change) => {
      const picture = await newScene();
      const { data: stolen } = await publish(await changed(change, picture), other);
      const judge = await operator();
      const own = when === 'before' ? await publish(picture, creator) : undefined;
      expect((await takeDown('copy', stolen._id, judge)).json().data.takenDown).toBe('It breaks the rules');
      const { data } = own ?? (await publish(picture, creator));
      expect([await statusOf(stolen._id), await statusOf(data._id), await coinsOf(creator)]).toEqual([
        404, 200, 2,
      ]);
      const again = await publish(picture, other);
      expect([again.data.duplicate, again.data.takenDown]).toEqual([true, null]);
      expect((await restore(stolen._id, judge)).statusCode).toBe(200);
      expect([await statusOf(stolen._id), await coinsOf(creator)]).toEqual([200, 2]);
      expect(await audit()).toEqual([]);
    },
  );

  it('is an operator and takes down the original of an own copy', async () => {
    const picture = await newScene();
    const { data: first } = await publish(picture, creator);
    const judge = await operator();
    await publish(picture, judge);
    const answer = await takeDown('copy', first._id, judge);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'own_work']);
    expect([await statusOf(first._id), await coinsOf(judge)]).toEqual([200, 0]);
  });
});

describe('what looks like taken-down content', () => {
  it('waits for an operator, and is public and counts if it is another work', async () => {
    const picture = await newScene();
    const { data: first } = await publish(picture, other);
    const judge = await operator();
    await takeDown('content', first._id, judge);
    const { data, copy } = await publish(await changed('mirrored', picture), creator);
    expect(data).toMatchObject({
      ...{ duplicate: true, waits: true },
      takenDown: expect.stringContaining('taken down'),
    });
    expect(copy).toMatchObject({ of: null, state: 'waiting' });
    expect(await statusOf(data._id)).toBe(404);
    const [at, of] = [
      `/api/operator/copies/picture/${data._id}`,
      { kind: 'post', _id: first._id, userId: other.id },
    ];
    const pictures = { picture: `${at}/${data._id}`, of: { ...of, picture: `${at}/${first._id}` } };
    expect(await open(judge)).toMatchObject([{ _id: data._id, waiting: true, ...pictures }]);
    for (const url of [pictures.picture, pictures.of.picture]) {
      const seen = await server.inject({ url, headers: judge.headers });
      expect([seen.statusCode, seen.headers['cache-control']]).toEqual([200, 'private, no-store']);
      expect((await server.inject({ url, headers: creator.headers })).statusCode).toBe(404);
    }
    const shown = async () =>
      (await call(server, { url: `/api/operator/copies/${data._id}`, headers: judge.headers })).data;
    expect(await shown()).toMatchObject({ waiting: true, history: [] });
    expect((await decide(data._id, 'own', judge)).statusCode).toBe(200);
    expect(await shown()).toMatchObject({ verdict: 'own', history: [{ act: 'copy.decide' }] });
    expect([await statusOf(data._id), await coinsOf(creator)]).toEqual([200, 2]);
    expect(await audit()).toEqual([]);
  });

  it('stays hidden with the reason of the operator who finds that it is a copy', async () => {
    const picture = await newScene();
    const { data: first } = await publish(picture, other);
    const judge = await operator();
    await takeDown('content', first._id, judge);
    const { data } = await publish(await changed('WebP', picture), creator);
    expect((await decide(data._id, 'copy', judge)).statusCode).toBe(200);
    expect(await open(judge)).toEqual([]);
    const own = await call(server, { url: `/api/post/getPost/${data._id}`, headers: creator.headers });
    expect(own.data.takenDown).toBe('I compared them');
    expect([await statusOf(data._id), await coinsOf(creator)]).toEqual([404, 0]);
  });

  it('of what shows a child is decided and made public only by who may see that', async () => {
    const picture = await newScene();
    const { data: first } = await publish(picture, other);
    const [judge, mona] = [await operator(), await signUpSomebody(server)];
    await makeOperator(server, mona.id, noon, 'moderator');
    const rule = { what: 'content', rule: 'child_safety', reason: 'It shows a child.' };
    await post('/api/operator/reports/take-down', { target: `post:${first._id}`, ...rule }, judge);
    const { data, copy } = await publish(await changed('mirrored', picture), creator);
    expect(copy.state).toBe('waiting');
    const look = (who: Person) =>
      server.inject({ url: `/api/operator/copies/picture/${data._id}/${first._id}`, headers: who.headers });
    expect([(await look(mona)).statusCode, (await look(judge)).statusCode]).toEqual([403, 200]);
    const looks = server.db.selectFrom('audit_log').select('operator_id').where('act', '=', 'report.look');
    expect(await looks.where('target_id', '=', data._id).execute()).toEqual([{ operator_id: judge.id }]);
    for (const refused of [
      await decide(data._id, 'own', mona),
      await decide(data._id, 'copy', mona),
      await restore(data._id, mona),
      await restore(first._id, mona),
    ])
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'not_allowed']);
    // With the account its decisions are deleted.
    await erase.account(first._id, other);
    for (const refused of [await decide(data._id, 'own', mona), await restore(first._id, mona)])
      expect(refused.statusCode).toBe(403);
    expect(await statusOf(data._id)).toBe(404);
    expect((await decide(data._id, 'own', judge)).statusCode).toBe(200);
    expect(await statusOf(data._id)).toBe(200);
  });

  it.each(someOf(['other last bytes', 'mirrored', 'JPEG of quality 30'], 1))(
    'waits also if that was a copy of a public work, whoever publishes it: %s',
    async (change) => {
      const picture = await newScene();
      await publish(picture, creator);
      const insult = await changed('with words on it', picture);
      const { data: first, copy } = await publish(insult, other);
      expect(copy.state).toBe('found');
      await takeDown('content', first._id, await operator());
      for (const by of [creator, other])
        expect((await publish(await changed(change, insult), by)).copy.state).toBe('waiting');
    },
  );

  it.each(
    someOf(
      [
        ['work', 'same bytes', noon],
        ['work', 'mirrored', december],
        ['account', 'same bytes', december],
        ['account', 'mirrored', noon],
      ] as const,
      2,
    ),
  )('waits after the %s was deleted, until it is restored: %s', async (what, change, when) => {
    const picture = await newScene();
    const { data: first } = await publish(picture, other);
    const judge = await operator();
    await takeDown('content', first._id, judge);
    await erase[what](first._id, other);
    server.now.value = when;
    const copied = change === 'mirrored' ? await changed('mirrored', picture) : picture;
    const { data, copy } = await publish(copied, creator);
    expect([copy.state, await statusOf(data._id)]).toEqual(['waiting', 404]);
    expect((await restore(first._id, judge)).json().data.takenDown).toBeNull();
    // It is deleted within its month, so its copy is the original now.
    expect([await statusOf(first._id), await statusOf(data._id)]).toEqual([404, 200]);
    expect((await publish(copied, await signUpSomebody(server))).copy.of._id).toBe(data._id);
    expect(await audit()).toEqual([]);
  });

  it('is restored while the owner of what waits for it deletes that', async () => {
    const picture = await newScene();
    const { data: first } = await publish(picture, other);
    await takeDown('content', first._id, await operator());
    const { data: gone } = await publish(picture, creator);
    const { data: left } = await publish(picture, await signUpSomebody(server));
    const context = contextAt(server.db, noon);
    let restoring: ReturnType<typeof restoreContent> | undefined;
    await inTransaction(server.db, async (trx) => {
      const storage = { remove: async () => undefined } as never;
      await deletePost({ ...context, db: trx, storage }, gone._id, creator.id);
      restoring = restoreContent(context, { id: null, name: 'the server' }, `post:${first._id}`);
      await expect.poll(() => countLockWaits(server.db)).toBe(1);
    });
    expect(await restoring).toMatchObject({ changed: true, takenDown: null });
    expect(await Promise.all([first, gone, left].map(({ _id }) => statusOf(_id)))).toEqual([200, 404, 200]);
    expect(await audit()).toEqual([]);
  });

  it('is kept if it is taken down while its account is being deleted', async () => {
    const { data: story } = await publish(await newScene(), other, 'story');
    let deletion: Promise<void> | undefined;
    await inTransaction(server.db, async (trx) => {
      await storyTakeDown.takeDown(trx, story._id, { as: 'content', reason: 'It breaks the rules' }, noon);
      deletion = deleteAccount(contextAt(server.db, noon), other.id, other.id);
      await expect.poll(() => countLockWaits(server.db)).toBe(1);
    });
    await deletion;
    const row = await server.db
      .selectFrom('prints')
      .select(['compared', 'print'])
      .where('work_id', '=', story._id)
      .execute();
    expect(row).toEqual([{ compared: 'banned', print: expect.any(Buffer) }]);
  });
});
