import type { Kysely } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Caller } from '#server/platform/route.ts';
import { hashOfToken, newToken } from '#server/platform/secrets.ts';
import * as queries from './accounts.queries.ts';

const day = 24 * 60 * 60 * 1000;
/** A token expires after this time without use, and after this total age (decisions §2). */
const idleLimit = limits.sessionDays * day;
const ageLimit = limits.sessionDaysInAll * day;
/** The time of the last use is stored at most once an hour, so that reading a page rarely writes a row. */
const updateEvery = day / 24;

/**
 * Opens a session and returns its token: random, stored only as a hash. `issuer` is the OIDC issuer of this sign-in,
 * if any.
 */
export async function openSession(
  db: Kysely<Tables>,
  personId: string,
  now: Date,
  issuer?: string,
): Promise<string> {
  const token = newToken();
  await queries.insertSession(db, {
    token_hash: hashOfToken(token),
    person_id: personId,
    issuer: issuer ?? null,
    created_at: now,
    used_at: now,
  });
  return token;
}

/** The person of a token; undefined if the token is unknown or expired, or its person suspended. */
export async function callerOf(
  { db, clock }: Context<'db' | 'clock'>,
  token: string,
): Promise<Caller | undefined> {
  const now = clock();
  const session = await queries.findSession(db, hashOfToken(token), {
    usedAfter: new Date(now.getTime() - idleLimit),
    createdAfter: new Date(now.getTime() - ageLimit),
  });
  if (!session || session.suspended_at) return undefined;
  if (now.getTime() - session.used_at.getTime() > updateEvery)
    await queries.updateLastUse(db, hashOfToken(token), now);
  return { id: session.person_id, role: session.role };
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
  const now = clock();
  await queries.deleteOldSessions(db, {
    usedAfter: new Date(now.getTime() - idleLimit),
    createdAfter: new Date(now.getTime() - ageLimit),
  });
}

export { deleteAllSessions, deleteSessionsOf } from './accounts.queries.ts';
