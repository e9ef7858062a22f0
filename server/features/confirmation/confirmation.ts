import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import {
  type ConfirmedAct,
  confirmedCalls,
  type confirmForm,
  freshFor,
  guardedActs,
} from '#contract/confirmation.ts';
import { retention } from '#contract/retention.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { factorRequired, notSignedIn, Refusal } from '#server/platform/refusal.ts';
import type { RelyingParty } from '#server/platform/relying-party.ts';
import type { Caller } from '#server/platform/route.ts';
import { hashOfToken, newToken } from '#server/platform/secrets.ts';
import { admitGuess, takeBackGuess } from '../accounts/guesses.ts';
import { isPassword, noPassword, wrongPassword } from '../accounts/passwords.ts';
import type { From } from '../accounts/places.ts';
import { passkeySession } from '../accounts/sessions.ts';
import { isOldLink, isOwnIdentity, verifyIdentity } from '../identity/identity.ts';
import type { Issuer } from '../identity/issuer.ts';
import { checkPasskey } from '../passkeys/passkeys.ts';
import { giverOf, takeCode } from '../second-factor/second-factor.ts';
import { unpaidOf } from '../withdrawals/unpaid.ts';
import * as queries from './confirmation.queries.ts';
import { checkCode, sendCode } from './mail-code.ts';

/*
 * A stolen token alone can do nothing irreversible (decision 0045). A confirmation is valid for one act with its parameters in one session;
 * the confirmed request uses it up.
 */
const goodFor = retention.confirmationMinutes * 60 * 1000;
const hours72 = 72 * 60 * 60 * 1000;

/** Confirms an act and returns the secret that proves the confirmation. */
export async function confirm(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  caller: Caller,
  form: z.output<typeof confirmForm>,
  { from, issuer, token, party }: { from: From; issuer: () => Issuer; token: string; party: RelyingParty },
): Promise<string> {
  const { db } = context;
  const now = context.clock();
  const input = inputOf(form);
  if (isOperators(form.act) && caller.role === 'person')
    throw new Refusal('not_allowed', { what: 'operators' });
  const asFactor = wantsFactor(caller, form.act);
  if (asFactor && form.totp === undefined && form.passkey === undefined) throw factorRequired();
  await refuseGuarded(context, caller, form.act);
  if (form.passkey !== undefined) {
    await checkPasskey(context, caller, form.passkey, {
      paramsHash: hashOf(form.act, input, token),
      party,
      asFactor,
    });
  } else if (form.totp !== undefined) await takeCode(context, giverOf(caller, from), form.totp);
  else if (form.code !== undefined)
    await checkCode(
      context,
      caller,
      { act: form.act, paramsHash: hashOf(form.act, input, token) },
      form.code,
    );
  else if (form.password === undefined) await checkIdentity(context, caller, issuer(), form.idToken ?? '');
  else await checkPassword(db, caller, { password: form.password, from }, now);
  const secret = newToken();
  await queries.insertConfirmation(db, {
    token_hash: hashOfToken(secret),
    person_id: caller.id,
    session_id: caller.session.id,
    act: form.act,
    params_hash: hashOf(form.act, input, secret),
    expires_at: new Date(now.getTime() + goodFor),
  });
  return secret;
}

type Confirmable = Pick<z.output<typeof confirmForm>, 'act' | 'params'>;

/** Sends a code that confirms the act, to a verified address. */
export async function sendConfirmationCode(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  caller: Caller,
  form: Confirmable,
  token: string,
): Promise<void> {
  if (wantsFactor(caller, form.act)) throw factorRequired();
  const { act } = form;
  await refuseGuarded(context, caller, act);
  await sendCode(context, caller, { act, paramsHash: hashOf(act, inputOf(form), token) });
}

/**
 * For 72 hours after a password reset by a link no act about links or address can be confirmed. The person who reset it may be a thief of
 * the mailbox, with a session or Google account of their own; the owner is notified in the meantime. Deleting an account is such an act if
 * it has unpaid coins, since they are lost with it.
 */
async function refuseGuarded(
  context: Context<'db' | 'clock' | 'config'>,
  caller: Caller,
  act: ConfirmedAct,
): Promise<void> {
  if (!guardedActs.includes(act) && act !== 'delete_account') return;
  const resetAt = (await queries.findPerson(context.db, caller.id))?.password_reset_at;
  if (!resetAt || resetAt <= before72(context.clock())) return;
  if (act !== 'delete_account' || (await unpaidOf(context, caller.id)).unpaidCoins > 0)
    throw new Refusal('recently_changed', { what: 'password' });
}

