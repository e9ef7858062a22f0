import type { Kysely } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Caller } from '#server/platform/route.ts';
import { hashOfToken, newToken } from '#server/platform/secrets.ts';
import * as queries from './accounts.queries.ts';

const day = 24 * 60 * 60 * 1000;
/** A token dies after so long without use, and after so long in all (decisions §2). */
const idleLimit = limits.sessionDays * day;
const ageLimit = limits.sessionDaysInAll * day;
/** Use is noted at most once an hour: reading a page must not write a row. */
const noteEvery = day / 24;

/** Opens a session and returns its token: opaque, random, stored only as a hash. `issuer` is who vouched, if somebody did. */
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

/** The person behind a token; undefined when it is unknown, expired or its person is suspended. */
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
  if (now.getTime() - session.used_at.getTime() > noteEvery)
    await queries.noteUse(db, hashOfToken(token), now);
  return { id: session.person_id, role: session.role };
}

/**
 * Ends the session of a token, or with `everywhere` all of its person's, on a phone that was lost too; of an unknown token it
 * is already true. Returns the issuer that had vouched for the person, where one had.
 */
export async function logOutBy(
  db: Kysely<Tables>,
  token: string,
  everywhere: boolean,
): Promise<string | undefined> {
  return await queries.deleteSessionBy(db, hashOfToken(token), everywhere);
}

/** Deletes the sessions that are over. */
export async function forgetEndedSessions({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  const now = clock();
  await queries.deleteOldSessions(db, {
    usedAfter: new Date(now.getTime() - idleLimit),
    createdAfter: new Date(now.getTime() - ageLimit),
  });
}

/** Ends every session of everybody. */
export const endAllSessions = queries.deleteAllSessions;

/** Ends every session of a person; part of the transaction that has the reason. */
export const closeSessionsOf = queries.deleteSessionsOf;
