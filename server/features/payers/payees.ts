import type { Transaction } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { readinessOf } from '../destinations/destination.ts';
import { listProposedVoids } from '../proposals/proposals.ts';
import type { AttemptRow } from '../withdrawals/attempts.ts';
import { lockPeople } from './batches.queries.ts';

/** Why an attempt ends before its payer receives it, as operators read it. */
export const notPayable = 'It could not be paid any more';

export interface Payee {
  name: string;
  username: string;
  email: string;
  /** Whether they can be paid now, and at the same destination. */
  canBePaidAt(fingerprint: Buffer | null): boolean;
}

/** The people whom these attempts pay by this payer. They are not suspended and do not change their destination during this transaction. */
export async function lockPayees(
  context: Context<'clock' | 'config' | 'keyring' | 'outbox'> & { db: Transaction<Tables> },
  attempts: readonly Pick<AttemptRow, 'creator_id'>[],
  payer: string,
): Promise<Map<string, Payee>> {
  if (attempts.length === 0) return new Map();
  const ids = [...new Set(attempts.map((attempt) => attempt.creator_id))];
  const rows = await lockPeople(context.db, ids);
  const readiness = await readinessOf(context, ids, payer);
  const accused = await listProposedVoids(context.db, ids, context.clock());
  return new Map(
    rows.map(({ id, suspended_at, ...row }) => {
      const payee = readiness.get(id);
      const isReady = suspended_at === null && !accused.has(id) && payee?.waiting === null;
      return [
        id,
        {
          ...row,
          canBePaidAt: (fingerprint) =>
            isReady && fingerprint !== null && payee?.fingerprint?.equals(fingerprint) === true,
        },
      ];
    }),
  );
}
