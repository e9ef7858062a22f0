import type { Transaction } from 'kysely';
import type { ValuesOf } from '#contract/sentences.ts';
import type { Tables, WorkKind } from '#server/platform/database/tables.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { isHidden } from './blocks.ts';

/**
 * This work, if it is the caller's own. Otherwise throws: it is unknown to somebody whom a block separates from its creator, and to others what
 * they do to it is refused.
 */
export async function ownWork<Row extends { creator_id: string }>(
  trx: Transaction<Tables>,
  work: Row | undefined,
  callerId: string,
  { kind, what }: { kind: WorkKind; what: keyof ValuesOf<'not_yours'> },
): Promise<Row> {
  if (!work) throw notFound(kind);
  if (work.creator_id === callerId) return work;
  throw (await isHidden(trx, work.creator_id, callerId))
    ? notFound(kind)
    : new Refusal('not_yours', { what });
}
