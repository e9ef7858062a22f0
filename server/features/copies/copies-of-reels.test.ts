import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { watch } from '#server/media/tasks/watch.ts';
import { contextAt } from '#testing/context.ts';
import { type DrawnReel, drawReel, reelChanges, saveReel } from '#testing/copies/reels.ts';
import { madeReel } from '#testing/fixtures/earnings.ts';
import { reopenMonths, showAndWatch, watchedByMany } from '#testing/fixtures/watching.ts';
import { randomFrom } from '#testing/random.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import { call, type Person, signUpSomebody } from '#testing/servers/test-server.ts';
import { someOf } from '#testing/share.ts';
import { deleteAccount } from '../account-deletion/account-deletion.ts';
import { auditLedger } from '../earnings/audit.ts';
import { closeMonths } from '../months/closing.ts';
import { deleteReel } from '../reels/deletion.ts';

/** Noon of the 15th of November 2026 in India. */
const noon = new Date('2026-11-15T06:30:00Z');
const december = new Date('2026-12-10T06:30:00Z');
const month = '2026-11';

let site: Awaited<ReturnType<typeof startMailingServer>>;
let server: typeof site.server;
let folder: string;
let creator: Person;
let other: Person;
beforeAll(async () => {
  site = await startMailingServer();
  server = site.server;
  folder = await mkdtemp(join(tmpdir(), 'jhalak-copies-'));
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await reopenMonths(server.db);
  server.now.value = noon;
  [creator, other] = [await signUpSomebody(server), await signUpSomebody(server)];
});

let seeds = 300;
function newReel(): Promise<DrawnReel> {
  seeds += 1;
  return drawReel(randomFrom(seeds), 3);
}
/** Publishes an encoded reel; returns what its creator reads about it. */
async function publish(drawn: DrawnReel, by: Person, kind?: keyof typeof reelChanges) {
  const path = join(folder, 'reel.mp4');
  await saveReel(path, drawn, kind ? reelChanges[kind] : {});
  const { print } = await watch({ path, container: 'mov' });
  const context = contextAt(server.db, server.now.value);
  const id = await madeReel(context, by.id, { print: Buffer.from(print ?? '', 'base64') });
  return await call(server, { url: `/api/reel/getReel/${id}`, headers: by.headers });
}
const post = (url: string, payload: object, { headers }: Person) =>
  server.inject({ method: 'POST', url, payload, headers });
const coinsOf = async ({ id, headers }: Person, of = month) =>
  (await call(server, { url: `/api/user-earnings/month/${id}/${of}?limit=50`, headers })).data.totalCoins;
const audit = async () => (await auditLedger(server.context)).differences;
async function operator(): Promise<Person> {
  const person = await signUpSomebody(server);
  await makeOperator(server, person.id, server.now.value);
  return person;
}
const decide = (id: string, verdict: 'own' | 'copy', by: Person) =>
  post(`/api/operator/copies/decide/${id}`, { verdict, reason: 'I compared them' }, by);

describe('a reel that is published again', () => {
  it('as a modified copy earns nothing; its creator sees the original, requests a review, and what its month would have paid counts in that of the decision', async () => {
    const drawn = await newReel();
    const first = await publish(drawn, other);
    expect([first.data.duplicate, first.copy]).toEqual([false, null]);
    const paid = await coinsOf(other);
    expect(paid).toBeGreaterThan(0);
    const { data, copy } = await publish(drawn, creator, 'mirrored, without sound');
    const of = {
      ...{ kind: 'reel', _id: first.data._id, userId: other.id, username: other.username },
      ...{ publishedAt: noon.toISOString(), deletedAt: null },
    };
    expect(data.duplicate).toBe(true);
    expect(copy).toEqual({ of, state: 'found', reason: null });
    expect(await coinsOf(creator)).toBe(0);
    const stranger = await call(server, { url: `/api/reel/getReel/${data._id}`, headers: other.headers });
    expect(stranger.copy).toBeNull();

    const asked = await post(
      '/api/copies/ask',
      { kind: 'reel', id: data._id, words: 'I was there' },
      creator,
    );
    expect(asked.json().data.state).toBe('asked');
    server.now.value = december;
    await closeMonths(server.context);
    const judge = await operator();
    const { data: open } = await call(server, { url: '/api/operator/copies', headers: judge.headers });
    expect(open).toMatchObject([{ _id: data._id, picture: expect.stringContaining(data._id), of }]);
    for (const times of [1, 2])
      expect([times, (await decide(data._id, 'own', judge)).statusCode]).toEqual([times, 200]);
    expect([await coinsOf(creator), await coinsOf(creator, '2026-12')]).toEqual([0, paid]);
    await watchedByMany(server.context, data._id, 20, december);
    expect(await coinsOf(creator, '2026-12')).toBeGreaterThan(paid);
    expect(await audit()).toEqual([]);
    const before = await coinsOf(creator, '2026-12');
    await deleteReel({ ...server.context, clock: () => december }, data._id, creator.id);
    expect(await coinsOf(creator, '2026-12')).toBe(before);
    expect(await audit()).toEqual([]);
  });

  it('as a copy of a taken-down reel waits for an operator; its print is deleted with its account', async () => {
    const drawn = await newReel();
    const first = await publish(drawn, other);
    const judge = await operator();
    const target = `reel:${first.data._id}`;
    await post(
      '/api/operator/reports/take-down',
      { target, what: 'content', rule: 'spam', reason: 'It breaks the rules' },
      judge,
    );
    const { data, copy } = await publish(drawn, creator, 'three quarters of it');
    expect(data).toMatchObject({
      ...{ duplicate: true, waits: true },
      takenDown: expect.stringContaining('taken down'),
    });
    expect(copy).toMatchObject({ of: null, state: 'waiting' });
    const isPublic = async () =>
      (await server.inject({ url: `/api/reel/getReel/${data._id}` })).statusCode === 200;
    expect(await isPublic()).toBe(false);
    expect((await decide(data._id, 'own', judge)).statusCode).toBe(200);
    expect(await isPublic()).toBe(true);
    expect(await audit()).toEqual([]);
    await deleteAccount(contextAt(server.db, noon), creator.id, creator.id);
    const left = await server.db
      .selectFrom('prints')
      .select('kind')
      .where('creator_id', '=', creator.id)
      .execute();
    expect(left).toEqual([]);
    expect(await audit()).toEqual([]);
  });
});

