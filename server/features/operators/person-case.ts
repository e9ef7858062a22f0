import { type PersonCase, shownCases } from '#contract/person-case.ts';
import { shownBesideMoney } from '#contract/withdrawal-case.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/refusal.ts';
import { listActsOn, type Target } from '../audit-log/audit-log.ts';
import { readinessOf } from '../destinations/destination.ts';
import { casesOfPerson } from '../moderation/cases-of-person.ts';
import { listDecidedOf } from '../moderation/decisions.ts';
import * as queries from './operators.queries.ts';
import { asPerson } from './people.ts';
import { moneyOf } from './withdrawal-case.ts';

/** A person with all that operators compare before they act. */
export async function showPerson(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  operatorId: string | null,
  id: string,
): Promise<PersonCase> {
  const { db } = context;
  const row = await queries.findPerson(db, { id });
  if (!row) throw notFound('person');
  const [cases, decided, money, readiness] = await Promise.all([
    casesOfPerson(context, operatorId, id),
    listDecidedOf(db, id, shownCases),
    moneyOf(context, id),
    readinessOf(context, [id]),
  ]);
  const targets: Target[] = [
    { kind: 'person', id },
    ...money.withdrawals.map((withdrawal) => ({ kind: 'withdrawal', id: withdrawal._id })),
    // What others noted about one's own works is not for oneself.
    ...(id === operatorId ? [] : cases.about.cases).flatMap(({ _id, kind, targetId }) => [
      { kind: 'report', id: _id },
      { kind, id: targetId },
    ]),
    ...(id === operatorId ? [] : decided),
  ];
  return {
    ...asPerson(row),
    emailVerifiedAt: row.email_verified_at?.toISOString() ?? null,
    followerCount: row.follower_count,
    ...cases,
    destination: readiness.get(id)?.masked ?? null,
    ...money,
    history: await listActsOn(db, targets, shownBesideMoney),
  };
}
