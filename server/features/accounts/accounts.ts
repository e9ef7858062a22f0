import type { Insertable, Kysely, Transaction } from 'kysely';
import type { z } from 'zod';
import type { signInForm, signUpForm } from '#contract/accounts.ts';
import type { Language } from '#contract/languages.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { Refusal, suspended } from '#server/platform/refusal.ts';
import type { Cookies } from '#server/platform/route.ts';
import { findNewestAbout } from '../notifications/notifications.ts';
import { foldCase } from '../people/fold-case.ts';
import { looksLikeFollowed, refuseLookAlike } from '../people/followed-look-alikes.ts';
import { storedName, storedUsername } from '../people/name-keys.ts';
import { nameProblem, refuseNames, usernameProblem, withoutHidden } from '../people/names.ts';
import { indexPerson } from '../search-index/search-index.ts';
import * as queries from './accounts.queries.ts';
import { knownDevice, rememberDevice } from './devices.ts';
import { isKept, lockAddresses } from './email-changes.queries.ts';
import { admitGuess, mayRevealTaken, takeBackGuess } from './guesses.ts';
import { logIn } from './log-in.ts';
import { refuseWeakPassword } from './new-passwords.ts';
import { hashPassword, isPassword } from './passwords.ts';
import type { From } from './places.ts';
import { cut, usernamesFrom } from './usernames.ts';

/** Creates an account and returns its id. E-mail addresses and usernames are unique regardless of case. */
export async function signUp(
  { db, clock }: Context<'db' | 'clock'>,
  form: z.output<typeof signUpForm>,
  from: Pick<From, 'address' | 'places'>,
): Promise<string> {
  refuseNames(form);
  await refuseWeakPassword(form.password, form, 'password');
  await refuseLookAlike(db, form.username);
  const now = clock();
  const id = newId(now);
  const emailKey = foldCase(form.email);
  const passwordHash = await hashPassword(form.password);
  const created = await inTransaction(db, async (trx) => {
    await lockAddresses(trx, emailKey);
    if (await isKept(trx, emailKey, now)) return false;
    return await insertPerson(trx, {
      id,
      ...storedName(form.name),
      ...storedUsername(form.username),
      email: form.email,
      email_key: emailKey,
      password_hash: passwordHash,
      language: form.language ?? null,
      created_at: now,
    });
  });
  if (created) return id;
  const username = new Refusal('username_taken', {}, 'username');
  if (!(await queries.isEmailTaken(db, emailKey)) && !(await isKept(db, emailKey, now))) throw username;
  const isNameTaken = await queries.isUsernameTaken(db, foldCase(form.username));
  if (!(await mayRevealTaken(db, from, now))) {
    // The same check as when only the username is taken: otherwise a username that is known to be taken would reveal whether the address
    // has an account.
    if (isNameTaken) throw username;
    throw new Refusal('sign_up_refused');
  }
  const email = new Refusal('email_taken', { what: 'sign_up' }, 'email');
  if (isNameTaken) email.others = [username];
  throw email;
}

/** Creates the person, who can be found from then on. Returns false if address or username is taken. */
async function insertPerson(
  trx: Transaction<Tables>,
  person: Insertable<Tables['people']>,
): Promise<boolean> {
  const created = await queries.insertPerson(trx, person);
  if (created) await indexPerson(trx, person);
  return created;
}

/**
 * Creates an account without a password for a person who signed in with an OIDC issuer. The username is made from the
 * name. Returns undefined if the e-mail address already has an account.
 */
export async function signUpWithIdentity(
  trx: Transaction<Tables>,
  who: { name: string; email: string; language?: Language | undefined },
  now: Date,
): Promise<string | undefined> {
  const id = newId(now);
  const emailKey = foldCase(who.email);
  await lockAddresses(trx, emailKey);
  if (await isKept(trx, emailKey, now)) return undefined;
  const name = cut(withoutHidden(who.name.toWellFormed().replaceAll(/\s+/gu, ' ')).trim(), 80).trim();
  for (const username of usernamesFrom(name)) {
    if (usernameProblem(username) || (await looksLikeFollowed(trx, username))) continue;
    const created = await insertPerson(trx, {
      id,
      ...storedName(name && !nameProblem(name) ? name : username),
      ...storedUsername(username),
      email: who.email,
      email_key: emailKey,
      password_hash: null,
      language: who.language ?? null,
      // The issuer vouches for it.
      email_verified_at: now,
      created_at: now,
    });
    if (created) return id;
    if (await queries.isEmailTaken(trx, emailKey)) return undefined;
  }
  throw new Error('no username was free');
}

/**
 * Checks the password and opens a session. A wrong address and a wrong password get the same answer and the same
 * pauses, so that nobody can find out which accounts exist.
 */
export async function signIn(
  context: Context<'db' | 'clock' | 'keyring' | 'outbox'>,
  form: z.output<typeof signInForm>,
  { cookies, ...from }: From & { cookies: Cookies },
): Promise<{ personId: string; token: string }> {
  const { db } = context;
  const now = context.clock();
  const emailKey = foldCase(form.email);
  const person = await queries.findByEmail(db, emailKey);
  const device = person && knownDevice(from.places, cookies, person, now);
  const guess = await admitGuess(db, emailKey, { ...from, device }, now);
  if (!(await isPassword(person?.password_hash, form.password)) || !person) {
    throw new Refusal('invalid_credentials');
  }
  await refuseSuspended(db, person);
  const token = await inTransaction(db, async (trx) => {
    // If the password was changed meanwhile, a session opened with the old password must not survive it.
    const current = await queries.lockPassword(trx, person.id);
    if (current?.password_hash !== person.password_hash) throw new Refusal('invalid_credentials');
    await takeBackGuess(trx, guess);
    return await logIn(trx, context, { personId: person.id, from });
  });
  rememberDevice(from.places, cookies, person, now);
  return { personId: person.id, token };
}

/** Refuses a suspended person who has proved who they are, and so may know the address of the decision. */
export async function refuseSuspended(
  db: Kysely<Tables>,
  person: { id: string; suspended_at: Date | null },
): Promise<void> {
  if (person.suspended_at) throw suspended(await findNewestAbout(db, person.id, 'account_suspended'));
}

/** Marks the address as verified if a linked identity provider vouches for the same address. */
export async function proveAddress(
  trx: Transaction<Tables>,
  personId: string,
  email: string,
  now: Date,
): Promise<void> {
  await queries.setVerifiedIf(trx, personId, foldCase(email), now);
}
