import { type Kysely, sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { noOutbox } from '#server/platform/outbox.ts';
import { contextOn } from '#testing/context.ts';
import { findOwn, personIn, publishedReel, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { randomFrom } from '#testing/random.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { deleteAccount } from '../account-deletion/account-deletion.ts';
import { likePost, unlikePost } from '../posts-and-stories/likes.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { addressOf, viewerOf } from '../views/viewers.ts';
import { recordWatched } from '../views/watched.ts';
import { closeMonths } from './closing.ts';
import { markMonths } from './marks.ts';
import { listWithdrawals } from './review.ts';
import { withdraw } from './withdrawals.ts';

/* Each test has its own site, since what is unusual depends on the site. Months are of India. */
const zone = 'Asia/Kolkata';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const month = '2026-11';
const at = (date: string, hour = 0) => new Date(Date.parse(`${date}T00:00:00+05:30`) + hour * hourMs);
const inMonth = (day: number, hour: number) =>
  new Date(at('2026-11-01').getTime() + day * dayMs + hour * hourMs);

let db: Kysely<Tables>;
let now: Date;
let hasMail: boolean;
let random: (below: number) => number;
const below = (most: number) => Math.floor(random(most));
beforeEach(async () => {
  const database = await freshDatabase();
  db = await openDatabase(database.url, 4);
  now = at('2026-11-01');
  hasMail = true;
  random = randomFrom(15);
  return async () => {
    await db.destroy();
    await database.drop();
  };
});

const context = () => contextOn(db, { clock: () => now, outbox: { ...noOutbox, isOn: hasMail } });

interface Viewer {
  id: string;
  address: string;
}

async function account(joined: Date, address: string): Promise<Viewer> {
  const id = await personIn(db, joined);
  await db.updateTable('people').set({ email_verified_at: joined }).where('id', '=', id).execute();
  return { id, address };
}

/** A creator with a public reel. */
interface Creator extends Viewer {
  reel: string;
}

async function creator(joined: Date, address: string): Promise<Creator> {
  const one = await account(joined, address);
  return { ...one, reel: await publishedReel(db, one.id, at('2026-10-20'), zone) };
}

interface Watching {
  viewer: Viewer | { browser: number; address: string };
  reel: string;
  at: Date;
}

/** Records what was watched. Views of one viewer must be 5 s apart. */
async function watch(views: readonly Watching[]): Promise<void> {
  const { keyring } = context();
  const secret = keyring.secret('viewers');
  const reports = views.map(({ viewer, reel, at: reportedAt }) => ({
    reelId: reel,
    viewer:
      'id' in viewer
        ? viewerOf(secret, { personId: viewer.id, address: '', userAgent: '' })
        : viewerOf(secret, { personId: undefined, address: viewer.address, userAgent: `${viewer.browser}` }),
    address: addressOf(secret, viewer.address),
    signedIn: 'id' in viewer,
    personId: 'id' in viewer ? viewer.id : undefined,
    issuedAt: new Date(reportedAt.getTime() - 5000),
    at: reportedAt,
    neededMs: 4000,
  }));
  const ordered = reports.sort((one, other) => one.at.getTime() - other.at.getTime());
  for (let from = 0; from < ordered.length; from += 2000)
    await recordWatched(context(), ordered.slice(from, from + 2000));
}

/** An hour at which people are awake, most often in the evening. */
const wakingHour = () => 7 + Math.max(below(16), below(16)) + random(1);
const carrier = '100.64.0.1';
const somewhere = () => `10.${below(250)}.${below(250)}.${below(250)}`;

/** An account watches each of these reels on three days. */
function habitOf(viewer: Viewer, reels: readonly string[], hourOf = wakingHour): Watching[] {
  return [3, 9, 15].flatMap((first) => {
    const begin = inMonth(first + below(5), hourOf()).getTime();
    return reels.map((reel, place) => ({ viewer, reel, at: new Date(begin + place * 20_000) }));
  });
}

/**
 * People who joined over two months, most of them behind one carrier's address, and creators, some of them popular. Creators watch, too.
 */
async function honestSite(people = 100): Promise<{ creators: Creator[]; viewers: Viewer[] }> {
  const creators: Creator[] = [];
  for (let made = 0; made < 20; made += 1)
    creators.push(await creator(new Date(at('2026-09-01').getTime() + below(40) * dayMs), somewhere()));
  const viewers: Viewer[] = [...creators];
  for (let made = 0; made < people; made += 1) {
    const joined = new Date(at('2026-09-01').getTime() + below(55) * dayMs);
    viewers.push(await account(joined, below(10) < 6 ? carrier : somewhere()));
  }
  const chosen = (mine: Viewer) => {
    const others = creators.filter(({ id }) => id !== mine.id);
    const reels = new Set<string>();
    // The first creators are the most popular.
    while (reels.size < 8)
      reels.add(others[Math.min(below(others.length), below(others.length))]?.reel ?? '');
    return [...reels];
  };
  await watch(viewers.flatMap((viewer) => habitOf(viewer, chosen(viewer))));
  const first = creators[0]?.reel ?? '';
  await watch(
    Array.from({ length: 600 }, (_, browser) => ({
      viewer: { browser, address: below(10) < 6 ? carrier : somewhere() },
      reel: first,
      at: inMonth(below(28), wakingHour()),
    })),
  );
  return { creators, viewers };
}

const december = at('2026-12-01', 2);
/** Months that are over are closed before the night. */
async function night() {
  await closeMonths(context());
  return await markMonths(context());
}
async function marks(): Promise<{ creator: string; mark: string; found: number; of: number }[]> {
  now = december;
  await night();
  const rows = await db.selectFrom('month_marks').selectAll().orderBy('mark').execute();
  return rows.map((row) => ({ creator: row.creator_id, mark: row.mark, found: row.found, of: row.out_of }));
}
const marksOf = (all: Awaited<ReturnType<typeof marks>>, { id }: Viewer) =>
  all.filter((one) => one.creator === id).map(({ mark }) => mark);

/** Each account watches the creators that `choose` returns for it. */
const watchChosen = <V extends Viewer>(
  viewers: readonly V[],
  choose: (viewer: V, place: number) => readonly Creator[],
) =>
  watch(
    viewers.flatMap((viewer, place) => {
      const others = choose(viewer, place).filter(({ id }) => id !== viewer.id);
      return habitOf(
        viewer,
        others.map(({ reel }) => reel),
      );
    }),
  );

const someOf = <T>(all: readonly T[], oneOf: number) => all.filter(() => below(oneOf) === 0);

async function newCreators(
  many: number,
  joined = () => new Date(at('2026-09-01').getTime() + below(40) * dayMs),
) {
  const made: Creator[] = [];
  while (made.length < many) made.push(await creator(joined(), somewhere()));
  return made;
}

async function newAccounts(many: number, joined: () => Date): Promise<Viewer[]> {
  const made: Viewer[] = [];
  while (made.length < many) made.push(await account(joined(), somewhere()));
  return made;
}

/** People at these addresses who joined over months, each of whom watches three of these creators once. */
async function neighbours(many: number, address: () => string, creators: readonly Creator[]) {
  const made: Viewer[] = [];
  while (made.length < many) made.push(await account(at('2026-08-01', below(1900)), address()));
  await watch(
    made.flatMap((viewer) => {
      const begin = inMonth(below(28), wakingHour()).getTime();
      return [0, 1, 2].map((turn) => ({
        viewer,
        reel: creators[3 * below(Math.floor(creators.length / 3)) + turn]?.reel ?? '',
        at: new Date(begin + turn * 20_000),
      }));
    }),
  );
  return made;
}

/** A photo of a creator, which these like. */
async function photoLikedBy(payee: Viewer, likers: readonly Viewer[]): Promise<string> {
  now = inMonth(1, 12);
  const fileName = await uploadedPhoto(db, payee.id, now);
  const { id: post } = await publishPost(context(), payee.id, { fileName, caption: '', description: '' });
  for (const { id } of likers) await likePost(context(), post, id);
  return post;
}

/** A new creator with this many photos; `choose` returns the accounts that like each of them. */
async function photosLikedBy(many: number, choose: (photo: number) => readonly Viewer[]): Promise<Viewer> {
  const payee = await account(at('2026-09-07'), somewhere());
  for (let photo = 0; photo < many; photo += 1) await photoLikedBy(payee, choose(photo));
  return payee;
}

const knownFor = (many: number) => newAccounts(many, () => at('2026-08-01', below(1900)));

async function deleteAccounts(accounts: readonly Viewer[]): Promise<void> {
  now = at('2026-12-01', 1);
  await closeMonths(context());
  for (const { id } of accounts) await deleteAccount(context(), id, id);
}

const alsoIfDeleted = [
  ['', false],
  [', also if they are deleted after the month', true],
] as const;

/** Creators who watch the members that `choose` selects for them, and some creators of the site. */
async function formRing(
  cover: readonly Creator[],
  choose = (_place: number, other: number) => other >= 0,
): Promise<Creator[]> {
  const ring = await newCreators(20);
  await watchChosen(ring, (_, place) => [
    ...ring.filter((_, other) => choose(place, other)),
    ...someOf(cover, 4),
  ]);
  return ring;
}

describe('an honest site', () => {
  it('has no marks: most people behind one address, creators among the viewers, some watched by many', async () => {
    await honestSite();
    expect(await marks()).toEqual([]);
  });

  it('has none where 200 people of a hostel with one address watch each other and everybody', async () => {
    const { creators } = await honestSite();
    const hostel = '10.9.9.9';
    const neighbours = [await creator(at('2026-09-07'), hostel), await creator(at('2026-09-20'), hostel)];
    const people: Viewer[] = [];
    for (let made = 0; made < 200; made += 1)
      people.push(await account(new Date(at('2026-08-01').getTime() + below(80) * dayMs), hostel));
    await watch(
      people.flatMap((viewer) => {
        const own = neighbours.filter(() => below(2) === 0).map(({ reel }) => reel);
        const others = creators.filter(() => below(3) === 0).map(({ reel }) => reel);
        return habitOf(viewer, [...own, ...others.slice(0, 6)]);
      }),
    );
    expect(await marks()).toEqual([]);
  });

  it('has none on its first day, when everybody is new and everybody watches everybody', async () => {
    const launch = at('2026-10-20');
    const creators: Creator[] = [];
    for (let made = 0; made < 12; made += 1) creators.push(await creator(launch, somewhere()));
    await watch(
      creators.flatMap((viewer) =>
        habitOf(
          viewer,
          creators.filter(({ id }) => id !== viewer.id).map(({ reel }) => reel),
        ),
      ),
    );
    expect(await marks()).toEqual([]);
  });

  it('has none where 15 creators open it and ten people watch nobody else, since there is nothing to compare with', async () => {
    const launch = () => inMonth(below(3), 0);
    const first = await newCreators(15, launch);
    const fans = await newAccounts(10, launch);
    await watchChosen(first, () => first);
    await watchChosen(fans, (_, fan) => first.filter((_one, other) => (other - fan * 4 + 60) % 15 < 4));
    expect(await marks()).toEqual([]);
  });

  it('has none of the creators of a small language, who watch one another and have some fans', async () => {
    await honestSite();
    const community = await newCreators(15);
    const fans = await newAccounts(60, () => at('2026-09-10', below(900)));
    await watchChosen(community, () => community);
    await watchChosen(fans, () => someOf(community, 3));
    expect(await marks()).toEqual([]);
  });

  it('has none where a hostel, people behind a carrier, a family or people who watch nothing like a friend', async () => {
    const { creators, viewers } = await honestSite();
    const [hostel, own] = ['10.9.9.9', '10.8.8.8'];
    const inHostel = await neighbours(100, () => hostel, creators);
    const inCarrier = [
      ...viewers.filter(({ address }) => address === carrier),
      ...(await neighbours(40, () => carrier, creators)),
    ];
    const family = await neighbours(6, () => own, creators);
    const silent = await newAccounts(60, () => at('2026-08-01', below(1900)));
    const ofFamily = [...family, ...viewers.slice(20, 70)];
    for (const likers of [inHostel.slice(0, 60), inCarrier.slice(0, 60), ofFamily, silent])
      await photoLikedBy(await creator(at('2026-09-07'), likers[0]?.address ?? ''), likers);
    expect(await marks()).toEqual([]);
  });

  it('has none where five of a family like each of the 30 photos of a month, and other people some', async () => {
    const [family, friends] = [await knownFor(5), await knownFor(20)];
    await photosLikedBy(30, (photo) => [...family, ...(photo % 10 === 0 ? friends : [])]);
    expect(await marks()).toEqual([]);
  });

  it('has none where most people are of the first day, like the same creator or watch others, and leave after the month', async () => {
    await knownFor(20);
    const launch = at('2026-10-20');
    const [creators, payee] = [await newCreators(6), await creator(at('2026-09-07'), somewhere())];
    const [likers, others] = [await newAccounts(80, () => launch), await newAccounts(60, () => launch)];
    await watchChosen(others, () => creators);
    await photoLikedBy(payee, likers);
    await deleteAccounts([...likers, ...others]);
    expect(await marks()).toEqual([]);
  });

  it('has none on a campus with one address, of which most like the same creator', async () => {
    const [payee, creators] = [await creator(at('2026-09-07'), somewhere()), await newCreators(6)];
    const campus = await neighbours(70, () => '10.7.7.7', creators);
    await neighbours(12, somewhere, creators);
    await photoLikedBy(payee, campus.slice(0, 60));
    expect(await marks()).toEqual([]);
  });
});

describe('a forged month', () => {
  it('of 20 creators who watch one another is marked for each of them, with its evidence', async () => {
    const { creators } = await honestSite();
    const ring = await formRing(creators);
    const found = await marks();
    for (const member of ring) {
      expect(marksOf(found, member)).toEqual(expect.arrayContaining(['mutual_viewers', 'same_viewers']));
      expect(found).toContainEqual({ creator: member.id, mark: 'mutual_viewers', found: 19, of: 19 });
    }
    for (const honest of creators) expect(marksOf(found, honest)).toEqual([]);
  });

  it('of 20 creators who each watch half of the others is marked for each of them', async () => {
    const { creators: honest } = await honestSite();
    const ring = await formRing(honest, () => below(2) === 0);
    const found = await marks();
    for (const member of ring) expect(marksOf(found, member)).toContain('mutual_viewers');
    for (const one of honest) expect(marksOf(found, one)).toEqual([]);
  });

  it('of 20 creators of whom no two watch each other is marked for each of them', async () => {
    const { creators: honest } = await honestSite();
    // Each watches the next ten.
    const ring = await formRing(honest, (place, other) => (other - place + 20) % 20 <= 10);
    const found = await marks();
    for (const member of ring) expect(marksOf(found, member)).toContain('mutual_viewers');
    for (const one of honest) expect(marksOf(found, one)).toEqual([]);
  });

  it.each([12, 1])('of a ring on a new site without mail with %i other viewers is marked', async (people) => {
    hasMail = false;
    const launch = () => inMonth(below(10), 0);
    const honest = await newCreators(5, launch);
    const fans = await newAccounts(people, launch);
    await watchChosen([...honest, ...fans], (_, place) =>
      honest.filter((_one, other) => other !== place % honest.length),
    );
    const ring = await formRing(honest, () => below(4) > 0);
    const found = await marks();
    for (const member of ring) expect(marksOf(found, member)).toContain('mutual_viewers');
    for (const one of honest) expect(marksOf(found, one)).toEqual([]);
  });

  it('is marked for the members of a ring only, not for creators whom it watches: popular ones, an unknown one, or friends of one another', async () => {
    const { creators: honest } = await honestSite();
    const [popular, unknown] = [honest[0], ...(await newCreators(1))];
    const friends = await newCreators(12);
    const victims = [popular, unknown, ...friends].filter((one) => one !== undefined);
    const ring = await formRing([]);
    const more = await formRing(victims);
    await watchChosen([...ring, ...more], () => [...ring, ...more, ...victims]);
    // The popular creator watches the ring, too.
    await watchChosen(victims.slice(0, 1), () => ring);
    await watchChosen(friends, () => friends);
    const found = await marks();
    for (const member of ring) expect(marksOf(found, member)).toContain('mutual_viewers');
    for (const one of victims) expect(marksOf(found, one)).not.toContain('mutual_viewers');
  });

  it('is marked if the forging accounts are a third of all established ones, since they are compared with the others', async () => {
    const { creators } = await honestSite(20);
    const ring = await formRing(creators);
    const found = await marks();
    for (const member of ring)
      expect(marksOf(found, member)).toEqual(expect.arrayContaining(['mutual_viewers', 'same_viewers']));
    for (const honest of creators) expect(marksOf(found, honest)).toEqual([]);
  });

  it.each(alsoIfDeleted)('by accounts of one day and one network is marked%s', async (_when, areDeleted) => {
    const { creators } = await honestSite();
    const payees = [
      await creator(at('2026-09-07'), somewhere()),
      await creator(at('2026-09-17'), somewhere()),
    ];
    const mill: Viewer[] = [];
    for (let made = 0; made < 20; made += 1) mill.push(await account(at('2026-10-15', made), '10.66.0.1'));
    await watch(
      mill.flatMap((one) => {
        const cover = creators.filter(() => below(2) === 0).map(({ reel }) => reel);
        return habitOf(one, [...payees.map(({ reel }) => reel), ...cover.slice(0, 5)]);
      }),
    );
    if (areDeleted) await deleteAccounts(mill);
    const found = await marks();
    for (const payee of payees)
      expect(marksOf(found, payee)).toEqual(
        expect.arrayContaining(['accounts_of_one_day', 'accounts_of_one_network']),
      );
    for (const honest of creators) expect(marksOf(found, honest)).toEqual([]);
  });

  it('by browsers of three networks at all hours is marked', async () => {
    const { creators } = await honestSite();
    const payee = await creator(at('2026-09-07'), somewhere());
    await watch(
      Array.from({ length: 600 }, (_, browser) => ({
        viewer: { browser, address: `10.77.0.${browser % 3}` },
        reel: payee.reel,
        at: inMonth(browser % 28, (browser * 7) % 24),
      })),
    );
    const found = await marks();
    expect(marksOf(found, payee)).toEqual(['few_networks', 'flat_hours']);
    for (const honest of creators) expect(marksOf(found, honest)).toEqual([]);
  });

  it.each([
    ['', false],
    [', also while the reels were wrongly taken for copies', true],
  ])('by five viewers who watch all day is marked%s', async (_when, wereCopies) => {
    await honestSite();
    const payee = await creator(at('2026-09-07'), somewhere());
    const reels = [payee.reel];
    for (let made = 0; made < 19; made += 1)
      reels.push(await publishedReel(db, payee.id, at('2026-10-20'), zone));
    if (wereCopies) await db.updateTable('reels').set({ duplicate: true }).where('id', 'in', reels).execute();
    await watch(
      Array.from({ length: 5 }, (_, browser) => ({ browser, address: somewhere() })).flatMap((viewer) =>
        [1, 2, 3].flatMap((day) =>
          reels.map((reel, place) => ({ viewer, reel, at: inMonth(day, 12 + place / 100) })),
        ),
      ),
    );
    now = inMonth(28, 12);
    if (wereCopies) for (const reel of reels) await findOwn(context(), reel);
    expect(marksOf(await marks(), payee)).toContain('few_viewers');
  });

  it.each(alsoIfDeleted)('by likes of accounts of one day is marked%s', async (_when, areDeleted) => {
    await honestSite();
    for (let made = 0; made < 150; made += 1)
      await personIn(db, new Date(at('2026-09-01').getTime() + below(40) * dayMs));
    const payee = await creator(at('2026-09-07'), somewhere());
    const likers: Viewer[] = [];
    while (likers.length < 60) likers.push(await account(at('2026-10-15', likers.length / 4), somewhere()));
    await photoLikedBy(payee, likers);
    if (areDeleted) await deleteAccounts(likers);
    const found = await marks();
    expect(found).toContainEqual({ creator: payee.id, mark: 'likers_of_one_day', found: 60, of: 60 });
  });

  it('by likes that are taken back after the month is marked, since they are paid all the same', async () => {
    await knownFor(20);
    const payee = await account(at('2026-09-07'), somewhere());
    const likers = await newAccounts(60, () => at('2026-10-15'));
    const photo = await photoLikedBy(payee, likers);
    now = at('2026-12-01', 1);
    for (const { id } of likers) await unlikePost(context(), photo, id);
    expect(await marks()).toEqual([{ creator: payee.id, mark: 'likers_of_one_day', found: 60, of: 60 }]);
  });

  it('by likes of accounts that watch from one network is marked, also where they never watch the creator', async () => {
    const { creators } = await honestSite();
    const payee = await creator(at('2026-09-07'), somewhere());
    const mill = await neighbours(60, () => '10.66.0.1', creators);
    // These have no network: they watched nothing.
    const others = await newAccounts(10, () => at('2026-08-01', below(1900)));
    await photoLikedBy(payee, [...mill, ...others]);
    expect(await marks()).toEqual([{ creator: payee.id, mark: 'likers_of_one_network', found: 60, of: 70 }]);
  });

  it('by likes is marked if half of them are of five accounts', async () => {
    const [few, others] = [await knownFor(5), await knownFor(50)];
    const payee = await photosLikedBy(40, (photo) => [...few, ...(photo % 10 === 0 ? others : [])]);
    expect(await marks()).toEqual([{ creator: payee.id, mark: 'few_likers', found: 200, of: 400 }]);
  });

  it('by likes of one account is marked, also if it is deleted after the month', async () => {
    const only = await knownFor(1);
    const payee = await photosLikedBy(200, () => only);
    await sql`delete from people where id = ${only[0]?.id}`.execute(db);
    expect(await marks()).toEqual([{ creator: payee.id, mark: 'few_likers', found: 200, of: 200 }]);
  });
});

describe('marks', () => {
  /** A payee whom forging accounts watched enough for a withdrawal, and honest people did not. */
  async function milled(): Promise<Creator> {
    const { creators } = await honestSite();
    const payee = await creator(at('2026-09-07'), somewhere());
    const reels = [payee.reel];
    for (let made = 0; made < 49; made += 1)
      reels.push(await publishedReel(db, payee.id, inMonth(0, made / 4), zone));
    const mill: Viewer[] = [];
    for (let made = 0; made < 20; made += 1) mill.push(await account(at('2026-10-15', made), '10.66.0.1'));
    await watch(
      mill.flatMap((one) => habitOf(one, [...reels, ...creators.slice(0, 5).map(({ reel }) => reel)])),
    );
    return payee;
  }

  it('do not reduce the amount: the month pays the same, and the operator reads the evidence beside the withdrawal', async () => {
    const payee = await milled();
    now = december;
    const before = await sql`select * from creator_months order by creator_id`.execute(db);
    await night();
    expect((await sql`select * from creator_months order by creator_id`.execute(db)).rows).toEqual(
      before.rows,
    );
    // 49 reels and 3,000 views of 20 established accounts.
    await withdraw(context(), payee.id, { userId: payee.id, month, totalRupee: '1.09' });
    const { data } = await listWithdrawals(context(), { limit: 10 });
    expect(data).toHaveLength(1);
    expect(data[0]?.marks).toEqual(
      expect.arrayContaining(['accounts_of_one_day', 'accounts_of_one_network']),
    );
    expect(data[0]?.evidence).toContainEqual({ mark: 'accounts_of_one_day', month, found: 20, of: 20 });
  });

  it('of the current month are those of last night; those of a finished month remain when its accounts are deleted', async () => {
    const payee = await milled();
    const kinds = async () =>
      (await db.selectFrom('month_marks').select('mark').where('creator_id', '=', payee.id).execute()).map(
        ({ mark }) => mark,
      );
    now = at('2026-11-30', 2);
    expect([...(await night()).keys()]).toContain(month);
    const running = await kinds();
    expect(running).toContain('accounts_of_one_day');
    now = december;
    expect([...(await night()).keys()]).toContain(month);
    expect(await kinds()).toEqual(running);
    await sql`delete from people where created_at >= ${at('2026-10-15')} and created_at < ${at('2026-10-16')}`.execute(
      db,
    );
    now = at('2026-12-02', 2);
    expect([...(await night()).keys()]).toEqual(['2026-12']);
    expect(await kinds()).toEqual(running);
  });
});