/** Hash of the validated parameters that the confirmed request will have; keyed by the token of the session. */
export const hashOfForm = (form: Confirmable, token: string) => hashOf(form.act, inputOf(form), token);

function inputOf({ act, params }: Confirmable): object {
  const endpoint = confirmedCalls.get(act);
  return { ...readPart(endpoint?.params, params), ...readPart(endpoint?.body, params) };
}

/**
 * Throws unless the act is confirmed: by the secret of a confirmation, which is used up, or by a session that was opened less than ten
 * minutes ago in a way that could confirm it.
 */
export async function requireConfirmation(
  context: Context<'db' | 'clock' | 'config'>,
  caller: Caller,
  { act, input }: { act: ConfirmedAct; input: object },
  secret: string | undefined,
): Promise<void> {
  const { db } = context;
  const now = context.clock();
  await refuseGuarded(context, caller, act);
  const wanted = { sessionId: caller.session.id, act };
  if (secret) {
    const confirmed = { ...wanted, paramsHash: hashOf(act, input, secret) };
    if (await queries.takeConfirmation(db, hashOfToken(secret), confirmed, now)) return;
  }
  const { openedAt, issuer, factorAt } = caller.session;
  const isFresh = now.getTime() - openedAt.getTime() < freshFor;
  if (isOperators(act) && isFresh && factorAt) return;
  if (isOperators(act)) throw notConfirmed();
  const isOwn = issuer === null || issuer === passkeySession;
  if (isFresh && (isOwn || (await isOldLink(db, caller.id, issuer, before72(now))))) return;
  throw notConfirmed();
}

/**
 * Whether only a second factor confirms the act. For an operator a passkey is a second factor, too, so adding one needs an existing one: an
 * old session and the password, or a code by mail, must not become a second factor.
 */
const wantsFactor = ({ role }: Caller, act: ConfirmedAct) =>
  isOperators(act) || (role !== 'person' && act === 'add_passkey');

const isOperators = (act: ConfirmedAct) => confirmedCalls.get(act)?.access === 'operator';

const notConfirmed = () => new Refusal('confirmation_required');

export async function deleteExpiredConfirmations({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  await queries.deleteConfirmationsBefore(db, clock());
}

const before72 = (now: Date) => new Date(now.getTime() - hours72);

function readPart(schema: z.ZodType | undefined, params: object): object {
  const parsed = schema?.safeParse(params);
  if (parsed?.success === false) throw new Refusal('invalid_input', { what: 'request' }, 'params');
  return (parsed?.data as object | undefined) ?? {};
}

/**
 * Independent of the order of the fields. Keyed by a secret that is stored nowhere, of the confirmation or the session: an account number
 * could be guessed from a plain hash.
 */
function hashOf(act: ConfirmedAct, input: object, secret: string): Buffer {
  const fields = Object.entries(input).toSorted(([name], [other]) => (name < other ? -1 : 1));
  return createHmac('sha256', secret)
    .update(JSON.stringify([act, fields]))
    .digest();
}

/** Guesses are limited as at login, since the session may be stolen. */
async function checkPassword(
  db: Kysely<Tables>,
  caller: Caller,
  { password, from }: { password: string; from: From },
  now: Date,
): Promise<void> {
  const person = await queries.findPerson(db, caller.id);
  if (!person) throw notSignedIn();
  if (!person.password_hash) throw noPassword();
  const guess = await admitGuess(db, person.email_key, from, now);
  if (!(await isPassword(person.password_hash, password))) throw wrongPassword();
  await takeBackGuess(db, guess);
}

async function checkIdentity(
  context: Context<'db' | 'clock'>,
  caller: Caller,
  issuer: Issuer,
  idToken: string,
): Promise<void> {
  const claims = await verifyIdentity(context, issuer, idToken);
  if (!(await isOwnIdentity(context.db, caller.id, claims))) throw new Refusal('bad_identity', {}, 'idToken');
  if (!(await isOldLink(context.db, caller.id, claims.issuer, before72(context.clock()))))
    throw new Refusal('recently_changed', { what: 'google' });
}
