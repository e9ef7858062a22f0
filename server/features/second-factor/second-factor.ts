import type { Transaction } from 'kysely';
import type { SecondFactor } from '#contract/second-factor.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { LostKeyError } from '#server/platform/keyring/keyring.ts';
import type { SealedColumn } from '#server/platform/keyring/reencryption.ts';
import { factorRequired, Refusal } from '#server/platform/refusal.ts';
import type { Caller } from '#server/platform/route.ts';
import { hashOfToken } from '#server/platform/secrets.ts';
import { admitGuess, takeBackGuess } from '../accounts/guesses.ts';
import type { From } from '../accounts/places.ts';
import { forgetFactors, noteFactor } from '../accounts/sessions.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import { forgetPasskeyFactors } from '../passkeys/forget.ts';
import * as queries from './second-factor.queries.ts';
import { addressOf, codeAsTyped, newCode, newSecret, stepOf } from './totp.ts';

/*
 * Operators have a second factor: the codes of an authenticator app, and recovery codes for a lost one (decision 0050). Enrolling needs a
 * one-time code from the command line, so that a stolen password or token is not enough.
 */
const minute = 60 * 1000;
const invitationGoodFor = 24 * 60 * minute;
const enrolmentGoodFor = 15 * minute;
const recoveryCodes = 10;

const bindingOf = (personId: string) => ({ personId, kind: 'totp' });

/** The secrets of authenticator apps, including those that have not given their first code. */
export const factorSecrets: readonly SealedColumn[] = (['secret', 'pending'] as const).map((column) => ({
  kind: bindingOf('').kind,
  lockBeginning: (trx, batch) => queries.lockSealed(trx, { ...batch, column }),
  write: (trx, personId, sealed) => queries.writeSealed(trx, personId, { [column]: sealed }),
}));
const wrongCode = (field = 'totp') => new Refusal('wrong_code', {}, field);

/** The person who gives a code, and the session or command in which they do. */
export interface Giver {
  personId: string;
  from: Omit<From, 'userAgent'>;
}

/** A session that has given a code before is a known device: only its own tries count for it. */
export function giverOf({ id, session }: Caller, { address, places }: Omit<From, 'device'>): Giver {
  const device = session.factorAt ? places.key('factor guess', session.id) : undefined;
  return { personId: id, from: { address, places, device } };
}

/** The state of the caller's second factor. */
export async function showFactor(
  { db }: Context<'db'>,
  { id, role, session }: Caller,
): Promise<SecondFactor> {
  const required = role !== 'person';
  const factor = required ? await queries.find(db, id) : undefined;
  return {
    ...{ required, role },
    enrolledAt: factor?.enrolled_at?.toISOString() ?? null,
    given: session.factorAt !== null,
    recoveryCodes: factor ? await queries.countRecoveryCodes(db, id) : 0,
  };
}

/** Makes the secret for a new app. It becomes valid when its first code is given in this session. */
export async function beginEnrolment(
  context: Context<'db' | 'clock' | 'keyring' | 'outbox'>,
  caller: Caller,
  { code, from }: { code: string; from: Giver['from'] },
): Promise<{ secret: string; uri: string }> {
  const { db, clock, keyring } = context;
  const now = clock();
  const username = await operatorsName(context, caller);
  const factor = await queries.find(db, caller.id);
  const isInvited =
    factor?.invitation_hash?.equals(hashOfToken(codeAsTyped(code))) &&
    factor.invitation_until &&
    factor.invitation_until > now;
  if (!isInvited) {
    // An enrolled operator changes to another app with a code of the previous one.
    if (!factor?.secret) throw wrongCode('code');
    await takeCode(context, { personId: caller.id, from }, code);
  }
  const secret = newSecret();
  await queries.save(db, caller.id, {
    pending: keyring.encrypt(secret, bindingOf(caller.id)),
    pending_session: caller.session.id,
    pending_until: new Date(now.getTime() + enrolmentGoodFor),
  });
  return { secret, uri: addressOf(secret, { username, site: 'Jhalak' }) };
}

