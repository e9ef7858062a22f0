import type { Kysely, Transaction } from 'kysely';
import { limits, sessionsAtMost } from '#contract/limits.ts';
import type { Session } from '#contract/sessions.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import { providerNetworkOf } from '#server/platform/ip-prefix.ts';
import { LostKeyError } from '#server/platform/keyring/keyring.ts';
import type { SealedColumn } from '#server/platform/keyring/reencryption.ts';
import { notFound } from '#server/platform/refusal.ts';
import type { Caller } from '#server/platform/route.ts';
import { hashOfToken, newToken } from '#server/platform/secrets.ts';
import { roleOf } from '../people/role-of.ts';
import * as queries from './accounts.queries.ts';

const day = 24 * 60 * 60 * 1000;
/** A token expires after this time without use, and after this total age (decisions §2). */
const idleLimit = limits.sessionDays * day;
const ageLimit = limits.sessionDaysInAll * day;
/** The time of the last use is stored at most once an hour, so that reading a page rarely writes a row. */
const updateEvery = day / 24;

/** In place of an issuer: the session was opened with a passkey. */
export const passkeySession = 'passkey';

/** The encryption context of the network of a person's sessions. */
export const networkBinding = (personId: string) => ({ personId, kind: 'session_network' });

export const sessionNetworks: SealedColumn = {
  kind: networkBinding('').kind,
  lockBeginning: queries.lockNetworks,
  write: queries.writeNetwork,
};

interface Opening {
  personId: string;
  /** The OIDC issuer of this sign-in, if any. */
  issuer?: string | undefined;
  device?: string | undefined;
  /** Encrypted. */
  network?: Buffer | undefined;
  /** Whether the method of login counts as a second factor. */
  hasFactor?: boolean | undefined;
}

/** Opens a session and returns its token: random, stored only as a hash. Ends those that are too many. */
export async function openSession(
  db: Kysely<Tables>,
  { personId, issuer, device, network, hasFactor }: Opening,
  now: Date,
): Promise<string> {
  const token = newToken();
  await queries.insertSession(db, {
    token_hash: hashOfToken(token),
    id: newId(now),
    person_id: personId,
    issuer: issuer ?? null,
    device: device ?? null,
    network: network ?? null,
    factor_at: hasFactor ? now : null,
    created_at: now,
    used_at: now,
  });
  await queries.deleteSessionsOver(db, personId, sessionsAtMost);
  return token;
}

const validSince = (now: Date) => ({
  usedAfter: new Date(now.getTime() - idleLimit),
  createdAfter: new Date(now.getTime() - ageLimit),
});

/** The person of a token; undefined if the token is unknown or expired, or its person suspended. */
export async function callerOf(
  { db, clock, keyring }: Context<'db' | 'clock' | 'keyring'>,
  token: string,
  address: string,
): Promise<Caller | undefined> {
  const now = clock();
  const session = await queries.findSession(db, hashOfToken(token), validSince(now));
  if (!session || session.suspended_at) return undefined;
  if (now.getTime() - session.used_at.getTime() > updateEvery) {
    const network = providerNetworkOf(address);
    await queries.updateLastUse(db, hashOfToken(token), {
      used_at: now,
      network: network ? keyring.encrypt(network, networkBinding(session.person_id)) : null,
    });
  }
  const { id, created_at: openedAt, issuer, factor_at: factorAt } = session;
  return { id: session.person_id, role: roleOf(session), session: { id, openedAt, issuer, factorAt } };
}

/** The sessions of a person: the current one first, then the last used ones. */
export async function listSessions(
  { db, clock, keyring }: Context<'db' | 'clock' | 'keyring'>,
  personId: string,
  current?: string,
): Promise<Session[]> {
  const rows = await queries.listSessions(db, personId, validSince(clock()), {
    current,
    atMost: sessionsAtMost,
  });
  return await Promise.all(
    rows.map(async (row) => ({
      _id: row.id,
      device: row.device,
      network: row.network && (await networkOf(keyring, personId, row.network)),
      createdAt: row.created_at.toISOString(),
      usedAt: row.used_at.toISOString(),
      current: row.current,
    })),
  );
}

/** Null if its key is lost. */
async function networkOf(
  keyring: Context<'keyring'>['keyring'],
  personId: string,
  sealed: Buffer,
): Promise<string | null> {
  try {
    return await keyring.decrypt(sealed, networkBinding(personId));
  } catch (error) {
    if (error instanceof LostKeyError) return null;
    throw error;
  }
}

/** Ends one session of a person. */
export async function endSession(db: Kysely<Tables>, personId: string, id: string): Promise<void> {
  if (!(await queries.deleteSession(db, personId, id))) throw notFound('session');
}

/** Ends all sessions of the caller except the current one. */
export async function endOtherSessions(db: Kysely<Tables>, { id, session }: Caller): Promise<void> {
  await queries.deleteSessionsBut(db, id, session.id);
}

/**
 * Ends the session of a token, or with `everywhere` all sessions of its person, for example after a phone was lost.
 * An unknown token is no error. Returns the OIDC issuer that opened the session, if any.
 */
export async function logOutBy(
  db: Kysely<Tables>,
  token: string,
  everywhere: boolean,
): Promise<string | undefined> {
  return await queries.deleteSessionBy(db, hashOfToken(token), everywhere);
}

/** Deletes expired sessions. */
export async function deleteExpiredSessions({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  await queries.deleteOldSessions(db, validSince(clock()));
}

/** Ends the sessions of the caller that an issuer opened, except the current one. */
export async function endSessionsOfIssuer(
  trx: Transaction<Tables>,
  { id, session }: Caller,
  issuer: string,
): Promise<void> {
  await queries.deleteSessionsBut(trx, id, session.id, issuer);
}

/** Stores that this session has passed the second factor of its person. */
export async function noteFactor(
  db: Kysely<Tables>,
  { id, session }: Pick<Caller, 'id' | 'session'>,
  now: Date,
): Promise<void> {
  await queries.setFactorAt(db, { personId: id, sessionId: session.id }, now);
}

/** The second factor has changed: each session of the person has to pass it again. */
export const forgetFactors = queries.clearFactorAt;

export { deleteAllSessions, deleteSessionsOf, isSessionOpen } from './accounts.queries.ts';
