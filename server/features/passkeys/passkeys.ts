import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { z } from 'zod';
import type { addPasskey as addEndpoint, Passkey, PasskeyAnswer } from '#contract/passkeys.ts';
import { retention } from '#contract/retention.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { notFound, notSignedIn, Refusal } from '#server/platform/refusal.ts';
import type { RelyingParty } from '#server/platform/relying-party.ts';
import type { Caller } from '#server/platform/route.ts';
import { hashOfToken, newToken } from '#server/platform/secrets.ts';
import { refuseSuspended } from '../accounts/accounts.ts';
import { logIn } from '../accounts/log-in.ts';
import type { From } from '../accounts/places.ts';
import { endSessionsOfIssuer, isSessionOpen, passkeySession } from '../accounts/sessions.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import * as queries from './passkeys.queries.ts';

/*
 * Passkeys log in and confirm (decision 0059). A challenge is random, stored as a hash, and valid once, for one purpose in one session. The
 * authenticator has to verify its user each time.
 */
const challengeGoodFor = retention.confirmationMinutes * 60 * 1000;
const passkeysAtMost = 20;

/** Ed25519, P-256 and RSA, which authenticators support. The library's own list includes algorithms that are experimental in Node. */
const algorithms = [-8, -7, -257];

/** Loaded at the first use of a passkey: its certificate parsers would slow down every start. */
const webAuthn = () => import('@simplewebauthn/server');

const badPasskey = () => new Refusal('bad_passkey');

async function newChallenge(
  { db, clock }: Context<'db' | 'clock'>,
  { purpose, sessionId, paramsHash }: queries.Purpose,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = newToken();
  await queries.insertChallenge(db, {
    challenge_hash: hashOfToken(challenge),
    purpose,
    session_id: sessionId,
    params_hash: paramsHash ?? null,
    expires_at: new Date(clock().getTime() + challengeGoodFor),
  });
  return Uint8Array.from(Buffer.from(challenge, 'base64url'));
}

/** The options with which the browser creates a new passkey. */
export async function beginPasskey(context: Context<'db' | 'clock'>, caller: Caller, party: RelyingParty) {
  const person = await queries.findPerson(context.db, caller.id);
  if (!person) throw notSignedIn();
  const known = await queries.listOf(context.db, caller.id);
  refuseTooMany(known.length);
  const { generateRegistrationOptions } = await webAuthn();
  return await generateRegistrationOptions({
    rpName: 'Jhalak',
    rpID: party.id,
    userName: person.username,
    userDisplayName: person.name,
    userID: Uint8Array.from(Buffer.from(caller.id)),
    challenge: await newChallenge(context, { purpose: 'add', sessionId: caller.session.id }),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
  });
}

/** Stores a passkey that the browser created in this session. */
export async function addPasskey(
  { db, clock, outbox }: Context<'db' | 'clock' | 'outbox'>,
  caller: Caller,
  { credential, name }: z.output<(typeof addEndpoint)['body']>,
  party: RelyingParty,
): Promise<Passkey> {
  const now = clock();
  const sessionId = caller.session.id;
  const { origin, isOurs } = await readClient({ db, clock }, credential.response.clientDataJSON, {
    purpose: 'add',
    sessionId,
  });
  if (!isOurs || !party.accepts(origin)) throw badPasskey();
  const { verifyRegistrationResponse } = await webAuthn();
  const made = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} } as RegistrationResponseJSON,
    expectedChallenge: () => true,
    expectedOrigin: origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => undefined);
  if (!made?.verified) throw badPasskey();
  const { id, publicKey, counter, transports = [] } = made.registrationInfo.credential;
  return await inTransaction(db, async (trx) => {
    await queries.lockPerson(trx, caller.id);
    if (!(await isSessionOpen(trx, caller.session.id))) throw notSignedIn();
    refuseTooMany((await queries.listOf(trx, caller.id)).length);
    const row = await queries.insert(trx, {
      id: newId(now),
      person_id: caller.id,
      credential_id: id,
      public_key: Buffer.from(publicKey),
      counter,
      transports,
      name,
      is_factor: caller.session.factorAt !== null,
      created_at: now,
    });
    if (!row) throw badPasskey();
    await outbox.sendNotice(trx, caller.id, { act: 'passkey_added' }, now);
    await notifyFromSite(trx, caller.id, 'passkey_added', now);
    return asPasskey(row);
  });
}

function refuseTooMany(count: number): void {
  if (count >= passkeysAtMost) throw new Refusal('too_many_passkeys');
}

export async function listPasskeys({ db }: Context<'db'>, personId: string): Promise<Passkey[]> {
  return (await queries.listOf(db, personId)).map(asPasskey);
}

export async function renamePasskey(
  { db }: Context<'db'>,
  which: { personId: string; id: string },
  name: string,
): Promise<Passkey> {
  const row = await queries.rename(db, which, name);
  if (!row) throw noSuchPasskey();
  return asPasskey(row);
}

