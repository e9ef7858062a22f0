import type { Kysely } from 'kysely';
import { retention } from '#contract/retention.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { tooManyRequests } from '#server/platform/refusal.ts';
import * as queries from './guesses.queries.ts';
import { deletePlaces } from './places.queries.ts';
import { type From, knownFor, knownPlaces } from './places.ts';

/*
 * Limits guesses of passwords, in the same way for accounts that exist and for those that do not (decision 0028):
 * - for one account and one place: five tries, then pauses that double from 30 seconds to 15 minutes. A place is an IPv4
 *   address or an IPv6 /48, or a /64 in which the person has logged in before;
 * - for one account, from all places together in which the person has not logged in before: 20 failures, and 10 more an hour;
 * - for one place, whatever the accounts: as many as 5,000 people behind one address mistype, and in a /64 as many as a household.
 * Sign-ups reveal five times an hour for each place that an address is taken.
 * In a place where the person has logged in before, only tries in that place count; in a browser from which they have
 * logged in before (devices.ts), and in a session, only tries from there, so that nobody else behind the same address pauses
 * them.
 */
const second = 1000;
const hour = 60 * 60 * second;
const pair = { kind: 1, free: 5, firstPause: 30 * second, maxPause: 15 * 60 * second };
/** A token bucket: this many failures at once, and another one after each period of `every` milliseconds. */
interface Bucket {
  kind: number;
  capacity: number;
  every: number;
}
const ofAccount: Bucket = { kind: 4, capacity: 20, every: (retention.guessHours * hour) / 20 };
const ofGroup: Bucket = { kind: 5, capacity: 1500, every: hour / 1500 };
const ofNetwork: Bucket = { kind: 6, capacity: 60, every: hour / 60 };

/** How often an hour a place may learn that an address is taken. */
const taken = { kind: 7, atMost: 5 };

export interface Guess {
  /** Keys of the networks of the client's address, largest first. */
  places: Buffer[];
  pair: queries.GuessKey;
  /** Buckets in which the try was counted: none if the person has logged in from that network or browser before. */
  counted: { key: queries.GuessKey; bucket: Bucket }[];
}

/**
 * Counts a try before the password is checked, so that parallel tries count like sequential ones. Throws during a
 * pause.
 */
export async function admitGuess(
  db: Kysely<Tables>,
  emailKey: string,
  { address, places, device }: Omit<From, 'userAgent'>,
  now: Date,
): Promise<Guess> {
  const networks = places.of(address);
  const [group = Buffer.alloc(0), network] = networks;
  // A rejected try is rolled back, so it stores no rows, however many networks they come from.
  return await inTransaction(db, async (trx) => {
    const known = device ? [] : await knownPlaces(trx, emailKey, networks, now);
    const usual = networks.findLast((network) => known.some((place) => place.equals(network)));
    const ofPair = {
      kind: pair.kind,
      key: device ?? places.key('pair', emailKey, (usual ?? group).toString('hex')),
    };
    const buckets =
      device || usual
        ? []
        : [
            { bucket: ofGroup, key: { kind: ofGroup.kind, key: group } },
            { bucket: ofAccount, key: { kind: ofAccount.kind, key: places.key('account', emailKey) } },
            ...(network ? [{ bucket: ofNetwork, key: { kind: ofNetwork.kind, key: network } }] : []),
          ];
    const rows: queries.Guesses[] = [];
    for (const { bucket, key } of buckets) {
      const row = await queries.lockGuesses(trx, key, now);
      refuseFor(millisecondsUntilFree(row, bucket, now));
      rows.push(counted(row, bucket, now));
    }
    const row = resetAfterAnHour(await queries.lockGuesses(trx, ofPair, now), now);
    refuseFor((row.paused_until?.getTime() ?? 0) - now.getTime());
    for (const guesses of [...rows, withFailure(row, now)]) await queries.saveGuesses(trx, guesses);
    return { places: networks, pair: ofPair, counted: buckets };
  });
}

function refuseFor(milliseconds: number): void {
  if (milliseconds > 0) throw tooManyRequests(Math.ceil(milliseconds / second));
}

/** Called after the right password: reverts this try. Tries of others for the same account or network still count. */
export async function takeBackGuess(db: Kysely<Tables>, guess: Guess): Promise<void> {
  // Rows are locked in the order in which they were counted, to avoid deadlocks.
  for (const { key, bucket } of guess.counted) await queries.takeBackGuess(db, key, bucket.every);
  await queries.deleteGuesses(db, guess.pair);
}

/**
 * Whether a sign-up from this address may learn that an e-mail address has an account: five times an hour. Only allowed replies are
 * counted, so that repeated requests do not extend the limit for the neighbours.
 */
export async function mayRevealTaken(
  db: Kysely<Tables>,
  { address, places }: Pick<From, 'address' | 'places'>,
  now: Date,
): Promise<boolean> {
  const [key = Buffer.alloc(0)] = places.of(address);
  return await inTransaction(db, async (trx) => {
    const row = await queries.lockGuesses(trx, { kind: taken.kind, key }, now);
    // The hour begins with the first such reply, and `paused_until` is its end.
    const isOver = !row.paused_until || row.paused_until <= now;
    const failures = isOver ? 0 : row.failures;
    if (failures >= taken.atMost) return false;
    const ends = isOver ? new Date(now.getTime() + hour) : row.paused_until;
    await queries.saveGuesses(trx, { ...row, failures: failures + 1, tried_at: now, paused_until: ends });
    return true;
  });
}

/** Deletes counters that have expired. */
export async function deleteOldGuesses({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  const now = clock();
  await queries.deleteOldGuesses(db, new Date(now.getTime() - hour), now);
  await deletePlaces(db, new Date(now.getTime() - knownFor));
}

/** Of a bucket only the time when it will be full again is stored. */
const fullAt = (row: queries.Guesses, now: Date) => Math.max(row.paused_until?.getTime() ?? 0, now.getTime());

/** Milliseconds until the bucket holds a token; zero or less if it holds one now. */
function millisecondsUntilFree(row: queries.Guesses, { capacity, every }: Bucket, now: Date): number {
  return fullAt(row, now) - now.getTime() - (capacity - 1) * every;
}

function counted(row: queries.Guesses, { every }: Bucket, now: Date): queries.Guesses {
  return { ...row, tried_at: now, paused_until: new Date(fullAt(row, now) + every) };
}

/** An hour after the last try the counter of a pair starts again. */
function resetAfterAnHour(row: queries.Guesses, now: Date): queries.Guesses {
  if (now.getTime() - row.tried_at.getTime() < hour) return row;
  return { ...row, failures: 0, paused_until: null };
}

/** Counts one more failure and sets the pause after it. */
function withFailure(row: queries.Guesses, now: Date): queries.Guesses {
  const failures = row.failures + 1;
  const more = { ...row, failures, tried_at: now };
  if (failures < pair.free) return more;
  const pause = Math.min(pair.maxPause, pair.firstPause * 2 ** Math.min(failures - pair.free, 20));
  return { ...more, paused_until: new Date(now.getTime() + pause) };
}
