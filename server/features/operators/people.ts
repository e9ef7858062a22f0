import type { Kysely, Transaction } from 'kysely';
import { siteUsername } from '#contract/accounts.ts';
import type { Page } from '#contract/fields.ts';
import type { PersonForOperators, SuspendForm } from '#contract/operators.ts';
import type { Role } from '#contract/roles.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { markVerified } from '../accounts/email-verification.ts';
import { makeResetLink } from '../accounts/forgotten-password.ts';
import { deleteSessionsOf } from '../accounts/sessions.ts';
import type { Operator } from '../audit-log/audit-log.ts';
import { logAct } from '../audit-log/audit-log.ts';
import { decideCaseOf } from '../moderation/cases.ts';
import {
  decide,
  eachOverdue,
  endDecisions,
  endOfSuspension,
  findDecided,
  isOverdue,
} from '../moderation/decisions.ts';
import { purgePerson } from '../moderation/withheld.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import { foldCase } from '../people/fold-case.ts';
import { nameProblem, usernameProblem } from '../people/names.ts';
import { searchEverybody } from '../people/people.ts';
import { roleOf } from '../people/role-of.ts';
import { invite, removeFactor } from '../second-factor/second-factor.ts';
import * as queries from './operators.queries.ts';
import { lockOperators, mustNotBeLast, notifyOperators } from './roles.ts';

const day = 24 * 60 * 60 * 1000;

interface RefusedName {
  _id: string;
  username: string;
  name: string;
  field: string;
  problem: string;
}

/** Finds people by a part of their name, username or e-mail address, or by id, including suspended ones; all people without words. */
export async function findPeople(
  db: Kysely<Tables>,
  { q, limit, cursor }: Page & { q?: string | undefined },
): Promise<{ data: PersonForOperators[]; nextCursor: string | null }> {
  const ids = await searchEverybody(db, q, limit + 1, readCursor(cursor));
  const rows = await queries.listPeople(db, ids);
  return pageOf(rows, limit, (row) => ({ at: row.created_at, id: row.id }), asPerson);
}

/** An account, as operators see it. */
export async function findPerson(db: Kysely<Tables>, id: string): Promise<PersonForOperators> {
  const row = await queries.findPerson(db, { id });
  if (!row) throw noSuchPerson();
  return asPerson(row);
}

/** Accounts with names that could no longer be chosen (decision 0049). */
export async function listRefusedNames(db: Kysely<Tables>): Promise<RefusedName[]> {
  const refused: RefusedName[] = [];
  const atOnce = 1000;
  let rows: Awaited<ReturnType<typeof queries.listNames>> = [];
  do {
    rows = await queries.listNames(db, atOnce, rows.at(-1)?.id);
    for (const { id, name, username } of rows)
      for (const problem of [usernameProblem(username), nameProblem(name)])
        if (problem)
          refused.push({ _id: id, username, name, field: problem.field ?? '', problem: problem.message });
  } while (rows.length === atOnce);
  return refused;
}

/** Returns the id of the person with this username, in any case. An id is returned as it is. */
export async function idOf(db: Kysely<Tables>, idOrUsername: string): Promise<string> {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(idOrUsername)) return idOrUsername.toLowerCase();
  const row = await queries.findPerson(db, { usernameKey: foldCase(idOrUsername.replace(/^@/, '')) });
  if (!row) throw noSuchPerson();
  return row.id;
}

/** A person after an action, and whether the action changed anything. */
type Act = PersonForOperators & { changed: boolean };

/**
 * Suspends an account, for days or without an end: its sessions end with this transaction, nobody can sign in, and none of its content is
 * public. Its owner gets the rule and the reason.
 * A suspended account stays as it is, but a suspension without an end replaces one for days. The operator role must be removed first.
 */
export async function suspendPerson(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  operator: Operator,
  id: string,
  { rule, days, reason }: SuspendForm,
): Promise<Act> {
  const { db, clock } = context;
  const now = clock();
  return await change(db, id, async (trx, row) => {
    if (row.role === 'operator') throw new Refusal('is_operator', { what: 'suspend' });
    if (row.suspended_at) {
      if (days !== undefined || !(await endOfSuspension(trx, id))) return false;
      await endDecisions(trx, operator, id, now);
    }
    const target = { kind: 'person', id } as const;
    const thing = await findDecided(trx, target);
    if (!thing) throw noSuchPerson();
    await queries.setSuspended(trx, id, row.suspended_at ?? now);
    await deleteSessionsOf(trx, id);
    await purgePerson(trx, id, now);
    const { caseId, logged } = await decideCaseOf(trx, operator, target, now);
    const until = days === undefined ? null : new Date(now.getTime() + days * day);
    const decision = { by: operator, target, thing, caseId, rule, reason, until } as const;
    await decide(trx, context, { ...decision, act: 'suspend' }, now);
    const details = { rule, reason, ...logged, ...(days === undefined ? {} : { days }) };
    await logAct(trx, operator, { act: 'person.suspend', target, details }, now);
    return true;
  });
}

/** Ends a suspension. Does nothing if the person is not suspended. */
export async function restorePerson(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  operator: Operator,
  id: string,
): Promise<Act> {
  const { db, clock } = context;
  const now = clock();
  return await change(db, id, async (trx, row) => {
    if (!row.suspended_at) return false;
    await endSuspension(trx, operator, id, now);
    return true;
  });
}

async function endSuspension(
  trx: Transaction<Tables>,
  operator: Operator,
  id: string,
  now: Date,
): Promise<void> {
  await queries.setSuspended(trx, id, null);
  await endDecisions(trx, operator, id, now);
  await logAct(trx, operator, { act: 'person.restore', target: { kind: 'person', id } }, now);
}