describe('a reel that an operator took down', () => {
  async function takenDown(drawn: DrawnReel) {
    const { data } = await publish(drawn, other);
    const target = `reel:${data._id}`;
    await post(
      '/api/operator/reports/take-down',
      { target, what: 'content', rule: 'spam', reason: 'It breaks the rules' },
      await operator(),
    );
    return { id: data._id as string, target };
  }

  it.each(someOf(['reel', 'account'] as const, 1))(
    'and whose %s was deleted is withheld again',
    async (what) => {
      const drawn = await newReel();
      const { id } = await takenDown(drawn);
      if (what === 'reel') await deleteReel({ ...server.context, clock: () => noon }, id, other.id);
      else await deleteAccount(contextAt(server.db, noon), other.id, other.id);
      server.now.value = december;
      const { data } = await publish(drawn, creator, 'mirrored, without sound');
      expect(data).toMatchObject({
        ...{ duplicate: true, waits: true },
        takenDown: expect.stringContaining('taken down'),
      });
      expect(await audit()).toEqual([]);
    },
  );

  it('without a print waits by its bytes, also for its own creator, until it is restored', async () => {
    const bytes = randomUUID();
    const first = await madeReel(contextAt(server.db, noon), other.id, { bytes });
    const target = `reel:${first}`;
    const judge = await operator();
    const why = { target, what: 'content', rule: 'spam', reason: 'It breaks the rules' };
    await post('/api/operator/reports/take-down', why, judge);
    await deleteReel({ ...server.context, clock: () => noon }, first, other.id);
    const publicFor = async ({ id }: Person) => {
      const reel = await madeReel(contextAt(server.db, noon), id, { bytes });
      return (await server.inject({ url: `/api/reel/getReel/${reel}` })).statusCode === 200;
    };
    expect([await publicFor(creator), await publicFor(other)]).toEqual([false, false]);
    expect((await post('/api/operator/reports/restore', { target }, judge)).statusCode).toBe(200);
    expect(await publicFor(creator)).toBe(true);
    expect(await audit()).toEqual([]);
  });
});

it('a reel whose original is deleted at once counts from its own publication, with what was watched of it', async () => {
  const drawn = await newReel();
  const first = await publish(drawn, other);
  const { data } = await publish(drawn, creator, 'mirrored, without sound');
  const views = Array.from({ length: 20 }, (_, viewer) => ({
    ...{ reelId: data._id, viewer: Buffer.alloc(16, viewer), address: Buffer.alloc(8), signedIn: false },
    ...{ issuedAt: new Date(noon.getTime() - 60_000), at: noon, neededMs: 4000 },
  }));
  expect((await showAndWatch(server.context, views)).filter(Boolean)).toEqual([]);
  expect(await coinsOf(creator)).toBe(0);
  await deleteReel({ ...server.context, clock: () => noon }, first.data._id, other.id);
  expect(await coinsOf(creator)).toBe(5 + 2);
  expect(await audit()).toEqual([]);
});

it('another reel with the same music pays', async () => {
  const drawn = await newReel();
  await publish(drawn, other);
  const { data, copy } = await publish({ ...(await newReel()), tune: drawn.tune }, creator);
  expect([data.duplicate, copy]).toEqual([false, null]);
  expect(await coinsOf(creator)).toBeGreaterThan(0);
});
