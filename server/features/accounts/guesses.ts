import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { tooSoon } from '../../platform/refusal.ts';
import * as queries from './guesses.queries.ts';
import { deletePlaces, isKnownPlace } from './places.queries.ts';
import type { Places } from './places.ts';

/*
 * Guesses of passwords are slowed, the same way for accounts that exist and for those that do not:
 * - one account at one address: five tries, then pauses that double from half a minute to a quarter of an hour;
 * - one address, whatever accounts it tries: thirty tries, then pauses from half a minute to five minutes;
 * - one account, wherever it is tried from: after twenty failures the free tries are over for every address, which then
 *   waits half a minute before its first one. Nobody is shut out: who waited is heard, however many others guess.
 * Where somebody has logged in before, only their own tries count. An hour without a try, and all is forgotten.
 */
const second = 1000;
const pair = { kind: 1, free: 5, first: 30 * second, longest: 15 * 60 * second };
const account = { kind: 2, free: 20 };
const address = { kind: 3, free: 30, first: 30 * second, longest: 5 * 60 * second };
const forgottenAfter = 60 * 60 * second;
/** How long an address stays known to an account. */
const knownFor = 30 * 24 * 60 * 60 * second;

export interface Guess {
  /** The key of the address. */
  place: Buffer;
  pair: { kind: number; key: Buffer };
  /** Where else it was counted: nowhere else where the person has logged in before. */
  counted: queries.Guesses[];
}

/** Counts a try before it is made, so that many at once are no more than one after another. Throws while there is a pause. */
export async function admitGuess(
  db: Kysely<Tables>,
  places: Places,
  emailKey: string,
  from: string,
  now: Date,
): Promise<Guess> {
  const place = places.of(from);
  const ofThisPair = { kind: pair.kind, key: places.key('pair', emailKey, place.toString('hex')) };
  const admitted = await db.transaction().execute(async (trx) => {
    const ofThisAccount = { kind: account.kind, key: places.key('account', emailKey) };
    const keys = [ofThisPair, ofThisAccount, { kind: address.kind, key: place }];
    const locked = await queries.lockGuesses(trx, keys, now);
    const [ofPair, ofAccount, ofAddress] = locked.map((row) => unlessForgotten(row, now)) as [
      queries.Guesses,
      queries.Guesses,
      queries.Guesses,
    ];
    const isKnown = await isKnownPlace(trx, emailKey, place, new Date(now.getTime() - knownFor));
    const pauses = isKnown ? [ofPair] : [ofPair, ofAddress];
    const until = Math.max(...pauses.map(({ paused_until }) => paused_until?.getTime() ?? 0));
    if (until > now.getTime()) return until - now.getTime();
    if (!isKnown && ofAccount.failures >= account.free && ofPair.failures < pair.free) {
      await queries.saveGuesses(trx, tried({ ...ofPair, failures: pair.free - 1 }, now, pair));
      return pair.first;
    }
    const elsewhere = isKnown ? [] : [tried(ofAccount, now), tried(ofAddress, now, address)];
    for (const one of [tried(ofPair, now, pair), ...elsewhere]) await queries.saveGuesses(trx, one);
    return elsewhere;
  });
  if (typeof admitted === 'number') throw tooSoon(Math.ceil(admitted / second));
  return { place, pair: ofThisPair, counted: admitted };
}

/** The password was right: this try was no guess. Others' guesses at the same account or address still count. */
export async function forgiveGuess(db: Kysely<Tables>, guess: Guess): Promise<void> {
  await queries.deleteGuesses(db, guess.pair);
  for (const one of guess.counted) await queries.takeBackGuess(db, one);
}

/** Deletes what no longer counts. */
export async function forgetOldGuesses(db: Kysely<Tables>, now: Date): Promise<void> {
  await queries.deleteOldGuesses(db, new Date(now.getTime() - forgottenAfter));
  await deletePlaces(db, new Date(now.getTime() - knownFor));
}

function unlessForgotten(row: queries.Guesses, now: Date): queries.Guesses {
  if (now.getTime() - row.tried_at.getTime() < forgottenAfter) return row;
  return { ...row, failures: 0, paused_until: null };
}

/** One try more, and the pause it brings. */
function tried(
  row: queries.Guesses,
  now: Date,
  slowing?: { free: number; first: number; longest: number },
): queries.Guesses {
  const failures = row.failures + 1;
  const counted = { ...row, failures, tried_at: now };
  if (!slowing || failures < slowing.free) return counted;
  const pause = Math.min(slowing.longest, slowing.first * 2 ** Math.min(failures - slowing.free, 20));
  return { ...counted, paused_until: new Date(now.getTime() + pause) };
}
