import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EarningItem } from '#contract/earnings.ts';
import { dayOf } from '#server/platform/clock.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { publishedReel } from '#testing/fixtures/earnings.ts';
import { reopenMonths, setOlderAppsUntil } from '#testing/fixtures/watching.ts';
import { countLockWaits } from '#testing/servers/lock-waits.ts';
import {
  browser,
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { deleteAccount } from '../account-deletion/account-deletion.ts';
import { decideCopy } from '../copies/decisions.ts';
import { auditLedger, type Difference } from '../earnings/audit.ts';
import { closeMonth } from '../earnings/closing.ts';
import { findOlderAppsUntil, storeOlderAppsUntil } from '../earnings/older-apps.ts';
import { deleteReel } from '../reels/deletion.ts';
import { countReelAsOwn } from '../reels/own-work.ts';
import { openLeases } from './lease.ts';
import { openPresence } from './presence.ts';
import { createWatchRecorder } from './recorder.ts';
import { addressOf, personHasher } from './viewers.ts';
import { increaseShown, lockPublic } from './views.queries.ts';
import { deleteOldWatching } from './views.ts';
import { recordWatched, type WatchedReel } from './watched.ts';

const zone = 'Asia/Kolkata';
/** Noon of the 15th of November 2026 in India. */
const noon = new Date('2026-11-15T06:30:00Z');
const minute = 60_000;

let server: TestServer;
let creator: Person;
let reelId: string;
/** Each test has its own network, since time starts again in each. */
let network: string;
let networks = 0;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  server.now.value = noon;
  networks += 1;
  network = `127.40.${networks}.1`;
  await reopenMonths(server.db);
  creator = await signUpSomebody(server);
  reelId = await reel(30);
});

/** A public reel of this many seconds. */
async function reel(seconds: number): Promise<string> {
  const made = await publishedReel(server.db, creator.id, server.now.value, zone);
  await server.db.updateTable('reels').set({ seconds }).where('id', '=', made).execute();
  return made;
}

const later = (milliseconds: number) => {
  server.now.value = new Date(server.now.value.getTime() + milliseconds);
};

/** Runs a function this many times, a few hundred in parallel. */
async function forMany<T>(many: number, run: (number: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  while (done.length < many) {
    const next = Array.from({ length: Math.min(250, many - done.length) }, (_, index) => done.length + index);
    done.push(...(await Promise.all(next.map(run))));
  }
  return done;
}

const newViewer = () => randomBytes(16).toString('hex');

interface Looking {
  reel?: string;
  person?: Person;
  address?: string;
  agent?: string;
  viewer?: string;
  watched?: { lease: string; seconds: number }[];
}

/** Reports that a reel is shown, as the player does. */
async function show({ reel = reelId, person, address, agent = browser, viewer, watched }: Looking = {}) {
  const response = await server.inject({
    method: 'POST',
    url: `/api/reel/increaseView/${reel}`,
    remoteAddress: address ?? network,
    headers: { 'user-agent': agent, ...person?.headers },
    payload: { ...(viewer ? { viewer } : {}), ...(watched ? { watched } : {}) },
  });
  return response.json();
}

/** Reports leases, at most twenty in a call; returns how many count. */
async function report(leases: string[], { seconds = 5, address = network } = {}): Promise<number> {
  const answer = await call(server, {
    method: 'POST',
    url: '/api/reel/watched',
    remoteAddress: address,
    payload: { watched: leases.map((lease) => ({ lease, seconds })) },
  });
  return answer.counted;
}

/** Watches a reel for five seconds; returns whether the view counts. */
async function watch(looking: Looking = {}): Promise<boolean> {
  const { lease } = await show({ viewer: newViewer(), ...looking });
  later(5000);
  return (await report([lease])) === 1;
}

/** Waits until this many transactions wait for a row lock. */
async function waiting(many: number): Promise<void> {
  await expect.poll(() => countLockWaits(server.db)).toBe(many);
}

async function views(): Promise<number> {
  const rows = await server.db
    .selectFrom('creator_months')
    .select('views')
    .where('creator_id', '=', creator.id)
    .execute();
  return rows.reduce((sum, row) => sum + row.views, 0);
}

async function tallies(): Promise<Record<string, number>> {
  const rows = await server.db
    .selectFrom('reel_months')
    .select(['verdict', 'views'])
    .where('reel_id', '=', reelId)
    .execute();
  return Object.fromEntries(rows.map((row) => [row.verdict, row.views]));
}

const events = () =>
  server.db.selectFrom('watched_views').selectAll().where('reel_id', '=', reelId).execute();

/** What the audit reports about this creator. */
async function differences() {
  const audit = await auditLedger(server.context);
  return audit.differences.filter(({ id }) => [creator.id, reelId].includes(id));
}

describe('only watching pays (decisions §4)', () => {
  it('a showing raises the displayed count, does not count yet, and writes no event', async () => {
    expect(await show()).toMatchObject({ views: 1, counted: false, lease: expect.any(String) });
    expect(await show()).toMatchObject({ views: 2, counted: false });
    expect(await tallies()).toEqual({ shown: 2 });
    expect(await events()).toEqual([]);
    expect(await views()).toBe(0);
  });

  it('230 calls of one address with 230 browser names, nothing watched, earn nothing', async () => {
    const answers = await Promise.all(
      Array.from({ length: 230 }, (_, number) => show({ agent: `${browser} ${number}` })),
    );
    expect(answers.every(({ counted }) => counted === false)).toBe(true);
    expect(await views()).toBe(0);
    expect(await tallies()).toEqual({ shown: 230 });
    expect(await differences()).toEqual([]);
  });

  it('5,400 showings from an IPv6 /48, nothing watched, earn nothing', async () => {
    const answers = await forMany(5400, (number) =>
      show({
        address: `2001:db8:7:${(number % 100).toString(16)}::1`,
        agent: `${browser} ${Math.floor(number / 100)}`,
      }),
    );
    expect(answers.filter(({ counted }) => counted === false)).toHaveLength(5400);
    expect(await views()).toBe(0);
  });

  it('a view counts once it is reported, four fifths of five seconds after it was shown', async () => {
    const { lease } = await show();
    later(3999);
    expect(await report([lease])).toBe(0);
    later(1);
    expect(await report([lease])).toBe(1);
    expect(await views()).toBe(1);
    expect(await tallies()).toEqual({ shown: 1, counted: 1 });
    expect(await differences()).toEqual([]);
  });

  it('a shorter reel is watched after nine tenths of it', async () => {
    reelId = await reel(2);
    const { lease } = await show();
    later(1439);
    expect(await report([lease], { seconds: 1.8 })).toBe(0);
    later(1);
    expect(await report([lease], { seconds: 1.7 })).toBe(0);
    expect(await report([lease], { seconds: 1.8 })).toBe(1);
  });

  it('a report of fewer than five seconds does not count', async () => {
    const { lease } = await show();
    later(minute);
    expect(await report([lease], { seconds: 4.9 })).toBe(0);
  });

  it('the next showing reports the one before', async () => {
    const viewer = newViewer();
    const { lease } = await show({ viewer });
    later(5000);
    const next = { reel: await reel(30), viewer, watched: [{ lease, seconds: 5 }] };
    expect(await show(next)).toMatchObject({ views: 1, counted: false });
    expect(await views()).toBe(1);
  });

  it('a reel that is deleted is answered with 404, and earlier watched views count', async () => {
    const { lease } = await show();
    later(5000);
    const gone = '018f0000-0000-7000-8000-000000000000';
    expect((await show({ reel: gone, watched: [{ lease, seconds: 5 }] })).code).toBe('not_found');
    expect(await views()).toBe(1);
  });

  it.each<[string, wait: number, (lease: string) => string]>([
    ['after ten minutes', 10 * minute + 1, (lease) => lease],
    ['with another byte in it', 5000, (lease) => `${lease[0] === 'A' ? 'B' : 'A'}${lease.slice(1)}`],
    ['cut short', 5000, (lease) => lease.slice(0, -4)],
    ['that is made up', 5000, () => 'x'.repeat(110)],
  ])('a lease %s counts for nothing', async (_what, wait, change) => {
    const { lease } = await show();
    later(wait);
    expect(await report([change(lease)])).toBe(0);
    expect(await views()).toBe(0);
  });

  it('a lease of another site does not count', async () => {
    const other = await startTestServer();
    try {
      const stranger = await signUpSomebody(other);
      other.now.value = noon;
      const foreign = await publishedReel(other.db, stranger.id, noon, zone);
      const url = `/api/reel/increaseView/${foreign}`;
      const { lease } = await call(other, { method: 'POST', url });
      expect(lease).toHaveLength((await show()).lease.length);
      later(5000);
      expect(await report([lease])).toBe(0);
    } finally {
      await other.close();
    }
  });

  it('a replayed lease counts once', async () => {
    const { lease } = await show();
    later(5000);
    expect(await report([lease, lease, lease])).toBe(1);
    later(5000);
    expect(await report([lease])).toBe(0);
    expect(await events()).toHaveLength(1);
    expect(await tallies()).toEqual({ shown: 1, counted: 1, repeated: 3 });
  });

  it.each<[string, () => Looking, string]>([
    ["the creator's own", () => ({ person: creator }), 'own'],
    ["a known bot's", () => ({ agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }), 'bot'],
    ['one without a user agent', () => ({ agent: '' }), 'bot'],
  ])('%s showing has no lease, and is counted under its reason', async (_whose, looking, reason) => {
    expect(await show(looking())).toMatchObject({ views: 1, counted: false, lease: null });
    expect(await tallies()).toEqual({ shown: 1, [reason]: 1 });
  });

  it.each(['okhttp/4.12.0', 'ReactNative', 'axios/1.7', 'Expo/1', ''])(
    'a showing with the user agent %j has a lease only for a logged-in person',
    async (agent) => {
      const person = await signUpSomebody(server);
      expect(await show({ agent, person })).toMatchObject({ lease: expect.any(String) });
      expect(await show({ agent })).toMatchObject({ lease: null });
      expect(await tallies()).toEqual({ shown: 2, bot: 1 });
    },
  );

  it.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Googlebot/2.1',
    'my-crawler/1.0',
    'Baiduspider',
  ])("a showing to the known bot %j has no lease, also with a person's token", async (agent) => {
    const person = await signUpSomebody(server);
    for (const who of [{}, { person }]) expect(await show({ agent, ...who })).toMatchObject({ lease: null });
    expect(await tallies()).toEqual({ shown: 2, bot: 2 });
  });

  it('a view of a copy does not pay, whether it is watched or not', async () => {
    await takeForCopy();
    expect(await show()).toMatchObject({ views: 1, counted: false });
    expect(await watch()).toBe(false);
    expect(await tallies()).toEqual({ shown: 2, copy: 1 });
    expect([await views(), await events()]).toEqual([0, []]);
    expect(await differences()).toEqual([]);
  });
});

