import type { Transaction } from 'kysely';
import type { z } from 'zod';
import type { signInForm, signUpForm } from '#contract/accounts.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { Refusal, suspended } from '#server/platform/refusal.ts';
import { keyOf } from '../people/keys.ts';
import * as queries from './accounts.queries.ts';
import { admitGuess, forgiveGuess } from './guesses.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { type From, notePlaces } from './places.ts';
import { openSession } from './sessions.ts';
import { cut, usernamesFrom } from './usernames.ts';

/** Creates an account and returns its id. E-mail and username are each one person's, in any case of letters. */
export async function signUp(
  { db, clock }: Context<'db' | 'clock'>,
  form: z.output<typeof signUpForm>,
): Promise<string> {
  const now = clock();
  const id = newId(now);
  const emailKey = keyOf(form.email);
  const created = await queries.insertPerson(db, {
    id,
    name: form.name,
    username: form.username,
    username_key: keyOf(form.username),
    email: form.email,
    email_key: emailKey,
    password_hash: await hashPassword(form.password),
    created_at: now,
  });
  if (created) return id;
  const username = new Refusal('username_taken', 'This username is already taken.', 'username');
  if (!(await queries.isEmailTaken(db, emailKey))) throw username;
  const email = new Refusal('email_taken', 'An account with this email already exists.', 'email');
  if (await queries.isUsernameTaken(db, keyOf(form.username))) email.others = [username];
  throw email;
}

/**
 * Creates an account without a password for somebody whom an issuer vouches for, under a username made from their name;
 * undefined where their address has an account already.
 */
export async function signUpVouchedFor(
  trx: Transaction<Tables>,
  who: { name: string; email: string },
  now: Date,
): Promise<string | undefined> {
  const id = newId(now);
  const emailKey = keyOf(who.email);
  const said = cut(
    who.name
      .toWellFormed()
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim(),
    80,
  ).trim();
  for (const username of usernamesFrom(said)) {
    const created = await queries.insertPerson(trx, {
      id,
      name: said || username,
      username,
      username_key: keyOf(username),
      email: who.email,
      email_key: emailKey,
      password_hash: null,
      created_at: now,
    });
    if (created) return id;
    if (await queries.isEmailTaken(trx, emailKey)) return undefined;
  }
  throw new Error('no username was free');
}

/**
 * Checks the password and opens a session. The same sentence for a wrong address and a wrong password, and the same pauses
 * after too many of either.
 */
export async function signIn(
  { db, clock }: Context<'db' | 'clock'>,
  form: z.output<typeof signInForm>,
  from: From,
): Promise<{ personId: string; token: string }> {
  const now = clock();
  const emailKey = keyOf(form.email);
  const guess = await admitGuess(db, emailKey, from, now);
  const person = await queries.findByEmail(db, emailKey);
  if (!(await isPassword(person?.password_hash, form.password)) || !person) {
    throw new Refusal('invalid_credentials', 'Invalid credentials');
  }
  refuseSuspended(person);
  return await inTransaction(db, async (trx) => {
    // Changed while it was being checked: a session by the old password would outlive it.
    const current = await queries.lockPassword(trx, person.id);
    if (current?.password_hash !== person.password_hash)
      throw new Refusal('invalid_credentials', 'Invalid credentials');
    await forgiveGuess(trx, guess);
    await notePlaces(trx, person.id, guess.places, now);
    return { personId: person.id, token: await openSession(trx, person.id, now) };
  });
}

export function refuseSuspended(person: { suspended_at: Date | null }): void {
  if (person.suspended_at) throw suspended();
}