/** Accepts the first code of a new app, and returns new recovery codes, which are shown only once. */
export async function finishEnrolment(
  { db, clock, keyring, outbox }: Context<'db' | 'clock' | 'keyring' | 'outbox'>,
  caller: Caller,
  { totp, from }: { totp: string; from: Giver['from'] },
): Promise<string[]> {
  const now = clock();
  const guess = await admitGuess(db, guessesOf(caller.id), from, now);
  return await inTransaction(db, async (trx) => {
    const factor = await queries.lock(trx, caller.id);
    if (!factor?.pending || factor.pending_session !== caller.session.id) throw wrongCode();
    if (!factor.pending_until || factor.pending_until <= now) throw wrongCode();
    const secret = await keyring.decrypt(factor.pending, bindingOf(caller.id));
    const step = stepOf(secret, codeAsTyped(totp), now);
    if (step === undefined) throw wrongCode();
    await takeBackGuess(trx, guess);
    await queries.save(trx, caller.id, {
      secret: factor.pending,
      enrolled_at: now,
      used_step: step,
      pending: null,
      pending_session: null,
      pending_until: null,
      invitation_hash: null,
      invitation_until: null,
    });
    await forgetFactors(trx, caller.id);
    await noteFactor(trx, caller, now);
    await outbox.sendNotice(trx, caller.id, { act: 'factor_set' }, now);
    await notifyFromSite(trx, caller.id, 'factor_set', now);
    return await replaceCodes(trx, caller.id);
  });
}

/** Accepts a code for this session, which operator endpoints need once in each session. */
export async function giveCode(
  context: Context<'db' | 'clock' | 'keyring' | 'outbox'>,
  caller: Caller,
  { totp, from }: { totp: string; from: Giver['from'] },
): Promise<void> {
  await operatorsName(context, caller);
  await takeCode(context, { personId: caller.id, from }, totp);
  await noteFactor(context.db, caller, context.clock());
}

export async function newRecoveryCodes(
  context: Context<'db' | 'clock' | 'keyring' | 'outbox'>,
  caller: Caller,
  { totp, from }: { totp: string; from: Giver['from'] },
): Promise<string[]> {
  await operatorsName(context, caller);
  await takeCode(context, { personId: caller.id, from }, totp);
  return await inTransaction(context.db, (trx) => replaceCodes(trx, caller.id));
}

/** Uses up a code of the app, or a recovery code; throws if it is wrong. If it arrives several times in parallel, it counts once. */
export async function takeCode(
  context: Context<'db' | 'clock' | 'keyring' | 'outbox'>,
  { personId, from }: Giver,
  typed: string,
): Promise<void> {
  const { db, clock } = context;
  const now = clock();
  const factor = await queries.find(db, personId);
  if (!factor?.secret) throw factorRequired();
  const code = codeAsTyped(typed);
  // Recovery codes cannot be guessed, so they are not limited: they work even while the guesses of others pause the codes.
  if (await takeRecovery(context, personId, code)) return;
  const guess = await admitGuess(db, guessesOf(personId), from, now);
  const step = stepOf(await secretOf(context, personId, factor.secret), code, now);
  if (step === undefined || !(await queries.takeStep(db, personId, step))) throw wrongCode();
  await takeBackGuess(db, guess);
}

async function takeRecovery(
  { db, clock, outbox }: Context<'db' | 'clock' | 'outbox'>,
  personId: string,
  code: string,
): Promise<boolean> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    if (!(await queries.takeRecoveryCode(trx, personId, hashOfToken(code)))) return false;
    await outbox.sendNotice(trx, personId, { act: 'recovery_code_used' }, now);
    await notifyFromSite(trx, personId, 'recovery_code_used', now);
    return true;
  });
}

/** A secret whose key is lost counts as missing. */
async function secretOf({ keyring }: Context<'keyring'>, personId: string, sealed: Buffer): Promise<string> {
  try {
    return await keyring.decrypt(sealed, bindingOf(personId));
  } catch (error) {
    if (error instanceof LostKeyError) throw factorRequired();
    throw error;
  }
}

/** Codes are counted separately from passwords. */
const guessesOf = (personId: string) => `second factor of ${personId}`;

async function operatorsName({ db }: Context<'db'>, { id }: Caller): Promise<string> {
  const person = await queries.findPerson(db, id);
  if (person?.role !== 'operator') throw new Refusal('not_allowed', { what: 'operators' });
  return person.username;
}

async function replaceCodes(trx: Transaction<Tables>, personId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, newCode);
  await queries.replaceRecoveryCodes(trx, personId, codes.map(hashOfToken));
  return codes;
}

/** Makes the one-time code with which an operator without a second factor enrols; it replaces the one before. */
export async function invite(trx: Transaction<Tables>, personId: string, now: Date): Promise<string> {
  const code = newCode();
  await queries.save(trx, personId, {
    invitation_hash: hashOfToken(code),
    invitation_until: new Date(now.getTime() + invitationGoodFor),
  });
  return code;
}

/** Removes the second factor of an operator who lost it, or of a former operator. */
export async function removeFactor(trx: Transaction<Tables>, personId: string): Promise<void> {
  await queries.remove(trx, personId);
  await forgetPasskeyFactors(trx, personId);
  await forgetFactors(trx, personId);
}

export const isEnrolled = async (db: Context['db'], personId: string): Promise<boolean> =>
  Boolean((await queries.find(db, personId))?.secret);

export const listOperators = queries.listOperators;
