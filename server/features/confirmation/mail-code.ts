import { randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { ConfirmedAct } from '#contract/confirmation.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { notSignedIn, Refusal } from '#server/platform/refusal.ts';
import type { Caller } from '#server/platform/route.ts';
import { mailOff } from '../accounts/mail-off.ts';
import { hashPassword, isPassword } from '../accounts/passwords.ts';
import * as queries from './confirmation.queries.ts';

/*
 * Six digits by mail confirm one act with its parameters in one session (decision 0051). The worker makes them when it sends the mail, and
 * stores only their hash: a slow one as for passwords, since all million codes could be tried quickly.
 */
const goodFor = 10 * 60 * 1000;
/** A mail that was not sent within this time is dropped. */
const sentWithin = 60 * 60 * 1000;
const triesAtMost = 5;

export interface ConfirmedBy {
  act: ConfirmedAct;
  paramsHash: Buffer;
}

/** Requests a mail with a code. */
export async function sendCode(
  { db, clock, outbox }: Context<'db' | 'clock' | 'outbox'>,
  caller: Caller,
  { act, paramsHash }: ConfirmedBy,
): Promise<void> {
  if (!outbox.isOn) throw mailOff();
  const now = clock();
  const person = await queries.findPerson(db, caller.id);
  if (!person) throw notSignedIn();
  if (!person.email_verified_at) throw new Refusal('email_unverified');
  await inTransaction(db, async (trx) => {
    const id = newId(now);
    await queries.replaceCode(trx, {
      id,
      person_id: caller.id,
      session_id: caller.session.id,
      act,
      params_hash: paramsHash,
      expires_at: new Date(now.getTime() + sentWithin),
    });
    const wanted = {
      template: 'confirm_code',
      email: person.email,
      personId: caller.id,
      codeId: id,
    } as const;
    if (!(await outbox.requestMail(trx, wanted, now)))
      throw new Refusal('too_many_requests', { what: 'later' });
  });
}

/** Makes the code of a mail that is being sent. Undefined if the code is no longer needed. */
export async function makeCode(db: Kysely<Tables>, id: string, now: Date): Promise<string | undefined> {
  const code = randomInt(1_000_000).toString().padStart(6, '0');
  const row = { code_hash: await hashPassword(code), expires_at: new Date(now.getTime() + goodFor) };
  return (await queries.setCode(db, id, row, now)) ? code : undefined;
}

/** Throws unless this is the code for this act, which is used up. Tries are counted before the code is compared. */
export async function checkCode(
  { db, clock }: Context<'db' | 'clock'>,
  caller: Caller,
  { act, paramsHash }: ConfirmedBy,
  code: string,
): Promise<void> {
  const wanted = { sessionId: caller.session.id, act, paramsHash };
  const row = await queries.countTry(db, wanted, triesAtMost, clock());
  const isRight = row?.code_hash && (await isPassword(row.code_hash, code.replaceAll(/\s/g, '')));
  if (!isRight || !(await queries.takeCode(db, row.id))) throw new Refusal('wrong_code', {}, 'code');
}