/** The reel is a copy of an earlier work, as far as the server knows. */
async function takeForCopy(id = reelId): Promise<void> {
  await server.db.updateTable('reels').set({ duplicate: true }).where('id', '=', id).execute();
  await sql`update creator_months set reels = 0 where creator_id = ${creator.id}`.execute(server.db);
}

/** A person finds now that it is none. */
async function findOwn(): Promise<void> {
  await server.db.transaction().execute(async (trx) => {
    await countReelAsOwn(trx, reelId, { now: server.now.value, timeZone: zone });
  });
}

describe('a work that was wrongly taken for a copy (docs/decisions/0075)', () => {
  beforeEach(() => takeForCopy());

  const countedIn = async (month: string) => {
    const [row] = await server.db
      .selectFrom('creator_months')
      .select(['views', 'reels'])
      .where('creator_id', '=', creator.id)
      .where('month', '=', month)
      .execute();
    return row;
  };

  it('is paid for what was watched before, in the month in which a person finds that it is none', async () => {
    for (let day = 0; day < 3; day += 1) {
      expect(await watch()).toBe(false);
      later(24 * 60 * minute);
    }
    server.now.value = new Date('2026-12-02T06:30:00Z');
    for (let time = 0; time < 2; time += 1) expect(await watch()).toBe(false);
    const november = await countedIn('2026-11');
    await findOwn();
    expect(await countedIn('2026-12')).toEqual({ views: 5, reels: 1 });
    expect(await countedIn('2026-11')).toEqual(november);
    expect(await watch()).toBe(true);
    expect(await countedIn('2026-12')).toMatchObject({ views: 6 });
    expect(await differences()).toEqual([]);
  });

  it('is paid once for a viewer and day, also if the viewer watches again after the decision', async () => {
    const viewer = newViewer();
    for (let time = 0; time < 2; time += 1) expect(await watch({ viewer })).toBe(false);
    await findOwn();
    expect(await watch({ viewer })).toBe(false);
    expect(await views()).toBe(1);
    expect(await tallies()).toEqual({ shown: 3, counted: 1, copy: 0, repeated: 2 });
    expect(await differences()).toEqual([]);
  });

  it('is paid once for a showing that is reported before and after midnight, and a decision between the two', async () => {
    server.now.value = new Date('2026-11-20T18:29:50Z');
    const { lease } = await show();
    later(6000);
    expect(await report([lease])).toBe(0);
    await findOwn();
    later(10_000);
    expect(await report([lease])).toBe(0);
    expect(await views()).toBe(1);
    expect(await differences()).toEqual([]);
  });

  it('is not paid for its own creator: with a login, in the same browser, or from where the creator logs in', async () => {
    const viewer = newViewer();
    await show({ person: creator, viewer });
    expect(await watch({ viewer })).toBe(false);
    // At home, without a login, before and after the first call with one.
    const address = '127.77.0.1';
    expect(await watch({ address })).toBe(false);
    await call(server, {
      url: `/api/user-earnings/history/${creator.id}`,
      headers: creator.headers,
      remoteAddress: address,
    });
    expect(await watch({ address })).toBe(false);
    await findOwn();
    expect(await views()).toBe(0);
    expect(await differences()).toEqual([]);
  });

  it('is paid no more seconds than passed, together with what else the viewer watched', async () => {
    const [viewer, other] = [newViewer(), await reel(30)];
    const [one, two] = [await show({ viewer }), await show({ viewer, reel: other })];
    later(5000);
    expect(await report([one.lease, two.lease])).toBe(0);
    await findOwn();
    expect(await views()).toBe(1);
    expect(await differences()).toEqual([]);
  });

  it('loses these views, too, if it is deleted in the month of the decision', async () => {
    expect(await watch()).toBe(false);
    await findOwn();
    await deleteReel(server.context, reelId, creator.id);
    expect(await countedIn('2026-11')).toMatchObject({ views: 0 });
    expect(await differences()).toEqual([]);
  });

  it('is paid for the views of a month at most', async () => {
    await watch();
    server.now.value = new Date(server.now.value.getTime() + 32 * 24 * 60 * minute);
    await deleteOldWatching(server.context);
    await findOwn();
    expect(await countedIn('2026-12')).toEqual({ views: 0, reels: 1 });
    expect(await differences()).toEqual([]);
  });

  it('is paid once for each view that is reported at the moment of the decision', async () => {
    const leases = await forMany(20, async () => (await show({ viewer: newViewer() })).lease as string);
    later(5000);
    const reports = leases.map((lease) => report([lease]));
    await Promise.all([...reports, findOwn()]);
    expect(await views()).toBe(20);
    expect(await differences()).toEqual([]);
  });

  it('is not paid for a month that a withdrawal has closed', async () => {
    expect(await watch()).toBe(false);
    await closeMonth(server.db, '2026-11');
    await server.db
      .insertInto('copies')
      .values({
        creator_id: creator.id,
        work_id: reelId,
        kind: 'reel',
        found_at: noon,
        original_creator_id: null,
        original_id: null,
        original_kind: null,
      })
      .execute();
    const decision = { verdict: 'own', reason: 'It is', operatorId: null } as const;
    const decided = decideCopy(server.context, reelId, decision, async () => undefined);
    await expect(decided).rejects.toThrow('The month has just ended.');
    expect(await countedIn('2026-11')).toMatchObject({ views: 0 });
  });

  it('two servers that record views of it and of another reel in different order do not block each other', async () => {
    const other = await reel(30);
    const at = new Date(noon.getTime() + 11_000);
    const reports = Array.from({ length: 120 }, (_, number) =>
      [reelId, other].map((id) => ({
        ...{ reelId: id, viewer: Buffer.alloc(16, number + 1), address: Buffer.alloc(8), signedIn: false },
        ...{ issuedAt: noon, at, neededMs: 4000 },
      })),
    ).flat();
    for (const batches of Array.from({ length: 4 }, () => [reports, reports.toReversed()]))
      await Promise.all(batches.map((batch) => recordWatched(server.context, batch)));
    expect(await views()).toBe(120);
    expect(await tallies()).toMatchObject({ copy: 120, repeated: 7 * 120 });
  });

  it('has views that the audit checks like all others', async () => {
    expect(await watch()).toBe(false);
    await findOwn();
    const hash = (await personHasher(server.context.keyring, '2026-11'))(creator.id);
    await sql`update copy_views set viewer = decode(${hash}, 'hex'), signed_in = true where reel_id = ${reelId}`.execute(
      server.db,
    );
    expect(await differences()).toMatchObject([{ figure: 'own, and counted' }]);
    await sql`update copy_views set watched_at = watched_at + interval '2 min' where reel_id = ${reelId}`.execute(
      server.db,
    );
    expect(await differences()).toContainEqual(expect.objectContaining({ figure: 'a copy, and counted' }));
  });
});