/** Ends the suspensions whose days are over; the log names the site. */
export async function endSuspensions({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  const now = clock();
  await eachOverdue(db, now, (id) =>
    inTransaction(db, async (trx) => {
      await queries.lockPerson(trx, id);
      // An operator may have ended it in the meantime.
      if (await isOverdue(trx, id, now)) await endSuspension(trx, { id: null, name: siteUsername }, id, now);
    }),
  );
}

/**
 * Makes a person an operator of a role or an ordinary person, from their next request on, and tells all operators, also this one. The last
 * administrator stays one. A new operator gets a one-time code for setting up the second factor. The log names each role as an appointment:
 * who gets another one decides about no payment for 72 hours, as a new operator.
 */
export async function setRole(
  context: Context<'db' | 'clock' | 'outbox'>,
  operator: Operator,
  id: string,
  {
    role,
    childSafety = false,
    byCommand = false,
  }: { role: Role; childSafety?: boolean /** On the server, which needs no role. */; byCommand?: boolean },
): Promise<Act & { enrolment: string | null }> {
  const now = context.clock();
  let enrolment: string | null = null;
  return await inTransaction(context.db, async (given) => {
    const operators = await lockOperators(given);
    // They may have lost the role since they sent this.
    const by = operator.id && operators.find((other) => other.id === operator.id);
    if (operator.id && !(by && (byCommand || by.role === 'administrator')))
      throw new Refusal('not_allowed', { what: 'for_administrator' });
    const person = await change(given, id, async (trx, row) => {
      const before = roleOf(row);
      if (before === role && row.child_safety === childSafety) return false;
      if (row.suspended_at) throw new Refusal('person_suspended', { what: 'account' });
      if (before === 'administrator' && role !== before) mustNotBeLast(operators, id);
      await queries.setRole(trx, id, { role, childSafety });
      if (before === 'person') enrolment = await invite(trx, id, now);
      if (role === 'person') await removeFactor(trx, id);
      const told = new Set([...operators.map((other) => other.id), id]);
      const said = { username: row.username, by: operator };
      const notice =
        role === 'person'
          ? ({ act: 'operator_removed', ...said } as const)
          : ({ act: 'operator_appointed', role, ...said } as const);
      await notifyOperators(trx, context, [...told], notice);
      const target = { kind: 'person', id };
      const logged =
        role === 'person'
          ? ({ act: 'person.remove-operator', target } as const)
          : ({ act: 'person.make-operator', target, details: { role, childSafety } } as const);
      await logAct(trx, operator, logged, now);
      return true;
    });
    return { ...person, enrolment };
  });
}

/** Marks the address of a person as verified, and notifies them. Does nothing if it is verified. */
export async function verifyEmailOf(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  operator: Operator,
  id: string,
): Promise<Act> {
  const { db, clock, outbox } = context;
  const now = clock();
  return await change(db, id, async (trx, row) => {
    refuseAccess(row);
    if (!(await markVerified(trx, id, now))) return false;
    await logAct(trx, operator, { act: 'person.verify-email', target: { kind: 'person', id } }, now);
    await outbox.sendNotice(trx, id, { act: 'address_verified' }, now);
    await notifyFromSite(trx, id, 'address_verified', now);
    return true;
  });
}

/** Makes a one-time password reset link for a person, and notifies them. Returns its secret. */
export async function makeResetLinkOf(
  { db, clock, outbox }: Context<'db' | 'clock' | 'outbox'>,
  operator: Operator,
  id: string,
): Promise<string> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const row = await queries.lockPerson(trx, id);
    if (!row) throw noSuchPerson();
    refuseAccess(row);
    const secret = await makeResetLink(trx, id, now);
    if (!secret) throw noSuchPerson();
    await logAct(trx, operator, { act: 'person.reset-link', target: { kind: 'person', id } }, now);
    await outbox.sendNotice(trx, id, { act: 'reset_link_made' }, now);
    await notifyFromSite(trx, id, 'reset_link_made', now);
    return secret;
  });
}

/** Operators cannot get access to the account of another operator. */
function refuseAccess({ role, suspended_at }: queries.PersonRow): void {
  if (role === 'operator') throw new Refusal('is_operator', { what: 'access' });
  if (suspended_at) throw new Refusal('person_suspended', { what: 'account' });
}

/**
 * Runs `act` with the person's row locked and returns the person afterwards. `act` returns whether it changed
 * anything.
 */
export async function change(
  db: Kysely<Tables>,
  id: string,
  act: (trx: Transaction<Tables>, row: queries.PersonRow) => Promise<boolean>,
): Promise<Act> {
  return await inTransaction(db, async (trx) => {
    const before = await queries.lockPerson(trx, id);
    if (!before) throw noSuchPerson();
    const changed = await act(trx, before);
    const after = await queries.findPerson(trx, { id });
    return { ...asPerson(after ?? before), changed };
  });
}

const noSuchPerson = () => notFound('person');

export function asPerson(row: queries.PersonRow): PersonForOperators {
  return {
    _id: row.id,
    name: row.name,
    username: row.username,
    email: row.email,
    role: roleOf(row),
    childSafety: row.child_safety,
    suspendedAt: row.suspended_at?.toISOString() ?? null,
    reportsMutedUntil: row.reports_muted_until?.toISOString() ?? null,
    reelCount: row.reel_count,
    postCount: row.post_count,
    createdAt: row.created_at.toISOString(),
  };
}
