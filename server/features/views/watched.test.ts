import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EarningItem } from '#contract/earnings.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { findOwn, publishedReel } from '#testing/fixtures/earnings.ts';
import { closeEarly } from '#testing/fixtures/months.ts';
import { reopenMonths, setOlderAppsUntil } from '#testing/fixtures/watching.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { countLockWaits } from '#testing/servers/lock-waits.ts';
import {
  browser,
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { auditLedger } from '../earnings/audit.ts';
import type { Difference } from '../earnings/differences.ts';
import { closeMonths } from '../months/closing.ts';
import { deleteReel } from '../reels/deletion.ts';
import { openLeases } from './lease.ts';
import { findOlderAppsUntil, storeOlderAppsUntil } from './older-apps.ts';
import { createWatchRecorder } from './recorder.ts';
import { viewerOfPerson } from './viewers.ts';
import { increaseShown, lockPublic } from './views.queries.ts';
import { deleteOldWatching } from './views.ts';
import { recordWatched } from './watched.ts';

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
  const { rows } = await sql<{ verdict: string; views: number }>`
    select verdict, sum(views)::int as views from reel_days where reel_id = ${reelId} group by 1`.execute(
    server.db,
  );
  return Object.fromEntries(rows.map((row) => [row.verdict, row.views]));
}

const events = () => server.db.selectFrom('views').selectAll().where('reel_id', '=', reelId).execute();

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

  it('5,400 showings from an IPv6 /48, nothing watched, earn nothing [long]', async () => {
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
    expect([await views(), await events()]).toMatchObject([0, [{ verdict: 'copy' }]]);
    expect(await differences()).toEqual([]);
  });
});