/** Removes a passkey, and ends the other sessions opened with passkeys. */
export async function removePasskey(
  { db, clock, outbox }: Context<'db' | 'clock' | 'outbox'>,
  caller: Caller,
  id: string,
): Promise<void> {
  const now = clock();
  await inTransaction(db, async (trx) => {
    await queries.lockPerson(trx, caller.id);
    if (!(await queries.remove(trx, { personId: caller.id, id }))) throw noSuchPasskey();
    await endSessionsOfIssuer(trx, caller, passkeySession);
    await outbox.sendNotice(trx, caller.id, { act: 'passkey_removed' }, now);
    await notifyFromSite(trx, caller.id, 'passkey_removed', now);
  });
}

/** The options of a login: the person chooses among the passkeys of this site. */
export async function beginLogin(context: Context<'db' | 'clock'>, party: RelyingParty) {
  const { generateAuthenticationOptions } = await webAuthn();
  return await generateAuthenticationOptions({
    rpID: party.id,
    challenge: await newChallenge(context, { purpose: 'log_in', sessionId: null }),
    userVerification: 'required',
  });
}

/** Opens a session with a passkey. */
export async function logInWithPasskey(
  context: Context<'db' | 'clock' | 'keyring' | 'outbox'>,
  credential: PasskeyAnswer,
  { from, party }: { from: From; party: RelyingParty },
): Promise<{ personId: string; token: string }> {
  const passkey = await verifyAnswer(context, credential, { purpose: 'log_in', sessionId: null }, party);
  return await inTransaction(context.db, async (trx) => {
    const person = await queries.lockPerson(trx, passkey.person_id);
    // Checked again after the person is locked: it may have been removed, and its sessions ended.
    if (!person || !(await queries.find(trx, passkey.credential_id))) throw badPasskey();
    await refuseSuspended(trx, { ...person, id: passkey.person_id });
    const opening = {
      personId: passkey.person_id,
      issuer: passkeySession,
      from,
      hasFactor: passkey.is_factor,
    };
    return { personId: passkey.person_id, token: await logIn(trx, context, opening) };
  });
}

/** The options to confirm one act. */
export async function beginConfirmation(
  context: Context<'db' | 'clock'>,
  caller: Caller,
  { paramsHash, party }: { paramsHash: Buffer; party: RelyingParty },
) {
  const known = await queries.listOf(context.db, caller.id);
  const { generateAuthenticationOptions } = await webAuthn();
  return await generateAuthenticationOptions({
    rpID: party.id,
    challenge: await newChallenge(context, { purpose: 'confirm', sessionId: caller.session.id, paramsHash }),
    allowCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
    userVerification: 'required',
  });
}

/** Throws unless a passkey of the caller confirms this act. */
export async function checkPasskey(
  context: Context<'db' | 'clock'>,
  caller: Caller,
  credential: PasskeyAnswer,
  { paramsHash, party, asFactor }: { paramsHash: Buffer; party: RelyingParty; asFactor: boolean },
): Promise<void> {
  const purpose = { purpose: 'confirm', sessionId: caller.session.id, paramsHash } as const;
  const passkey = await verifyAnswer(context, credential, purpose, party);
  if (passkey.person_id !== caller.id || (asFactor && !passkey.is_factor)) throw badPasskey();
}

async function verifyAnswer(
  context: Context<'db' | 'clock'>,
  credential: PasskeyAnswer,
  purpose: queries.Purpose,
  party: RelyingParty,
) {
  const { db, clock } = context;
  const { origin, isOurs } = await readClient(context, credential.response.clientDataJSON, purpose);
  const passkey = await queries.find(db, credential.id);
  if (!isOurs || !passkey || !party.accepts(origin)) throw badPasskey();
  const { verifyAuthenticationResponse } = await webAuthn();
  const answer = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} } as AuthenticationResponseJSON,
    expectedChallenge: () => true,
    expectedOrigin: origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: Uint8Array.from(passkey.public_key),
      counter: passkey.counter,
    },
  }).catch(() => undefined);
  if (!answer?.verified) throw badPasskey();
  const { newCounter } = answer.authenticationInfo;
  if (!(await queries.noteUse(db, passkey.id, newCounter, clock()))) throw badPasskey();
  return passkey;
}

/** Whether the signed origin and challenge are ours and for this purpose; the challenge is used up. */
async function readClient(
  { db, clock }: Context<'db' | 'clock'>,
  clientDataJSON: string,
  purpose: queries.Purpose,
): Promise<{ origin: string; isOurs: boolean }> {
  let said: { origin?: unknown; challenge?: unknown };
  try {
    said = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) ?? {};
  } catch {
    throw badPasskey();
  }
  const isOurs = await queries.takeChallenge(db, hashOfToken(String(said.challenge)), purpose, clock());
  return { origin: String(said.origin), isOurs };
}

export async function deleteExpiredChallenges({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  await queries.deleteChallengesBefore(db, clock());
}

const noSuchPasskey = () => notFound('passkey');

function asPasskey(row: Awaited<ReturnType<typeof queries.listOf>>[number]): Passkey {
  return {
    _id: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    usedAt: row.used_at?.toISOString() ?? null,
  };
}