describe('a viewer', () => {
  it('is the one who was shown the reel, wherever the report comes from', async () => {
    const viewer = newViewer();
    const { lease } = await show({ viewer, address: '127.1.1.1' });
    later(5000);
    expect(await report([lease], { address: '127.2.2.2' })).toBe(1);
    expect(await watch({ viewer, address: '127.1.1.1' })).toBe(false);
  });

  it('is a random id within a network: five phones behind one address are five viewers', async () => {
    const phones = Array.from({ length: 5 }, newViewer);
    for (const counted of [5, 0]) {
      const leases = await Promise.all(phones.map(async (viewer) => (await show({ viewer })).lease));
      later(5000);
      expect(await report(leases)).toBe(counted);
    }
  });

  it('is each of 5,000 people behind one address', async () => {
    const answers = await forMany(5000, () => show({ viewer: newViewer() }));
    later(5000);
    const counted = await forMany(5000, (number) => report([answers[number].lease]));
    expect(counted.filter((one) => one === 1)).toHaveLength(5000);
    expect(await views()).toBe(5000);
    expect(await differences()).toEqual([]);
  });

  it('with the same id in another network is another viewer; within an IPv6 /64 the same', async () => {
    const viewer = newViewer();
    expect(await watch({ viewer, address: '2001:db8:0:1::5' })).toBe(true);
    expect(await watch({ viewer, address: '2001:db8:0:1:ffff::5' })).toBe(false);
    expect(await watch({ viewer, address: '2001:db8:0:2::5' })).toBe(true);
  });

  it('who is signed in is one person on all devices', async () => {
    const [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server)];
    expect(await watch({ person: asha })).toBe(true);
    expect(await watch({ person: binod })).toBe(true);
    expect(await watch({ person: asha, address: '127.8.8.8', agent: `${browser} Mobile` })).toBe(false);
    expect((await events()).map(({ signed_in }) => signed_in)).toEqual([true, true]);
  });

  it('counts once a day of the business time zone', async () => {
    const person = await signUpSomebody(server);
    for (const [shownAt, counts] of [
      ['2026-11-16T18:29:50Z', true],
      ['2026-11-16T18:30:10Z', true],
      ['2026-11-17T18:29:00Z', false],
      ['2026-11-17T18:30:00Z', true],
    ] as const) {
      server.now.value = new Date(shownAt);
      expect(await watch({ person }), shownAt).toBe(counts);
    }
    expect(await events()).toHaveLength(3);
  });

  it('whose showing began before the end of a month counts in the month of the report', async () => {
    server.now.value = new Date('2026-11-30T18:29:57Z');
    expect(await watch()).toBe(true);
    const months = await server.db
      .selectFrom('creator_months')
      .select(['month', 'views'])
      .where('creator_id', '=', creator.id)
      .where('views', '>', 0)
      .execute();
    expect(months).toEqual([{ month: '2026-12', views: 1 }]);
    expect(await differences()).toEqual([]);
  });

  it.each([
    ['the day', '2026-11-16T18:29:40Z'],
    ['the month', '2026-11-30T18:29:40Z'],
  ])('counts once for a showing that is reported before and after the end of %s', async (_, shownAt) => {
    server.now.value = new Date(shownAt);
    const { lease } = await show({ viewer: newViewer() });
    later(10_000);
    expect(await report([lease])).toBe(1);
    later(60_000);
    expect(await report([lease])).toBe(0);
    expect(await events()).toHaveLength(1);
    expect(await differences()).toEqual([]);
  });

  describe.each([
    ['the day', '2026-11-16T18:30:00Z'],
    ['the month', '2026-11-30T18:30:00Z'],
  ])('whose showing is reported around the end of %s', (_, midnight) => {
    const end = new Date(midnight);
    const earlier = (milliseconds: number) => new Date(end.getTime() - milliseconds);
    const [last, next] = [earlier(1), earlier(-1)];
    /** A reel is shown twenty seconds before the end; the report of it at a time. */
    async function shownBefore(shown = reelId, viewer = randomBytes(16)) {
      server.now.value = earlier(20_000);
      await show({ reel: shown, viewer: newViewer() });
      const showing = { reelId: shown, viewer, address: randomBytes(8), issuedAt: server.now.value };
      return (at: Date) => ({ ...showing, signedIn: false, at, neededMs: 4000 });
    }

    /** Two servers: the second one records its report before the first one has committed. */
    async function overlapping(one: WatchedReel, other: WatchedReel): Promise<(boolean | undefined)[]> {
      const { first, asked } = await server.db.transaction().execute(async (trx) => {
        const [first] = await recordWatched({ ...server.context, db: trx }, [one]);
        const second = recordWatched(server.context, [other]);
        await waiting(1);
        return { first, asked: () => second };
      });
      return [first, ...(await asked())];
    }

    it.each([
      ['first the report before it', last, next],
      ['first the report after it', next, last],
    ])('counts once if two servers record the reports at the same moment, %s', async (_order, one, other) => {
      const at = await shownBefore();
      expect(await overlapping(at(one), at(other))).toEqual([true, false]);
      expect((await events()).map(({ watched_at }) => watched_at)).toEqual([one]);
      expect(await differences()).toEqual([]);
    });

    it.each([
      ['first', last, next, { own: 1 }],
      ['second', next, last, { counted: 1 }],
    ])("counts once if the %s of the two reports is the creator's own", async (_order, one, other, tally) => {
      const at = await shownBefore();
      await openPresence(server.context).recordNetwork(creator.id, at(last).address);
      expect(await overlapping(at(one), at(other))).toEqual(['counted' in tally, false]);
      expect(await tallies()).toEqual({ shown: 1, repeated: 1, ...tally });
      expect(await differences()).toEqual([]);
    });

    it('counts once also if its lease is valid until that end', async () => {
      const showing = { ...(await shownBefore())(end), issuedAt: earlier(10 * minute) };
      expect(await recordWatched(server.context, [showing])).toEqual([true]);
      expect(await recordWatched(server.context, [{ ...showing, at: last }])).toEqual([false]);
    });

    it('counts for each of two showings', async () => {
      const viewer = randomBytes(16);
      const [first, second] = [await shownBefore(reelId, viewer), await shownBefore(reelId, viewer)];
      const later = { ...second(next), issuedAt: earlier(10_000) };
      expect(await recordWatched(server.context, [first(last), later])).toEqual([true, true]);
      expect(await differences()).toEqual([]);
    });

    it('does not wait for other reports before it', async () => {
      const one = await shownBefore();
      // Of another creator, and with the same last byte, by which reels share locks.
      const made = await publishedReel(server.db, (await signUpSomebody(server)).id, noon, zone);
      const id = `${made.slice(0, -2)}${reelId.slice(-2)}`;
      await server.db.updateTable('reels').set({ id }).where('id', '=', made).execute();
      const other = await shownBefore(id);
      await server.db.transaction().execute(async (trx) => {
        expect(await recordWatched({ ...server.context, db: trx }, [one(last)])).toEqual([true]);
        expect(await recordWatched(server.context, [other(last)])).toEqual([true]);
      });
    });

    it('counts once if servers record many reports before and after it, in whatever order', async () => {
      const reels = [reelId, ...(await Promise.all(Array.from({ length: 11 }, () => reel(30))))];
      const shown = await Promise.all(reels.map((one) => shownBefore(one)));
      const early = shown.map((report) => report(last));
      const late = shown.map((report) => report(next));
      const mixed = shown.map((report, place) => report(place % 2 === 0 ? last : next));
      const batches = [early, late, mixed, mixed.toReversed(), late.toReversed(), [...early, ...late]];
      const counted = await Promise.all(batches.map((batch) => recordWatched(server.context, batch)));
      expect(counted.flat().filter(Boolean)).toHaveLength(12);
      expect(await views()).toBe(12);
      expect(await differences()).toEqual([]);
    });
  });

  it('is not paid for more seconds than have passed, on however many screens', async () => {
    const viewer = newViewer();
    const reels = await Promise.all(Array.from({ length: 20 }, () => reel(30)));
    const leases = await Promise.all(reels.map(async (one) => (await show({ reel: one, viewer })).lease));
    later(10_000);
    // Each takes four seconds of the viewer's time; ten seconds have passed, and then ten more.
    expect(await report(leases)).toBe(2);
    later(10_000);
    expect(await report(leases)).toBe(3);
  });

  it('who watches one reel after the other is paid for each, also if several are reported together', async () => {
    const viewer = newViewer();
    const leases: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      leases.push((await show({ reel: await reel(30), viewer })).lease);
      later(5000);
    }
    expect(await report(leases.toReversed())).toBe(10);
  });

  it('has at most 1,000 views a day, also with two servers at the same time', async () => {
    const viewer = randomBytes(16);
    const address = randomBytes(8);
    const recorders = [1, 2].map(() => createWatchRecorder(contextAt(server.db, noon)));
    const reels = await forMany(1010, () => reel(30));
    // Showings long ago, so that the time does not limit them.
    const issuedAt = new Date(noon.getTime() - 24 * 60 * minute);
    const report = { viewer, address, signedIn: false, issuedAt, at: noon, neededMs: 4000 };
    const counted = await Promise.all(
      reels.map((one, index) => recorders[index % 2]?.({ ...report, reelId: one })),
    );
    expect(counted.filter(Boolean)).toHaveLength(1000);
  });

  it('counts once if it is reported to two servers at the same moment', async () => {
    const report = { reelId, viewer: randomBytes(16), address: randomBytes(8), signedIn: false };
    await show();
    // A showing long ago, so that the time does not limit it.
    const issuedAt = new Date(noon.getTime() - 9 * minute);
    const counted = await Promise.all(
      Array.from({ length: 8 }, () =>
        createWatchRecorder(contextAt(server.db, noon))({ ...report, issuedAt, at: noon, neededMs: 4000 }),
      ),
    );
    expect(counted.filter(Boolean)).toHaveLength(1);
    expect(await tallies()).toEqual({ shown: 1, counted: 1, repeated: 7 });
    expect(await differences()).toEqual([]);
  });

  it('does not wait for showings of its reel; a deletion waits for it, and removes its view', async () => {
    const { lease } = await show({ viewer: newViewer() });
    later(5000);
    await server.db.transaction().execute(async (trx) => {
      await increaseShown(trx, new Map([[reelId, 1]]));
      expect(await report([lease])).toBe(1);
    });
    let deleted = false;
    const deletion = await server.db.transaction().execute(async (trx) => {
      await lockPublic(trx, [reelId]);
      const asked = deleteReel(server.context, reelId, creator.id).then(() => {
        deleted = true;
      });
      await waiting(1);
      return { asked, before: deleted };
    });
    await deletion.asked;
    expect([deletion.before, deleted, await views()]).toEqual([false, true, 0]);
    expect(await differences()).toEqual([]);
  });

  it('without a login is limited to 60 showings a minute, and nobody else in the network is', async () => {
    const status = async (viewer: string) =>
      (
        await server.inject({
          method: 'POST',
          url: `/api/reel/increaseView/${reelId}`,
          remoteAddress: '127.77.0.1',
          payload: { viewer },
        })
      ).statusCode;
    const viewer = newViewer();
    const statuses: number[] = [];
    for (let count = 0; count < 61; count += 1) statuses.push(await status(viewer));
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
    expect(await status(newViewer())).toBe(200);
  });

  it('cannot be identified by the stored data, which except for the view is deleted after a day', async () => {
    await watch({ address: '127.77.66.55' });
    const [event] = await events();
    expect(event?.viewer).toHaveLength(16);
    expect(JSON.stringify(event)).not.toContain('127.77');
    const clocks = () =>
      server.db
        .selectFrom('watch_clocks')
        .select('viewer')
        .where('viewer', '=', event?.viewer ?? Buffer.alloc(0))
        .execute();
    expect(await clocks()).toHaveLength(1);
    await deleteOldWatching(contextAt(server.db, new Date(server.now.value.getTime() + 25 * 60 * minute)));
    expect(await clocks()).toEqual([]);
    expect(await events()).toHaveLength(1);
  });

  it('counts once if two servers record the same views at the same moment, in whatever order', async () => {
    const at = new Date(noon.getTime() + 5000);
    const views = Array.from({ length: 60 }, (_, number) => ({
      ...{ reelId, viewer: Buffer.alloc(16, number + 100), address: Buffer.alloc(8), signedIn: false },
      ...{ issuedAt: noon, at, neededMs: 4000 },
    }));
    for (const _ of views) await show({ viewer: newViewer() });
    const counted = await Promise.all(
      [views, views.toReversed(), views, views.toReversed()].map((those) =>
        recordWatched(server.context, those),
      ),
    );
    expect(counted.flat().filter(Boolean)).toHaveLength(60);
    expect(await tallies()).toEqual({ shown: 60, counted: 60, repeated: 180 });
    expect(await events()).toHaveLength(60);
    expect(await differences()).toEqual([]);
  });
});

