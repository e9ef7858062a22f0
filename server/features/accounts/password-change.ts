import type { z } from 'zod';
import type { changePassword as endpoint } from '#contract/profile.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notSignedIn, Refusal } from '#server/platform/refusal.ts';
import * as queries from './accounts.queries.ts';
import { admitGuess, takeBackGuess } from './guesses.ts';
import { logIn } from './log-in.ts';
import { refuseWeakPassword } from './new-passwords.ts';
import { hashPassword, isPassword, noPassword, wrongPassword } from './passwords.ts';
import type { From } from './places.ts';

/** Changes the caller's password. Deletes all their sessions (decisions §2) and returns the token of a new one. */
export async function changePassword(
  context: Context<'db' | 'clock' | 'keyring' | 'outbox'>,
  personId: string,
  form: z.output<(typeof endpoint)['body']>,
  from: From,
): Promise<string> {
  if (form.newPassword !== form.cpassword) throw new Refusal('password_mismatch', {}, 'cpassword');
  const { db, clock, outbox } = context;
  const owner = await queries.findOwner(db, personId);
  if (!owner) throw notSignedIn();
  await refuseWeakPassword(form.newPassword, owner, 'newPassword');
  const now = clock();
  // The session may be stolen, so guesses of the current password are limited as at login.
  const guess = await admitGuess(db, owner.email_key, from, now);
  const newHash = await hashPassword(form.newPassword);
  return await inTransaction(db, async (trx) => {
    const person = await queries.lockPassword(trx, personId);
    if (!person) throw notSignedIn();
    if (!person.password_hash) throw noPassword();
    if (!(await isPassword(person.password_hash, form.password))) throw wrongPassword();
    await takeBackGuess(trx, guess);
    await queries.setPassword(trx, personId, newHash);
    await queries.deleteSessionsOf(trx, personId);
    await outbox.sendNotice(trx, personId, { act: 'password_changed' }, now);
    return await logIn(trx, context, { personId, from });
  });
}