/** The reel is a copy of an earlier work, as far as the server knows. */
async function takeForCopy(id = reelId): Promise<void> {
  await server.db.updateTable('reels').set({ duplicate: true }).where('id', '=', id).execute();
  await sql`update creator_months set reels = 0 where creator_id = ${creator.id}`.execute(server.db);
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

  it('is paid for what was watched before: by an adjustment of each closed month, and else as if it was never one', async () => {
    for (let day = 0; day < 3; day += 1) {
      expect(await watch()).toBe(false);
      later(24 * 60 * minute);
    }
    server.now.value = new Date('2026-12-02T06:30:00Z');
    await closeMonths(server.context);
    for (let time = 0; time < 2; time += 1) expect(await watch()).toBe(false);
    const november = await countedIn('2026-11');
    for (let times = 0; times < 2; times += 1) await findOwn(server.context, reelId);
    const adjustments = server.db.selectFrom('adjustments').where('work_id', '=', reelId).selectAll();
    expect(await adjustments.execute()).toMatchObject([
      { month: '2026-11', counts_in: '2026-12', kind: 'own', views: 3, coins: 5 },
    ]);
    expect(await countedIn('2026-12')).toEqual({ views: 2, reels: 0 });
    expect(await countedIn('2026-11')).toEqual(november);
    const { rows } = await sql<{ month: string; verdict: string; views: number }>`
      select to_char(day, 'YYYY-MM') as month, verdict, sum(views)::int as views from reel_days
      where reel_id = ${reelId} and verdict <> 'shown' group by 1, 2 having sum(views) > 0 order by 1`.execute(
      server.db,
    );
    expect(rows).toEqual([
      { month: '2026-11', verdict: 'copy', views: 3 },
      { month: '2026-12', verdict: 'counted', views: 2 },
    ]);
    const verdicts = (await events()).map(({ verdict }) => verdict);
    expect(verdicts.toSorted()).toEqual(['copy', 'copy', 'copy', 'counted', 'counted']);
    expect(await watch()).toBe(true);
    expect(await countedIn('2026-12')).toMatchObject({ views: 3 });
    expect(await differences()).toEqual([]);
  });

  it('is paid once for a viewer and day, also if the viewer watches again after the decision', async () => {
    const viewer = newViewer();
    for (let time = 0; time < 2; time += 1) expect(await watch({ viewer })).toBe(false);
    await findOwn(server.context, reelId);
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
    await findOwn(server.context, reelId);
    later(10_000);
    expect(await report([lease])).toBe(0);
    expect(await views()).toBe(1);
    expect(await differences()).toEqual([]);
  });

  it('is not paid for its own creator: with a login, or in the same browser', async () => {
    const viewer = newViewer();
    await show({ person: creator, viewer });
    expect(await watch({ viewer })).toBe(false);
    await findOwn(server.context, reelId);
    expect(await views()).toBe(0);
    expect(await differences()).toEqual([]);
  });

  it('is paid no more seconds than passed, together with what else the viewer watched', async () => {
    const [viewer, other] = [newViewer(), await reel(30)];
    const [one, two] = [await show({ viewer }), await show({ viewer, reel: other })];
    later(5000);
    expect(await report([one.lease, two.lease])).toBe(0);
    await findOwn(server.context, reelId);
    expect(await views()).toBe(1);
    expect(await differences()).toEqual([]);
  });

  it('loses these views, too, if it is deleted in the month of the decision', async () => {
    expect(await watch()).toBe(false);
    await findOwn(server.context, reelId);
    await deleteReel(server.context, reelId, creator.id);
    expect(await countedIn('2026-11')).toMatchObject({ views: 0 });
    expect(await differences()).toEqual([]);
  });

  it('is paid once for each view that is reported at the moment of the decision', async () => {
    const leases = await forMany(20, async () => (await show({ viewer: newViewer() })).lease as string);
    later(5000);
    const reports = leases.map((lease) => report([lease]));
    await Promise.all([...reports, findOwn(server.context, reelId)]);
    expect(await views()).toBe(20);
    expect(await differences()).toEqual([]);
  });

  it('is decided once the month that has just ended is counted', async () => {
    expect(await watch()).toBe(false);
    await closeEarly(server.db, '2026-11');
    await sql`update months set counted_at = null where month = '2026-11'`.execute(server.db);
    for (const instant of [server.now.value, new Date('2026-12-01T00:00:00Z')]) {
      server.now.value = instant;
      await expect(findOwn(server.context, reelId)).rejects.toThrow('The month has just ended.');
    }
    expect(await countedIn('2026-11')).toMatchObject({ views: 0 });
    await closeMonths(server.context);
    await findOwn(server.context, reelId);
    expect(await countedIn('2026-11')).toMatchObject({ views: 0 });
    expect(await differences()).toEqual([]);
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
    await findOwn(server.context, reelId);
    const hash = viewerOfPerson(server.context.keyring.secret('viewers'), creator.id).toString('hex');
    await sql`update views set viewer = decode(${hash}, 'hex'), signed_in = true where reel_id = ${reelId}`.execute(
      server.db,
    );
    expect(await differences()).toMatchObject([{ figure: 'own, and counted' }]);
    await sql`update reels set duplicate = true where id = ${reelId}`.execute(server.db);
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

  it('is each of 5,000 people behind one address [long]', async () => {
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

  it.each([
    ['the day', '2026-11-16', '2026-11'],
    ['the month', '2026-11-30', '2026-11'],
  ])('counts on the day of the showing, if that is reported after the end of %s', async (_, day, month) => {
    server.now.value = new Date(`${day}T18:29:57Z`);
    expect(await watch()).toBe(true);
    const { rows } = await sql<{
      day: string;
    }>`select day::text from views where reel_id = ${reelId}`.execute(server.db);
    expect(rows).toEqual([{ day }]);
    const months = await server.db
      .selectFrom('creator_months')
      .select(['month', 'views'])
      .where('creator_id', '=', creator.id)
      .where('views', '>', 0)
      .execute();
    expect(months).toEqual([{ month, views: 1 }]);
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

  it('whose showing is reported after its month was closed is tallied as too late, and pays in no month', async () => {
    server.now.value = new Date('2026-11-30T18:29:40Z');
    const { lease } = await show();
    later(60_000);
    await closeEarly(server.db, '2026-11');
    expect(await report([lease])).toBe(0);
    expect(await views()).toBe(0);
    expect(await tallies()).toEqual({ shown: 1, too_late: 1 });
    expect(await differences()).toEqual([]);
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

  it('has at most 1,000 views a day, also with two servers at the same time [long]', async () => {
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

describe('single views, whose number is limited (decisions §4)', () => {
  /** As if the creator's month had this many rows. */
  const haveRows = (many: number) =>
    server.db
      .updateTable('creator_months')
      .set({ view_rows: many })
      .where('creator_id', '=', creator.id)
      .execute();

  it('beyond 10,000 rows of a month are counted by reel and day, and pay like others', async () => {
    expect(await watch()).toBe(true);
    await haveRows(9999);
    const leases = await Promise.all([1, 2, 3].map(async () => (await show({ viewer: newViewer() })).lease));
    later(5000);
    expect(await report(leases)).toBe(3);
    expect([await views(), (await events()).length]).toEqual([4, 2]);
    expect(await tallies()).toEqual({ shown: 4, counted: 4 });
    expect(await differences()).toEqual([]);
  });

  it('of an account always have a row, and make room for 1,000 others', async () => {
    await haveRows(10_000);
    expect(await watch()).toBe(true);
    expect(await events()).toHaveLength(0);
    expect(await watch({ person: await signUpSomebody(server) })).toBe(true);
    expect(await watch()).toBe(true);
    expect(await events()).toHaveLength(2);
    await haveRows(11_000);
    expect(await watch()).toBe(true);
    expect([await views(), (await events()).length]).toEqual([4, 2]);
    expect(await differences()).toEqual([]);
  });

  it('beyond 50,000 rows of a network and day are counted only, those of other networks have a row', async () => {
    expect(await watch()).toBe(true);
    await sql`update network_days set views = 50000 where network = (select network from views where reel_id = ${reelId})`.execute(
      server.db,
    );
    expect(await watch()).toBe(true);
    expect(await watch({ address: '127.61.0.1' })).toBe(true);
    expect([await views(), (await events()).length]).toEqual([3, 2]);
    expect(await differences()).toEqual([]);
  });

  it('without a row take the time of their viewer', async () => {
    await haveRows(10_000);
    const [viewer, other] = [newViewer(), await reel(30)];
    const [one, two] = [await show({ viewer }), await show({ viewer, reel: other })];
    later(5000);
    expect(await report([one.lease, two.lease])).toBe(1);
    expect(await views()).toBe(1);
  });

  it('without a row are lost with a reel that is deleted in the month of its publication', async () => {
    await haveRows(10_000);
    expect(await watch()).toBe(true);
    await deleteReel(server.context, reelId, creator.id);
    expect(await views()).toBe(0);
    expect(await differences()).toEqual([]);
  });

  it('without a row are missed by the audit', async () => {
    await haveRows(10_000);
    expect(await watch()).toBe(true);
    await sql`update reel_days set without_row = 0 where reel_id = ${reelId}`.execute(server.db);
    expect(await differences()).toMatchObject([{ figure: 'views' }, { figure: 'counted' }]);
  });

  it('leave a counter of their network, which is deleted after 31 days', async () => {
    await watch();
    const counters = async () => {
      const { rows } = await sql`select from network_days where day = '2026-11-15'`.execute(server.db);
      return rows.length;
    };
    expect(await counters()).toBeGreaterThan(0);
    await deleteOldWatching(contextAt(server.db, new Date(noon.getTime() + 32 * 24 * 60 * minute)));
    expect(await counters()).toBe(0);
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

  it('are not those from another browser in the network of the creator', async () => {
    const address = '127.51.0.1';
    await browse(address, newViewer());
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

  it('leave a hash of the browser that is deleted after 31 days', async () => {
    await browse('127.53.0.1', newViewer());
    const browsers = async () =>
      (
        await server.db
          .selectFrom('seen_browsers')
          .select('person_id')
          .where('person_id', '=', creator.id)
          .execute()
      ).length;
    const sweepAfter = (days: number) =>
      deleteOldWatching(contextAt(server.db, new Date(noon.getTime() + days * day)));
    await sweepAfter(31);
    expect(await browsers()).toBe(1);
    await sweepAfter(32);
    expect(await browsers()).toBe(0);
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

  it('names a view that was shown in the last moments of a month in that month', async () => {
    server.now.value = new Date('2026-11-30T18:29:54Z');
    const { lease } = await show();
    later(7000);
    expect(await report([lease])).toBe(1);
    expect(await itemOf('2026-11')).toMatchObject({ shown: 1, watched: 1, counted: 1, uncounted: [] });
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
    await server.db.deleteFrom('views').where('reel_id', '=', reelId).execute();
    expect(await differences()).toMatchObject([
      { what: 'month', figure: 'views', recorded: 1, derived: 0 },
      { what: 'reel', figure: 'counted', recorded: 1, derived: 0 },
    ]);
  });

  let ownHash: string;
  const ofReel = () => sql`where reel_id = ${reelId}`;
  const tallied = (verdict: string, views: number) => sql`
    insert into reel_days (reel_id, creator_id, day, verdict, views) values (${reelId}, ${creator.id}, '2026-11-15', ${verdict}, ${views})
    on conflict on constraint reel_days_pkey do update set views = excluded.views`;
  /** Without a time zone, so that it is the same on each node of a cluster. */
  const shownEarlier = (than: 'shown_at' | 'watched_at', interval: string) =>
    sql`update views set shown_at = (${sql.ref(than)} at time zone 'UTC' - ${interval}::interval) at time zone 'UTC' ${ofReel()}`;
  it.each<[fault: string, plant: () => RawBuilder<unknown>, named: Partial<Difference>]>([
    ['that was never shown', () => tallied('shown', 0), { figure: 'shown', recorded: 0, derived: 1 }],
    [
      'of which all showings were those of a bot',
      () => tallied('bot', 1),
      { figure: 'shown', recorded: 0, derived: 1 },
    ],
    [
      'that was shown in another month',
      () => shownEarlier('shown_at', '1 month'),
      { month: '2026-10', figure: 'shown', recorded: 0, derived: 1 },
    ],
    [
      'that was reported too early',
      () => shownEarlier('watched_at', '3.99 s'),
      { figure: 'counted too early' },
    ],
    ['whose lease was over', () => shownEarlier('watched_at', '11 min 1 s'), { figure: 'counted too late' }],
    [
      'of a copy',
      () => sql`update reels set duplicate = true where id = ${reelId}`,
      { figure: 'a copy, and counted' },
    ],
    [
      'of a reel that was a copy until the month was closed',
      () => sql`
        insert into adjustments (id, creator_id, month, counts_in, kind, work_id, views, coins, reason, at)
        values (${reelId}, ${creator.id}, '2026-11', '2026-11', 'own', ${reelId}, 0, 0, '', ${noon})`,
      { figure: 'a copy, and counted' },
    ],
    [
      'of a reel that was deleted before',
      () => sql`update reels set deleted_at = ${noon}::timestamptz - interval '2 min' where id = ${reelId}`,
      { figure: 'gone, and counted' },
    ],
    [
      'that is paid to another creator',
      () => sql`
        insert into views (creator_id, day, reel_id, viewer, signed_in, network, shown_at, watched_at, verdict)
        select gen_random_uuid(), day, reel_id, viewer, signed_in, network, shown_at, watched_at, verdict from views ${ofReel()}`,
      { figure: 'of another creator' },
    ],
    [
      'of a reel that was taken down before',
      () =>
        sql`update reels set taken_down_reason = 'Spam', taken_down_as = 'content', taken_down_at = ${noon}::timestamptz - interval '2 min' where id = ${reelId}`,
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
      () => sql`update views set signed_in = true, viewer = decode(${ownHash}, 'hex') ${ofReel()}`,
      { figure: 'own, and counted' },
    ],
    [
      'on another day',
      () => sql`update views set day = '2026-11-14' ${ofReel()}`,
      { figure: 'shown on 2026-11-14' },
    ],
  ])('names a view %s', async (_fault, plant, named) => {
    expect(await watch()).toBe(true);
    expect(await differences()).toEqual([]);
    ownHash = viewerOfPerson(server.context.keyring.secret('viewers'), creator.id).toString('hex');
    await changeWorks(server.db, (trx) => plant().execute(trx));
    const view = { what: 'reel', id: reelId, month: '2026-11', recorded: 1, derived: 0 };
    expect(await differences()).toContainEqual({ ...view, ...named });
  });

  /** More views of the viewer on that day, of other reels, this many seconds apart. */
  const more = (views: number, apart: number) => () =>
    sql`
    insert into views (creator_id, day, reel_id, viewer, signed_in, network, shown_at, watched_at, verdict)
    select creator_id, day, gen_random_uuid(), viewer, false, network, at, at + interval '4 s', verdict from views, lateral (
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
    const again = sql`insert into views select * from views ${ofReel()}`;
    await expect(again.execute(server.db)).rejects.toThrow('duplicate key');
  });
});