describe("the creator's own views", () => {
  /** The creator watches somebody's reel, signed in. */
  async function browse(address: string, viewer: string): Promise<void> {
    const somebody = await signUpSomebody(server);
    const other = await publishedReel(server.db, somebody.id, server.now.value, zone);
    await show({ reel: other, person: creator, address, viewer });
  }
  const day = 24 * 60 * minute;

  it('are those from a browser in which the creator was signed in within 30 days, in any network', async () => {
    const viewer = newViewer();
    await browse('127.50.0.1', viewer);
    expect(await watch({ viewer, address: '127.50.0.2' })).toBe(false);
    expect(await watch({ viewer, address: '127.50.0.3', person: await signUpSomebody(server) })).toBe(false);
    expect(await watch({ address: '127.50.0.2' })).toBe(true);
    expect(await tallies()).toEqual({ shown: 3, own: 2, counted: 1 });
    later(31 * day);
    expect(await watch({ viewer, address: '127.50.0.2' })).toBe(true);
    expect(await differences()).toEqual([]);
  });

  it('are those without a login from a network in which the creator was signed in that day', async () => {
    const address = '127.51.0.1';
    await browse(address, newViewer());
    expect(await watch({ address })).toBe(false);
    expect(await watch({ address: '127.51.0.2' })).toBe(true);
    expect(await watch({ address, person: await signUpSomebody(server) })).toBe(true);
    later(day);
    expect(await watch({ address })).toBe(true);
  });

  it('are those of the signed-in creator, also if somebody else reports them', async () => {
    const lease = openLeases(server.context.keyring.secret('showings')).issue({
      ...{
        reelId,
        viewer: Buffer.alloc(16),
        address: Buffer.alloc(8),
        personId: creator.id,
        browser: undefined,
      },
      ...{ issuedAt: server.now.value, toWatchMs: 5000 },
    });
    later(5000);
    expect(await report([lease])).toBe(0);
    expect(await tallies()).toEqual({ own: 1 });
  });

  const publishedReelOf = ({ id }: Person) => publishedReel(server.db, id, server.now.value, zone);

  /** Somebody is signed in on a network. */
  async function appear(address: string): Promise<void> {
    const neighbour = await signUpSomebody(server);
    await call(server, {
      url: `/api/user-earnings/history/${neighbour.id}`,
      remoteAddress: address,
      headers: neighbour.headers,
    });
  }

  it('are not those from a network in which three other accounts are seen that month: earlier ones count then', async () => {
    const address = '127.52.0.1';
    await browse(address, newViewer());
    for (const counted of [0, 0, 0]) {
      expect(await watch({ address })).toBe(false);
      expect(await views()).toBe(counted);
      expect(await tallies()).not.toHaveProperty('counted');
      await appear(address);
    }
    expect(await tallies()).toEqual({ shown: 3, counted: 3, own: 0 });
    expect(await views()).toBe(3);
    expect(await watch({ address })).toBe(true);
    expect(await views()).toBe(4);
    expect((await events()).map(({ watched_at }) => watched_at.getTime())).toContain(noon.getTime() + 5000);
    expect(await differences()).toEqual([]);
  });

  it('are those of earlier on the day, too, at the first login from that network', async () => {
    const address = '127.61.0.1';
    const viewer = newViewer();
    const [other, deleted, somebodys] = [
      await reel(30),
      await reel(30),
      await publishedReelOf(await signUpSomebody(server)),
    ];
    for (const one of [reelId, other, deleted, somebodys])
      expect(await watch({ address, reel: one })).toBe(true);
    expect(await watch({ address, viewer })).toBe(true);
    expect(await watch({ address: '127.61.0.2' })).toBe(true);
    expect(await watch({ address, person: await signUpSomebody(server) })).toBe(true);
    // Published in this month, so that its views were taken back before.
    await deleteReel(server.context, deleted, creator.id);
    expect(await views()).toBe(5);
    await browse(address, newViewer());
    expect(await tallies()).toEqual({ shown: 4, own: 2, counted: 2 });
    expect(await views()).toBe(2);
    expect(await watch({ address, viewer })).toBe(false);
    expect(await tallies()).toEqual({ shown: 5, own: 2, counted: 2, repeated: 1 });
    const ofOther = await server.db
      .selectFrom('watched_views')
      .select('reel_id')
      .where('reel_id', '=', somebodys)
      .execute();
    expect(ofOther).toHaveLength(1);
    expect(await differences()).toEqual([]);
    // A neighbour is the second other account of the month; with the third one they count again.
    for (let seen = 0; seen < 2; seen += 1) await appear(address);
    expect(await tallies()).toEqual({ shown: 5, own: 0, counted: 4, repeated: 1 });
    expect(await views()).toBe(5);
    expect(await differences()).toEqual([]);
  });

  it('are not those of earlier on the day in a network that others use, or of an earlier day', async () => {
    const [shared, alone] = ['127.61.1.1', '127.61.1.2'];
    for (let seen = 0; seen < 3; seen += 1) await appear(shared);
    for (const address of [shared, alone]) expect(await watch({ address })).toBe(true);
    await browse(shared, newViewer());
    later(day);
    await browse(alone, newViewer());
    expect(await tallies()).toEqual({ shown: 2, counted: 2 });
    expect(await differences()).toEqual([]);
  });

  it('are found in whatever order the first login and views arrive', async () => {
    const address = '127.61.2.1';
    const leases = await forMany(40, async () => (await show({ address, viewer: newViewer() })).lease);
    later(5000);
    await Promise.all([
      ...leases.slice(0, 20).map((lease) => report([lease], { address })),
      browse(address, newViewer()),
      ...leases.slice(20).map((lease) => report([lease], { address })),
    ]);
    expect(await tallies()).toMatchObject({ shown: 40, own: 40 });
    expect([await views(), await events()]).toEqual([0, []]);
    expect(await differences()).toEqual([]);
  });

  it('are found also while a view is being written', async () => {
    const address = '127.61.4.1';
    const other = await publishedReelOf(await signUpSomebody(server));
    const at = new Date(noon.getTime() + 5000);
    const view = {
      ...{ reelId, viewer: Buffer.alloc(16, 1), signedIn: false, issuedAt: noon, at, neededMs: 4000 },
      address: addressOf(server.context.keyring.secret('viewers'), address),
    };
    await show({ address });
    const login = await server.db.transaction().execute(async (trx) => {
      expect(await recordWatched({ ...server.context, db: trx }, [view])).toEqual([true]);
      const shown = show({ reel: other, person: creator, address });
      await waiting(1);
      return { shown };
    });
    await login.shown;
    expect(await tallies()).toEqual({ shown: 1, own: 1, counted: 0 });
    expect(await differences()).toEqual([]);
  });

  it('do not delay the login of a person without reels while views are being written', async () => {
    const address = '127.61.8.1';
    const from = addressOf(server.context.keyring.secret('viewers'), address);
    const viewer = await signUpSomebody(server);
    const at = new Date(noon.getTime() + 5000);
    const view = {
      ...{ reelId, viewer: Buffer.alloc(16, 2), signedIn: false, issuedAt: noon, at, neededMs: 4000 },
      address: from,
    };
    await show({ address });
    await server.db.transaction().execute(async (trx) => {
      expect(await recordWatched({ ...server.context, db: trx }, [view])).toEqual([true]);
      await openPresence(server.context).recordNetwork(viewer.id, from);
    });
    expect(await tallies()).toEqual({ shown: 1, counted: 1 });
    expect(await differences()).toEqual([]);
  });

  it('stay counted if another server records the creator after one of the other accounts was deleted', async () => {
    const address = '127.61.6.1';
    const gone = await signUpSomebody(server);
    const from = addressOf(server.context.keyring.secret('viewers'), address);
    const here = openPresence(server.context);
    for (const one of [gone, await signUpSomebody(server), await signUpSomebody(server), creator])
      await here.recordNetwork(one.id, from);
    expect(await watch({ address })).toBe(true);
    await deleteAccount(server.context, gone.id, gone.id);
    await openPresence(server.context).recordNetwork(creator.id, from);
    expect(await tallies()).toEqual({ shown: 1, counted: 1 });
    expect(await differences()).toEqual([]);
  });

  it('do not let a report, a login and a deletion wait for each other in a circle', async () => {
    const address = '127.61.7.1';
    const secret = server.context.keyring.secret('viewers');
    const from = addressOf(secret, address);
    const neighbours = await Promise.all([1, 2, 3].map(() => signUpSomebody(server)));
    const presence = openPresence(server.context);
    await presence.recordNetwork(creator.id, from);
    const [first = '', last = ''] = [reelId, await reel(30)].sort();
    expect(await watch({ address, reel: first })).toBe(false);
    for (const one of neighbours.slice(1)) await presence.recordNetwork(one.id, from);
    const { lease } = await show({ address, reel: last, viewer: newViewer() });
    later(5000);
    const all = await server.db.transaction().execute(async (trx) => {
      await trx.selectFrom('reels').select('id').where('id', '=', last).forKeyShare().execute();
      const deletion = deleteAccount(server.context, creator.id, creator.id);
      await waiting(1);
      const login = presence.recordNetwork(neighbours[0]?.id ?? '', from);
      await waiting(2);
      const reported = report([lease], { address });
      await waiting(3);
      return { done: Promise.all([deletion, login, reported]) };
    });
    expect((await all.done)[2]).toBe(0);
    expect(await differences()).toEqual([]);
  });

  it('do not make a login and the deletion of the account wait for each other', async () => {
    const address = '127.61.5.1';
    expect(await watch({ address })).toBe(true);
    const from = addressOf(server.context.keyring.secret('viewers'), address);
    const both = await server.db.transaction().execute(async (trx) => {
      await trx.selectFrom('reels').select('id').where('id', '=', reelId).forUpdate().execute();
      const deletion = deleteAccount(server.context, creator.id, creator.id);
      await waiting(1);
      const login = openPresence(server.context).recordNetwork(creator.id, from);
      await waiting(2);
      return { done: Promise.all([deletion, login]) };
    });
    await both.done;
    const seen = server.db.selectFrom('seen_networks').select('day').where('person_id', '=', creator.id);
    expect(await seen.execute()).toEqual([]);
    expect(await differences()).toEqual([]);
  });

  it('of a day stay as they are once its month is closed', async () => {
    const address = '127.61.3.1';
    server.now.value = new Date('2026-11-30T18:20:00Z');
    expect(await watch({ address })).toBe(true);
    await closeMonth(server.db, '2026-11');
    await browse(address, newViewer());
    expect([await tallies(), await views()]).toEqual([{ shown: 1, counted: 1 }, 1]);
  });

  it('of an earlier day count on that day, and those of a finished month never change', async () => {
    const address = '127.54.0.1';
    server.now.value = new Date('2026-10-31T18:20:00Z');
    await browse(address, newViewer());
    expect(await watch({ address })).toBe(false);
    for (let seen = 0; seen < 2; seen += 1) await appear(address);
    server.now.value = new Date('2026-10-31T18:30:01Z');
    await appear(address);
    expect(await tallies()).toEqual({ shown: 1, own: 1 });
    await browse(address, newViewer());
    expect(await watch({ address })).toBe(false);
    later(9 * day);
    for (let seen = 0; seen < 3; seen += 1) await appear(address);
    expect((await events()).map((event) => dayOf(event.watched_at, zone))).toEqual(['2026-11-01']);
    expect(await views()).toBe(1);
    expect(await differences()).toEqual([]);
  });

  it('are not counted in a month that was closed while somebody signed in', async () => {
    const address = '127.55.0.1';
    server.now.value = new Date('2026-11-30T18:20:00Z');
    await browse(address, newViewer());
    expect(await watch({ address })).toBe(false);
    await closeMonth(server.db, '2026-11');
    for (let seen = 0; seen < 3; seen += 1) await appear(address);
    expect(await views()).toBe(0);
  });

  it('take time of their viewer, and count once a day, also while they are held', async () => {
    const address = '127.56.0.1';
    await browse(address, newViewer());
    const viewer = newViewer();
    expect(await watch({ address, viewer })).toBe(false);
    expect(await watch({ address, viewer })).toBe(false);
    // Two at the same time, of one viewer: there was time for one of them.
    const others = [await reel(30), await reel(30)];
    const shown = await Promise.all(others.map((one) => show({ reel: one, address, viewer })));
    later(5000);
    for (const { lease } of shown) expect(await report([lease], { address })).toBe(0);
    for (let seen = 0; seen < 3; seen += 1) await appear(address);
    expect(await tallies()).toEqual({ shown: 2, repeated: 1, counted: 1, own: 0 });
    expect(await views()).toBe(2);
    expect(await watch({ address, viewer })).toBe(false);
    expect(await views()).toBe(2);
    expect(await differences()).toEqual([]);
  });

  it.each([
    ['that was published in an earlier month', '2026-10-05T00:00:00Z', 1],
    ['that was published in the month in which it is deleted', '2026-11-01T00:00:00Z', 0],
  ])('of a deleted reel %s then pay as other views of it do', async (_, publishedAt, paid) => {
    const address = `127.57.${paid}.1`;
    await browse(address, newViewer());
    const published_at = new Date(publishedAt);
    await server.db.updateTable('reels').set({ published_at }).where('id', '=', reelId).execute();
    expect(await watch({ address })).toBe(false);
    await deleteReel(server.context, reelId, creator.id);
    const before = await views();
    for (let seen = 0; seen < 3; seen += 1) await appear(address);
    expect(await tallies()).toEqual({ shown: 1, counted: 1, own: 0 });
    expect((await views()) - before).toBe(paid);
  });

  it('count in whatever order accounts and views arrive', async () => {
    const address = '127.58.0.1';
    await browse(address, newViewer());
    const leases = await forMany(40, async () => (await show({ address, viewer: newViewer() })).lease);
    later(5000);
    await Promise.all([
      ...leases.map((lease) => report([lease], { address })),
      ...[1, 2, 3].map(() => appear(address)),
    ]);
    expect(await views()).toBe(40);
    expect(await events()).toHaveLength(40);
    expect(await differences()).toEqual([]);
  });

  it('are compared by the audit: none is counted twice, and all are in the counts', async () => {
    const address = '127.59.0.1';
    await browse(address, newViewer());
    for (let seen = 0; seen < 2; seen += 1) expect(await watch({ address })).toBe(false);
    expect(await differences()).toEqual([]);
    const own = server.db.selectFrom('own_network_views').where('reel_id', '=', reelId);
    const {
      creator_id,
      day: on,
      reel_id,
      viewer,
      shown_at,
      watched_at,
    } = await own.selectAll().executeTakeFirstOrThrow();
    await server.db
      .insertInto('watched_views')
      .values({ creator_id, day: on, reel_id, viewer, signed_in: false, shown_at, watched_at })
      .execute();
    await sql`update reel_months set views = 1 where reel_id = ${reelId} and verdict = 'own'`.execute(
      server.db,
    );
    const named = { what: 'reel', id: reelId };
    expect(await differences()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...named, figure: 'own, and counted', recorded: 1, derived: 0 }),
        expect.objectContaining({ ...named, figure: 'own', recorded: 1, derived: 2 }),
      ]),
    );
  });

  it('leave presence data that is deleted after 31 days, and with the account', async () => {
    await browse('127.53.0.1', newViewer());
    await watch({ address: '127.53.0.1' });
    const presenceRows = async () =>
      (
        await Promise.all([
          server.db
            .selectFrom('seen_browsers')
            .select('person_id')
            .where('person_id', '=', creator.id)
            .execute(),
          server.db
            .selectFrom('seen_networks')
            .select('person_id')
            .where('person_id', '=', creator.id)
            .execute(),
          server.db
            .selectFrom('own_network_views')
            .select('creator_id')
            .where('creator_id', '=', creator.id)
            .execute(),
        ])
      ).flat().length;
    const sweepAfter = (days: number) =>
      deleteOldWatching(contextAt(server.db, new Date(noon.getTime() + days * day)));
    await sweepAfter(31);
    expect(await presenceRows()).toBe(3);
    await sweepAfter(32);
    expect(await presenceRows()).toBe(0);
  });
});

