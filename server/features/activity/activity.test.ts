import type { Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { personIn, publishedReel, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { countLockWaits } from '#testing/servers/lock-waits.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { auditLedger } from '../earnings/audit.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { countActivity, saveActivity } from './activity.ts';

const zone = 'Asia/Kolkata';
const hour = 3_600_000;
const now = new Date('2026-11-15T06:30:00Z');

let server: TestServer;
let asha: Person;
let reelId: string;
beforeAll(async () => {
  server = await startTestServer();
  reelId = await publishedReel(server.db, await personIn(server.db, now), now, zone);
});
afterAll(async () => {
  await server.close();
});
beforeEach(async () => {
  server.now.value = now;
  asha = await signUpSomebody(server);
});

const save = async (events: object[], who = asha) =>
  (
    await call(server, {
      method: 'POST',
      url: '/api/activity/save',
      headers: who.headers,
      payload: { events },
    })
  ).data.map(({ outcome }: { outcome: string }) => outcome);
const scroll = (reel = reelId, id = newId(now)) => ({ id, kind: 'scroll', reelId: reel });
const active = (at: Date, id = newId(now)) => ({ id, kind: 'active_hour', hour: at.toISOString() });
const shown = async (who = asha) =>
  (await call(server, { url: `/api/user-earnings/activity/${who.id}`, headers: who.headers })).data;
const like = (kind: 'reel_like' | 'photo_like', factId: string, at = now) =>
  server.db
    .transaction()
    .execute((trx) => countActivity(trx, asha.id, { kind, factId }, { now: at, timeZone: zone }));
const postOf = async (creatorId: string) => {
  const fileName = await uploadedPhoto(server.db, creatorId, now);
  const form = { fileName, caption: '', description: '' };
  return (await publishPost(contextAt(server.db, now, zone), creatorId, form)).id;
};

describe('activity in the app (specification §9, decisions §4)', () => {
  it('is a coin for a reel scrolled, a reel liked, a photo liked, an active hour', async () => {
    expect(await save([scroll(), active(now)])).toEqual(['counted', 'counted']);
    expect(await like('reel_like', reelId)).toBe(true);
    expect(await like('photo_like', await postOf(await personIn(server.db, now)))).toBe(true);
    expect(await shown()).toEqual({
      userId: asha.id,
      month: '2026-11',
      monthLabel: 'November 2026',
      scrolls: 1,
      reelLikes: 1,
      photoLikes: 1,
      activeHours: 1,
      coins: 4,
      coinsPerRupee: 5000,
      paise: 0,
      rupees: '0.00',
      asOf: now.toISOString(),
    });
  });

  it('5,000 coins are a rupee, 4,999 are ₹0.99', async () => {
    for (const [count, rupees] of [
      [4999, '0.99'],
      [5000, '1.00'],
    ] as const) {
      const row = { person_id: asha.id, month: '2026-11', scrolls: count };
      await server.db.deleteFrom('activity_months').where('person_id', '=', asha.id).execute();
      await server.db.insertInto('activity_months').values(row).execute();
      expect(await shown()).toMatchObject({ coins: count, rupees });
    }
    await server.db.deleteFrom('activity_months').where('person_id', '=', asha.id).execute();
  });

  it('an event sent twice counts once and gets the same answer, also at the same time', async () => {
    const events = [scroll(), active(now)];
    const answers = await Promise.all(Array.from({ length: 20 }, () => save(events)));
    expect(answers).toEqual(answers.map(() => ['counted', 'counted']));
    expect(await shown()).toMatchObject({ scrolls: 1, activeHours: 1, coins: 2 });
  });

  it('an event reported on both sides of a month’s end at the same time counts once and is no error', async () => {
    const hour = new Date('2026-11-30T18:00:00Z').toISOString();
    const before = new Date('2026-11-30T18:29:59.999Z');
    const after = new Date('2026-11-30T18:30:00.000Z');
    const event = (id: string) => ({ id, kind: 'active_hour' as const, hour });
    const [first, second] = [newId(before), newId(after)];
    const sent = (id: string, at: Date) => saveActivity(contextAt(server.db, at), asha.id, [event(id)]);
    const liked = (trx: Transaction<Tables>, at: Date) =>
      countActivity(trx, asha.id, { kind: 'reel_like', factId: reelId }, { now: at, timeZone: zone });

    // The like of November is not stored yet when the one of December arrives.
    let late: Promise<boolean> | undefined;
    await server.db.transaction().execute(async (trx) => {
      expect(await liked(trx, before)).toBe(true);
      late = server.db.transaction().execute((other) => liked(other, after));
      await expect.poll(() => countLockWaits(server.db)).toBeGreaterThan(0);
    });
    expect(await late).toBe(false);

    const reported = await Promise.all([sent(first, before), sent(second, after), sent(first, after)]);
    const outcomes = reported.flat().map(({ outcome }) => outcome);
    expect(new Set(outcomes)).toEqual(new Set(['counted', 'repeated']));
    const months = await server.db
      .selectFrom('activity_months')
      .select(['active_hours', 'reel_likes'])
      .where('person_id', '=', asha.id)
      .execute();
    expect(months.reduce((sum, row) => sum + row.active_hours, 0)).toBe(1);
    expect(months.reduce((sum, row) => sum + row.reel_likes, 0)).toBe(1);
  });

  it('the same id from another person is another event', async () => {
    const other = await signUpSomebody(server);
    const event = scroll();
    expect([await save([event]), await save([event], other)]).toEqual([['counted'], ['counted']]);
    expect((await shown(other)).scrolls).toBe(1);
  });

  it('a scrolled reel counts once a day of the business time zone', async () => {
    expect(await save([scroll(), scroll()])).toEqual(['counted', 'repeated']);
    server.now.value = new Date('2026-11-15T18:29:59.999Z');
    expect(await save([scroll()])).toEqual(['repeated']);
    server.now.value = new Date('2026-11-15T18:30:00Z');
    expect(await save([scroll()])).toEqual(['counted']);
  });

  it('own and unknown reels and photos do not count', async () => {
    const own = await publishedReel(server.db, asha.id, now, zone);
    expect(await save([scroll(own), scroll(newId(now))])).toEqual(['own', 'unknown']);
    expect(await like('reel_like', own)).toBe(false);
    expect(await like('photo_like', await postOf(asha.id))).toBe(false);
    expect(await shown()).toMatchObject({ coins: 0 });
  });

  it('an hour counts once, not before it begins, and not two days later', async () => {
    const at = (hours: number) => new Date(now.getTime() + hours * hour);
    expect(await save([active(now), active(new Date(now.getTime() + 60_000))])).toEqual([
      'counted',
      'repeated',
    ]);
    expect(await save([active(at(1)), active(at(-48)), active(at(-50))])).toEqual([
      'implausible',
      'counted',
      'implausible',
    ]);
  });

  it('a like counts once, even if it is undone and repeated', async () => {
    expect(await like('reel_like', reelId)).toBe(true);
    expect(await like('reel_like', reelId)).toBe(false);
    expect(await like('reel_like', reelId, new Date('2026-12-15T06:30:00Z'))).toBe(false);
  });

  it('at most a thousand scrolls count on one day', async () => {
    const creator = await personIn(server.db, now);
    const template = await publishedReel(server.db, creator, now, zone);
    const row = await server.db
      .selectFrom('reels')
      .selectAll()
      .where('id', '=', template)
      .executeTakeFirstOrThrow();
    const ids = Array.from({ length: 1001 }, () => newId(now));
    await changeWorks(server.db, (trx) =>
      trx
        .insertInto('reels')
        .values(ids.map((id) => ({ ...row, id, media_key: id, renditions: '[]', duplicate: true })))
        .execute(),
    );
    const outcomes: string[] = [];
    for (let from = 0; from < ids.length; from += 100)
      outcomes.push(...(await save(ids.slice(from, from + 100).map((id) => scroll(id)))));
    expect(outcomes.filter((outcome) => outcome === 'counted')).toHaveLength(1000);
    expect(outcomes.at(-1)).toBe('over_limit');
    expect(await shown()).toMatchObject({ scrolls: 1000, paise: 20 });
  });

  it('an event counts in the month in which it is reported, and the audit agrees', async () => {
    await save([scroll()]);
    server.now.value = new Date('2026-11-30T18:30:00Z');
    const other = await signUpSomebody(server);
    await save([scroll()], other);
    expect(await shown(other)).toMatchObject({ month: '2026-12', scrolls: 1 });
    expect(await shown()).toMatchObject({ month: '2026-12', scrolls: 0 });
    const { differences } = await auditLedger(contextOn(server.db));
    expect(differences.filter(({ what }) => what === 'activity')).toEqual([]);
  });

  it('nothing is stored of an account that is deleted meanwhile', async () => {
    const gone = newId(now);
    const event = { id: newId(now), kind: 'active_hour' as const, hour: now.toISOString() };
    await expect(saveActivity(contextAt(server.db, now, zone), gone, [event])).rejects.toMatchObject({
      code: 'not_signed_in',
    });
    const months = server.db.selectFrom('activity_months').select('month').where('person_id', '=', gone);
    expect(await months.execute()).toEqual([]);
  });

  it.each<[what: string, payload: object]>([
    ['no events', { events: [] }],
    ['no list', {}],
    ['too many', { events: Array.from({ length: 101 }, () => scroll()) }],
    ['an id that is none', { events: [{ ...scroll(), id: '7' }] }],
    ['a kind that is none', { events: [{ id: newId(now), kind: 'reel_like', reelId }] }],
    ['an hour that is none', { events: [{ id: newId(now), kind: 'active_hour', hour: 'noon' }] }],
  ])('%s is refused with a sentence', async (_what, payload) => {
    const answer = await server.inject({
      method: 'POST',
      url: '/api/activity/save',
      headers: asha.headers,
      payload,
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toMatch(/^[A-Z].*\.$/);
  });
});
