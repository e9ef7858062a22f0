import type { Kysely } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { tooManyRequests } from '#server/platform/refusal.ts';
import * as queries from './guesses.queries.ts';
import { deletePlaces, knownPlaces } from './places.queries.ts';
import { type From, knownFor } from './places.ts';

/*
 * Guesses of passwords are slowed, the same way for accounts that exist and for those that do not (decision 0028):
 * - one account at one place: five tries, then pauses that double from half a minute to a quarter of an hour. A place is an
 *   IPv4 address or an IPv6 /48; where the person has logged in before it is the very network, a /64;
 * - one account, from all places together where the person has not logged in before: twenty failures, and ten more an hour;
 * - one place, whatever accounts are tried there: what 5,000 people behind one address mistype; in a /64 what a household does.
 * Where somebody has logged in before, only their own tries at that place count.
 */
const second = 1000;
const hour = 60 * 60 * second;
const pair = { kind: 1, free: 5, first: 30 * second, longest: 15 * 60 * second };
/** A token bucket: so many failures at once, and another one each time that `every` has passed. */
interface Total {
  kind: number;
  atOnce: number;
  every: number;
}
const ofAccount: Total = { kind: 4, atOnce: 20, every: hour / 10 };
const ofGroup: Total = { kind: 5, atOnce: 1500, every: hour / 1500 };
const ofNetwork: Total = { kind: 6, atOnce: 60, every: hour / 60 };

export interface Guess {
  /** The keys of the networks that it came from, the largest first. */
  places: Buffer[];
  pair: queries.GuessKey;
  /** Where else it was counted: nowhere else where the person has logged in before. */
  counted: { key: queries.GuessKey; total: Total }[];
}

/** Counts a try before it is made, so that many at once are no more than one after another. Throws while there is a pause. */
export async function admitGuess(
  db: Kysely<Tables>,
  emailKey: string,
  { address, places }: From,
  now: Date,
): Promise<Guess> {
  const networks = places.of(address);
  const [group = Buffer.alloc(0), network] = networks;
  // What is refused is rolled back: it leaves no rows, from however many places it comes.
  return await inTransaction(db, async (trx) => {
    const known = await knownPlaces(trx, emailKey, networks, new Date(now.getTime() - knownFor));
    const usual = networks.findLast((one) => known.some((place) => place.equals(one)));
    const ofPair = {
      kind: pair.kind,
      key: places.key('pair', emailKey, (usual ?? group).toString('hex')),
    };
    const totals = usual
      ? []
      : [
          { total: ofGroup, key: { kind: ofGroup.kind, key: group } },
          { total: ofAccount, key: { kind: ofAccount.kind, key: places.key('account', emailKey) } },
          ...(network ? [{ total: ofNetwork, key: { kind: ofNetwork.kind, key: network } }] : []),
        ];
    const rows: queries.Guesses[] = [];
    for (const { total, key } of totals) {
      const row = await queries.lockGuesses(trx, key, now);
      refuseFor(emptyFor(row, total, now));
      rows.push(counted(row, total, now));
    }
    const row = unlessForgotten(await queries.lockGuesses(trx, ofPair, now), now);
    refuseFor((row.paused_until?.getTime() ?? 0) - now.getTime());
    for (const one of [...rows, tried(row, now)]) await queries.saveGuesses(trx, one);
    return { places: networks, pair: ofPair, counted: totals };
  });
}

function refuseFor(milliseconds: number): void {
  if (milliseconds > 0) throw tooManyRequests(Math.ceil(milliseconds / second));
}

/** The password was right: this try was no guess. Others' guesses at the same account or place still count. */
export async function forgiveGuess(db: Kysely<Tables>, guess: Guess): Promise<void> {
  // In the order in which they were counted, so that nobody waits in a circle.
  for (const { key, total } of guess.counted) await queries.takeBackGuess(db, key, total.every);
  await queries.deleteGuesses(db, guess.pair);
}

/** Deletes what no longer counts. */
export async function forgetOldGuesses({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  const now = clock();
  await queries.deleteOldGuesses(db, new Date(now.getTime() - hour), now);
  await deletePlaces(db, new Date(now.getTime() - knownFor));
}

/** When a bucket is full again is all that is stored of it. */
const fullAgain = (row: queries.Guesses, now: Date) =>
  Math.max(row.paused_until?.getTime() ?? 0, now.getTime());

/** Milliseconds until there is a try in it; none or less where there is one. */
function emptyFor(row: queries.Guesses, { atOnce, every }: Total, now: Date): number {
  return fullAgain(row, now) - now.getTime() - (atOnce - 1) * every;
}

function counted(row: queries.Guesses, { every }: Total, now: Date): queries.Guesses {
  return { ...row, tried_at: now, paused_until: new Date(fullAgain(row, now) + every) };
}

/** An hour without a try, and a pair is as new. */
function unlessForgotten(row: queries.Guesses, now: Date): queries.Guesses {
  if (now.getTime() - row.tried_at.getTime() < hour) return row;
  return { ...row, failures: 0, paused_until: null };
}

/** One try more, and the pause it brings. */
function tried(row: queries.Guesses, now: Date): queries.Guesses {
  const failures = row.failures + 1;
  const more = { ...row, failures, tried_at: now };
  if (failures < pair.free) return more;
  const pause = Math.min(pair.longest, pair.first * 2 ** Math.min(failures - pair.free, 20));
  return { ...more, paused_until: new Date(now.getTime() + pause) };
}