describe('an older app, which knows no leases,', () => {
  /** Such a showing: its request has no body. */
  const showOld = (of: string, person: Person, agent = 'JhalakApp/1.0 (Android 15)') =>
    call(server, {
      method: 'POST',
      url: `/api/reel/increaseView/${of}`,
      headers: { 'user-agent': agent, ...person.headers },
    });

  it.each([
    [4.9, 0],
    [5, 1],
    [600, 1],
    [601, 0],
  ])(
    'is paid by its pace: a next showing after %d seconds makes %i of the first a view',
    async (seconds, count) => {
      const [fan, other] = [await signUpSomebody(server), await reel(30)];
      await showOld(reelId, fan);
      later(seconds * 1000);
      await showOld(other, fan);
      expect(await tallies()).toEqual({ shown: 1, ...(count ? { counted: count } : {}) });
      expect(await differences()).toEqual([]);
    },
  );

  it('pays its creators: of 12 people who watch 11 reels, each but the last one counts', async () => {
    const reels = [reelId];
    while (reels.length < 11) reels.push(await reel(30));
    const people: Person[] = [];
    while (people.length < 12) people.push(await signUpSomebody(server));
    for (const one of reels) {
      await Promise.all(people.map((person) => showOld(one, person)));
      later(6000);
    }
    expect(await views()).toBe(120);
    const url = `/api/user-earnings/month/${creator.id}/2026-11?limit=50`;
    const { data } = await call(server, { url, headers: creator.headers });
    // Eleven reels earn 55 coins, 120 views 12.
    expect(data.totalCoins).toBe(67);
    expect(await differences()).toEqual([]);
  });

  it.each([
    [2, 0],
    [6, 1],
  ])(
    'is paid by its next showing, even if that one cannot count: after %d seconds %i view',
    async (seconds, count) => {
      const [fan, other, copy] = [await signUpSomebody(server), await reel(30), await reel(30)];
      await server.db.updateTable('reels').set({ duplicate: true }).where('id', '=', copy).execute();
      await showOld(reelId, fan);
      later(seconds * 1000);
      await showOld(copy, fan);
      expect(await tallies()).toEqual({ shown: 1, ...(count ? { counted: count } : {}) });
      later(6000);
      await showOld(other, fan);
      expect(await tallies()).toEqual({ shown: 1, ...(count ? { counted: count } : {}) });
    },
  );

  it.each(['okhttp/4.12.0', 'ReactNative', 'axios/1.7', 'Expo/1', ''])(
    'is paid also where a logged-in person has the user agent %j: the bare name of an app or HTTP library, or none',
    async (agent) => {
      const [fan, other] = [await signUpSomebody(server), await reel(30)];
      await showOld(reelId, fan, agent);
      later(6000);
      await showOld(other, fan, agent);
      expect(await tallies()).toEqual({ shown: 1, counted: 1 });
    },
  );

  it('is paid until the date in the settings', async () => {
    const until = await findOlderAppsUntil(server.db);
    await setOlderAppsUntil(server.db, new Date(noon.getTime() + 6000));
    const [fan, other] = [await signUpSomebody(server), await reel(30)];
    await showOld(reelId, fan);
    later(5000);
    await showOld(other, fan);
    expect(await views()).toBe(1);
    later(5000);
    await showOld(reelId, fan);
    expect(await views()).toBe(1);
    await setOlderAppsUntil(server.db, until ?? noon);
  });

  it('is paid for 90 days after the first start of the site; the date never moves', async () => {
    await server.db.deleteFrom('settings').where('name', '=', 'older apps until').execute();
    for (const at of ['2026-12-31T18:29:59Z', '2027-06-01T00:00:00Z']) {
      await storeOlderAppsUntil(contextAt(server.db, new Date(at)));
      expect(await findOlderAppsUntil(server.db)).toEqual(new Date('2027-03-31T18:29:59Z'));
    }
  });

  it('is not paid without a login', async () => {
    await show();
    later(6000);
    await show({ reel: await reel(30) });
    expect(await views()).toBe(0);
  });
});

