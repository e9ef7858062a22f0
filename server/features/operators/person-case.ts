import { type PersonCase, shownCases } from '#contract/person-case.ts';
import { mayCall, type OperatorRole } from '#contract/roles.ts';
import { shownBesideMoney } from '#contract/withdrawal-case.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/refusal.ts';
import type { Caller } from '#server/platform/route.ts';
import { listActsOn, type Target } from '../audit-log/audit-log.ts';
import { readinessOf } from '../destinations/destination.ts';
import { casesOfPerson } from '../moderation/cases-of-person.ts';
import { endOfSuspension, listDecidedOf } from '../moderation/decisions.ts';
import { seesChildren } from '../people/child-safety.ts';
import * as queries from './operators.queries.ts';
import { asPerson } from './people.ts';
import { moneyOf } from './withdrawal-case.ts';

/** A person with all that operators of the reader's role compare before they act; everything for a command on the server. */
export async function showPerson(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  reader: Pick<Caller, 'id' | 'role'> | undefined,
  id: string,
): Promise<PersonCase> {
  const { db } = context;
  const row = await queries.findPerson(db, { id });
  if (!row) throw notFound('person');
  const reads = (needed: OperatorRole) => !reader || mayCall(reader.role, needed);
  const [cases, decided, money] = await Promise.all([
    reads('moderator') ? casesOfPerson(context, reader?.id ?? null, id) : { about: null, reported: null },
    reads('moderator') ? listDecidedOf(db, id, shownCases) : [],
    reads('payer') ? moneyOfPerson(context, id) : null,
  ]);
  const targets: Target[] = [
    { kind: 'person', id },
    ...(money?.withdrawals ?? []).map((withdrawal) => ({ kind: 'withdrawal', id: withdrawal._id })),
    // What others noted about one's own works is not for oneself.
    ...(id === reader?.id ? [] : (cases.about?.cases ?? [])).flatMap(({ _id, kind, targetId }) => [
      { kind: 'report', id: _id },
      ...(targetId ? [{ kind, id: targetId }] : []),
    ]),
    ...(id === reader?.id ? [] : decided),
  ];
  const sees = await seesChildren(db, reader?.id ?? null);
  return {
    ...asPerson(row),
    emailVerifiedAt: row.email_verified_at?.toISOString() ?? null,
    suspendedUntil: row.suspended_at ? ((await endOfSuspension(db, id))?.toISOString() ?? null) : null,
    followerCount: row.follower_count,
    ...cases,
    money,
    history: await listActsOn(db, targets, shownBesideMoney, sees),
  };
}

async function moneyOfPerson(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  id: string,
): Promise<PersonCase['money']> {
  const [money, readiness] = await Promise.all([moneyOf(context, id), readinessOf(context, [id])]);
  return { destination: readiness.get(id)?.masked ?? null, ...money };
}
