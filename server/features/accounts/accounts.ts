import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { passwordsMustMatch, type signInForm, type signUpForm } from '../../../contract/accounts.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { newId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import * as queries from './accounts.queries.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { openSession } from './sessions.ts';

/** Creates an account and returns its id. E-mail and username are each one person's, in any case of letters. */
export async function signUp(
  db: Kysely<Tables>,
  form: z.output<typeof signUpForm>,
  now: Date,
): Promise<string> {
  if (form.password !== form.cpassword)
    throw new Refusal('password_mismatch', passwordsMustMatch, 'cpassword');
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
  if (await queries.isEmailTaken(db, emailKey)) {
    throw new Refusal('email_taken', 'An account with this email already exists.', 'email');
  }
  throw new Refusal('username_taken', 'This username is already taken.', 'username');
}

/** Checks the password and opens a session. The same sentence for a wrong address and a wrong password. */
export async function signIn(
  db: Kysely<Tables>,
  form: z.output<typeof signInForm>,
  now: Date,
): Promise<{ personId: string; token: string }> {
  const person = await queries.findByEmail(db, keyOf(form.email));
  if (!(await isPassword(person?.password_hash, form.password)) || !person) {
    throw new Refusal('invalid_credentials', 'Invalid credentials');
  }
  if (person.suspended_at) throw new Refusal('suspended', 'This account is suspended. Please contact us.');
  return { personId: person.id, token: await openSession(db, person.id, now) };
}

/** What two spellings of one address or username have in common. */
function keyOf(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