describe('what a creator sees', () => {
  async function itemOf(month: string): Promise<EarningItem> {
    const { data } = await call(server, {
      url: `/api/user-earnings/month/${creator.id}/${month}`,
      headers: creator.headers,
    });
    expect(data.items).toHaveLength(1);
    return data.items[0];
  }

  it('shown and watched counts, with each reason for views that do not pay', async () => {
    await show();
    await show({ person: creator, address: '127.41.0.1' });
    await watch();
    const viewer = newViewer();
    await watch({ viewer });
    await watch({ viewer });
    const item = await itemOf('2026-11');
    expect(item).toMatchObject({ _id: reelId, shown: 5, watched: 2, counted: 2 });
    const uncounted = Object.fromEntries(item.uncounted.map(({ reason, count }) => [reason, count]));
    expect(uncounted).toEqual({ not_watched: 1, own: 1, repeated: 1 });
  });

  it('counts no repeat view if a report is sent again', async () => {
    const { lease } = await show();
    later(5000);
    expect(await report([lease, lease])).toBe(1);
    expect(await report([lease])).toBe(0);
    expect(await itemOf('2026-11')).toMatchObject({ shown: 1, watched: 1, uncounted: [] });
  });

  it('names a view that was shown in the last moments of the month before as shown and watched', async () => {
    server.now.value = new Date('2026-11-30T18:29:54Z');
    const { lease } = await show();
    later(7000);
    expect(await report([lease])).toBe(1);
    expect(await itemOf('2026-12')).toMatchObject({ shown: 1, watched: 1, counted: 1, uncounted: [] });
  });

  it('a reel that is deleted in the month of its publication loses its watched views', async () => {
    expect(await watch()).toBe(true);
    const { lease } = await show({ viewer: newViewer() });
    expect(await views()).toBe(1);
    const context = { ...contextAt(server.db, server.now.value), storage: server.storage };
    await deleteReel(context, reelId, creator.id);
    later(5000);
    expect(await report([lease])).toBe(0);
    expect(await views()).toBe(0);
    expect(await differences()).toEqual([]);
  });
});

