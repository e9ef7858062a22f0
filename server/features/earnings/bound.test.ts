import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MonthCounts, rupeesOf } from '#contract/earning-rules.ts';
import { monthOf } from '#server/platform/clock.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { noOutbox } from '#server/platform/outbox.ts';
import { contextOn } from '#testing/context.ts';
import { personIn, publishedReel, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { showAndWatch } from '#testing/fixtures/watching.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { howMany, seedOr } from '#testing/share.ts';
import { deleteAccount } from '../account-deletion/account-deletion.ts';
import { addToMonths } from '../month-counts/months.ts';
import { closeMonths } from '../months/closing.ts';
import { likePost } from '../posts-and-stories/likes.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { viewerOfPerson } from '../views/viewers.ts';
import { withdraw } from '../withdrawals/withdrawals.ts';

/*
 * The bound of decisions §4 holds against any script: one attacker owns all payees of a site, and accounts of different ages and behaviour. The
 * test derives from what the accounts did which of them may be established, and not from the server's tables.
 */
const timeZone = 'Asia/Kolkata';
const minute = 60_000;
const day = 24 * 60 * minute;
const payees = 130;
const photosEach = 35;

/** An account of the attacker. It watches so many payees, beginning with one of them, on so many days. */
interface Account {
  /** In days, at the end of the month. */
  age: number;
  verified: 'in time' | 'late' | 'never';
  first: number;
  creators: number;
  days: number;
  /** Photos of one payee that it likes. */
  likes: number;
  fate: 'stays' | 'is deleted' | 'is suspended';
}

interface Attack {
  hasMail: boolean;
  accounts: Account[];
  /** What every payee has besides, by scripts without accounts. */
  forged: MonthCounts;
}

/** Usually one of the first values. */
const often = <T>(usual: readonly T[], others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
// Each lets a part of the accounts fail; most of these meet all other conditions.
const account: fc.Arbitrary<Account> = fc.record({
  age: fc.constantFrom(60, 60, 31, 30, 8, 7, 0),
  verified: often<Account['verified']>(['in time'], ['late', 'never']),
  first: fc.oneof(fc.nat(payees - 1), fc.constant(0)),
  creators: fc.oneof(often([5, 6, 8], [1, 4]), fc.integer({ min: 90, max: payees })),
  days: often([3, 4], [1, 2]),
  likes: fc.oneof(fc.nat(photosEach), fc.constant(0)),
  fate: often<Account['fate']>(['stays'], ['is deleted', 'is suspended']),
});
const attacks: fc.Arbitrary<Attack> = fc.record({
  hasMail: fc.boolean(),
  accounts: fc.array(account, { maxLength: 10 }),
  forged: fc.record({
    reels: fc.nat(200),
    posts: fc.nat(200),
    stories: fc.nat(200),
    views: fc.nat(1_000_000),
    likes: fc.nat(1_000_000),
  }),
});

const isEstablished = ({ age, verified, creators, days, fate }: Account, hasMail: boolean) =>
  fate === 'stays' &&
  (hasMail ? age > 7 && verified === 'in time' : age > 30) &&
  creators >= 5 &&
  days >= 3 &&
  creators * days >= 10;

/** The places of the payees that it watches, and of the one whose photos it likes. */
const watchedBy = ({ first, creators }: Account) =>
  Array.from({ length: creators }, (_, turn) => (first + turn) % payees);
const likedBy = ({ first }: Account) => first % 3;

let db: Kysely<Tables>;
let now: Date;
let isOn: boolean;
const context = () => contextOn(db, { clock: () => now, outbox: { ...noOutbox, isOn } });
/** The payees, and one creator whom no account watches or likes. */
let ids: string[];
let reels: string[];
let photos: string[][];
beforeAll(async () => {
  const database = await freshDatabase();
  db = await openDatabase(database.url, 4);
  [now, ids, reels, photos] = [new Date('2009-12-15T12:00:00+05:30'), [], [], []];
  while (ids.length <= payees) {
    const id = await personIn(db, now);
    ids.push(id);
    reels.push(await publishedReel(db, id, now, timeZone));
  }
  for (const id of ids.slice(0, 3)) {
    const own: string[] = [];
    while (own.length < photosEach) {
      const fileName = await uploadedPhoto(db, id, now);
      own.push((await publishPost(context(), id, { fileName, caption: '', description: '' })).id);
    }
    photos.push(own);
  }
  return async () => {
    await db.destroy();
    await database.drop();
  };
});

let months = 0;
/** Carries out an attack in a month of its own. */
async function carryOut({ hasMail, accounts, forged }: Attack) {
  const begin = Date.UTC(2010, months, 1) - 5.5 * 60 * minute;
  months += 1;
  const end = Date.UTC(2010, months, 1) - 5.5 * 60 * minute;
  const month = monthOf(new Date(begin), timeZone);
  now = new Date(begin + 5 * day);
  await db.transaction().execute((trx) =>
    addToMonths(
      trx,
      ids.map((creatorId) => ({ creatorId, month, ...forged })),
    ),
  );
  for (const one of accounts) await act(one, begin, end);
  now = new Date(end + 15 * minute);
  isOn = hasMail;
  expect(await closeMonths(context())).toContain(month);
  const rows = await db.selectFrom('month_results').selectAll().where('month', '=', month).execute();
  const found = new Map(rows.map((row) => [row.creator_id, row]));
  const established = accounts.filter((one) => isEstablished(one, hasMail));
  const results = ids.flatMap((id, place) => {
    const result = found.get(id);
    const watching = established.filter((one) => watchedBy(one).includes(place));
    const liking = established.filter((one) => one.likes > 0 && likedBy(one) === place);
    return result ? [{ ...result, watching, liking }] : [];
  });
  return { month, established: established.length, results };
}

type Result = Awaited<ReturnType<typeof carryOut>>['results'][number];

async function act(one: Account, begin: number, end: number): Promise<void> {
  const id = await personIn(db, new Date(end - one.age * day));
  const verifiedAt = { 'in time': new Date(end - 1), late: new Date(end), never: null }[one.verified];
  const suspendedAt = one.fate === 'is suspended' ? now : null;
  const viewer = viewerOfPerson(context().keyring.secret('viewers'), id);
  const showing = { viewer, address: Buffer.alloc(8), signedIn: true, personId: id, neededMs: 4000 };
  for (let on = 0; on < one.days; on += 1)
    await showAndWatch(
      context(),
      watchedBy(one).map((place, turn) => {
        const issuedAt = new Date(begin + (10 + on) * day + turn * minute);
        return { ...showing, reelId: reels[place] ?? '', issuedAt, at: new Date(issuedAt.getTime() + 5000) };
      }),
    );
  for (const photo of (photos[likedBy(one)] ?? []).slice(0, one.likes)) await likePost(context(), photo, id);
  await db
    .updateTable('people')
    .set({ email_verified_at: verifiedAt, suspended_at: suspendedAt })
    .where('id', '=', id)
    .execute();
  if (one.fate === 'is deleted') await deleteAccount(context(), id, id);
}

const sumOf = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((sum, one) => sum + of(one), 0);

/** What of a payee's views and likes pays, and whether its month may be carried. */
function expected({ views, likes, watching, liking }: Result) {
  const shares = sumOf(watching, ({ creators }) => Math.min(200, Math.floor(20_000 / creators)));
  const ofOthers = Math.min(250, likes - sumOf(liking, (one) => one.likes));
  return {
    paid_views: Math.min(views, 1000 + shares),
    paid_likes: sumOf(liking, (one) => Math.min(30, one.likes)) + ofOthers,
    may_be_carried: shares >= 1000,
  };
}

/** A payee alone gets 93 paise; an account adds ₹0.04 of views and 30 likes. */
const isOver = ({ paise, watching, liking }: Result) =>
  paise > 93 + (200 * watching.length + 30 * liking.length) / 50;

/** Over all payees, an account lets 20,000 views pay, which is ₹4, and so lets at most twenty small months be carried. */
function isOverInAll(established: number, results: readonly Result[]): boolean {
  const views = sumOf(results, ({ paid_views }) => Math.max(0, paid_views - 1000));
  const carried = results.filter((one) => one.may_be_carried).length;
  return views > 20_000 * established || carried > 20 * established;
}

const most = { reels: 200, posts: 200, stories: 200, views: 1_000_000, likes: 1_000_000 };
const old: Account = {
  ...{ age: 60, verified: 'in time', first: 0, creators: 100, days: 3, likes: photosEach, fate: 'stays' },
};

describe('whatever is scripted, a month', () => {
  it('pays a payee alone ₹0.93 at most, which is never paid, and each established account lets a limited sum pay', async () => {
    await fc.assert(
      fc.asyncProperty(attacks, async (attack) => {
        const { month, established, results } = await carryOut(attack);
        for (const result of results) expect(result).toMatchObject(expected(result));
        expect(results.filter(isOver)).toEqual([]);
        expect(isOverInAll(established, results)).toBe(false);
        const totalRupee = rupeesOf(results.at(-1)?.paise ?? 0);
        const form = { userId: ids.at(-1) ?? '', month, totalRupee };
        await expect(withdraw(context(), form.userId, form)).rejects.toMatchObject({ code: 'below_minimum' });
      }),
      { seed: seedOr(1), numRuns: howMany('ATTACKS', { share: 5, whole: 1000 }), endOnFailure: true },
    );
  }, 3_600_000);

  it('reaches the bound, alone and with five established accounts', async () => {
    const { results } = await carryOut({ hasMail: true, accounts: Array(5).fill(old), forged: most });
    expect(results.at(-1)).toMatchObject({ coins: 465, paise: 93, may_be_carried: false });
    expect(results[0]).toMatchObject({ paid_views: 2000, paid_likes: 400, may_be_carried: true });
    expect(results.filter((one) => one.may_be_carried)).toHaveLength(5 * 20);
    expect(sumOf(results, ({ paid_views }) => paid_views - 1000)).toBe(5 * 20_000);
  });
});