describe('the audit', () => {
  it('reports a view that is missing', async () => {
    await watch();
    await server.db.deleteFrom('watched_views').where('reel_id', '=', reelId).execute();
    expect(await differences()).toMatchObject([
      { what: 'month', figure: 'views', recorded: 1, derived: 0 },
      { what: 'reel', figure: 'counted', recorded: 1, derived: 0 },
    ]);
  });

  let ownHash: string;
  const ofReel = () => sql`where reel_id = ${reelId}`;
  const tallied = (verdict: string, views: number) => sql`
    insert into reel_months (reel_id, creator_id, month, verdict, views) values (${reelId}, ${creator.id}, '2026-11', ${verdict}, ${views})
    on conflict (reel_id, month, verdict) do update set views = excluded.views`;
  it.each<[fault: string, plant: () => RawBuilder<unknown>, named: Partial<Difference>]>([
    ['that was never shown', () => tallied('shown', 0), { figure: 'shown', recorded: 0, derived: 1 }],
    [
      'of which all showings were those of a bot',
      () => tallied('bot', 1),
      { figure: 'shown', recorded: 0, derived: 1 },
    ],
    [
      'that was shown in another month',
      () => sql`update watched_views set shown_at = shown_at - interval '1 month' ${ofReel()}`,
      { month: '2026-10', figure: 'shown', recorded: 0, derived: 1 },
    ],
    [
      'that was reported too early',
      () => sql`update watched_views set shown_at = watched_at - interval '3.99 s' ${ofReel()}`,
      { figure: 'counted too early' },
    ],
    [
      'whose lease was over',
      () => sql`update watched_views set shown_at = watched_at - interval '11 min 1 s' ${ofReel()}`,
      { figure: 'counted too late' },
    ],
    [
      'of a copy',
      () => sql`update reels set duplicate = true where id = ${reelId}`,
      { figure: 'a copy, and counted' },
    ],
    [
      'from before the reel was found to be no copy',
      () =>
        sql`update reels set counts_from = ${server.now.value}::timestamptz + interval '2 min' where id = ${reelId}`,
      { figure: 'a copy, and counted' },
    ],
    [
      'of a reel that was deleted before',
      () => sql`update reels set deleted_at = ${noon}::timestamptz - interval '2 min' where id = ${reelId}`,
      { figure: 'gone, and counted' },
    ],
    [
      'that is paid to another creator',
      () => sql`update watched_views set creator_id = gen_random_uuid() ${ofReel()}`,
      { figure: 'of another creator' },
    ],
    [
      'of a reel that was taken down before',
      () =>
        sql`update reels set taken_down_reason = 'Spam', taken_down_at = ${noon}::timestamptz - interval '2 min' where id = ${reelId}`,
      { figure: 'taken down, and counted' },
    ],
    [
      'of a creator who was suspended before',
      () =>
        sql`update people set suspended_at = ${noon}::timestamptz - interval '2 min' where id = ${creator.id}`,
      { figure: 'of a suspended creator' },
    ],
    [
      'of the creator, who was signed in',
      () => sql`update watched_views set signed_in = true, viewer = decode(${ownHash}, 'hex') ${ofReel()}`,
      { figure: 'own, and counted' },
    ],
    [
      'on another day',
      () => sql`update watched_views set day = '2026-11-14' ${ofReel()}`,
      { figure: 'watched on 2026-11-14' },
    ],
  ])('names a view %s', async (_fault, plant, named) => {
    expect(await watch()).toBe(true);
    expect(await differences()).toEqual([]);
    ownHash = (await personHasher(server.context.keyring, '2026-11'))(creator.id);
    await plant().execute(server.db);
    const view = { what: 'reel', id: reelId, month: '2026-11', recorded: 1, derived: 0 };
    expect(await differences()).toContainEqual({ ...view, ...named });
  });

  /** More views of the viewer on that day, of other reels, this many seconds apart. */
  const more = (views: number, apart: number) => () =>
    sql`
    insert into watched_views (creator_id, day, reel_id, viewer, signed_in, shown_at, watched_at)
    select creator_id, day, gen_random_uuid(), viewer, false, at, at + interval '4 s' from watched_views, lateral (
      select watched_at + n * ${apart} * interval '1 s' as at from generate_series(1, ${views}::int) n) later ${ofReel()}`;
  it.each([
    [
      'more seconds of a day than passed',
      more(2, 1),
      { figure: 'seconds on 2026-11-15', recorded: 12, derived: 11 },
    ],
    [
      'more than 1,000 views of a day',
      more(1000, 4),
      { figure: 'views on 2026-11-15', recorded: 1001, derived: 1000 },
    ],
  ])('names a viewer who is paid for %s', async (_fault, plant, named) => {
    expect(await watch()).toBe(true);
    const [view] = await events();
    await plant().execute(server.db);
    const { differences: found } = await auditLedger(contextOn(server.db));
    const id = view?.viewer.toString('hex');
    expect(found.filter((one) => one.what === 'viewer' && one.id === id)).toEqual([
      { what: 'viewer', id, month: '2026-11', ...named },
    ]);
  });

  it('finds one event of a viewer, reel and day, since there can be no second one', async () => {
    expect(await watch()).toBe(true);
    const again = sql`insert into watched_views select * from watched_views ${ofReel()}`;
    await expect(again.execute(server.db)).rejects.toThrow('duplicate key');
  });
});
