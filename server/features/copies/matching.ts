import type { Kysely, Transaction } from 'kysely';
import { findCopy } from '#server/media/find-copy.ts';
import { keysOf, searchesOf, storedPart } from '#server/media/prints/any-print.ts';
import type { Context } from '#server/platform/context.ts';
import { retryOnConflict } from '#server/platform/database/conflicts.ts';
import type { Tables, WorkKind } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { clientOfPerson } from '#server/platform/networks.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { type Earlier, findSameFile, type Hashes } from '../prints/known-files.ts';
import * as prints from '../prints/prints.ts';
import { insertCopy } from './copies.queries.ts';

/*
 * Whether a work that is published is a copy of an earlier one, by its bytes or by its print (docs/decisions/0065-copies.md,
 * 0070-copies-of-reels.md).
 */

/** How many works of each search are compared: those that share the most keys. */
const compared = 16;
/** How often a work is compared again, because a similar one was published in the meantime. */
const rounds = 5;

/** What the work was compared with has changed since the comparison. */
class Overtaken extends Refusal {
  constructor() {
    super('unavailable', { what: 'now' });
  }
}

interface WorkRef {
  creatorId: string;
  kind: WorkKind;
  id: string;
}

/**
 * Stores by what a work is recognized, and of what it is a copy, in the transaction that publishes it. A copy is published as a duplicate;
 * one of banned content waits.
 */
type Recognize = (
  trx: Transaction<Tables>,
  work: WorkRef,
  file: Hashes,
  now: Date,
) => Promise<{ duplicate: boolean; waits: boolean }>;

/**
 * Publishes a work. It is compared before the transaction, because that takes a while; `recognize` then serializes publications, and starts
 * again if a similar work was published first: of two parallel modified copies, one is the first. `publish` may run several times; what it
 * did before is rolled back.
 */
export async function publishCompared<T>(
  { db }: Context<'db'>,
  { print, creatorId }: { print: Buffer | null; creatorId: string },
  publish: (trx: Transaction<Tables>, recognize: Recognize) => Promise<T>,
): Promise<T> {
  for (let round = 1; ; round += 1) {
    const findByPrint = print ? await compareWithEarlier(db, print, creatorId) : async () => undefined;
    const recognize: Recognize = async (trx, work, file, now) => {
      await prints.lockPrints(trx);
      const originals = [await findSameFile(trx, file, creatorId), await findByPrint(trx)].filter(Boolean);
      const original = originals.find((work) => work?.compared === 'banned') ?? originals[0];
      await storePrint(trx, work, file, { print, isCompared: !original });
      if (original) await storeCopy(trx, work, original, now);
      return { duplicate: original !== undefined, waits: original?.compared === 'banned' };
    };
    try {
      // A take-down may lock the same rows in another order. Another try costs less than the encoding that a failed job repeats.
      return await retryOnConflict(() => inTransaction(db, (trx) => publish(trx, recognize)));
    } catch (error) {
      if (!(error instanceof Overtaken) || round === rounds) throw error;
    }
  }
}

async function compareWithEarlier(db: Kysely<Tables>, print: Buffer, creatorId: string) {
  const searches = searchesOf(print);
  const upTo = await prints.lastNumber(db);
  const candidates = await prints.findCandidates(db, { searches, creatorId }, compared);
  // A work that cannot be compared counts as new, so that publishing never fails. The metric of media tasks counts it.
  const similar = await findCopy(print, candidates, clientOfPerson(creatorId)).catch(() => undefined);
  return async (trx: Transaction<Tables>): Promise<Earlier | undefined> => {
    const original = similar && (await prints.findStillCompared(trx, similar.work_id, creatorId));
    if (original) return original;
    // A newer work that shares only sound does not matter: sound alone makes no copy.
    const [seen = []] = searches;
    if (similar || ((await prints.lastNumber(trx)) > upTo && (await prints.hasNewer(trx, seen, upTo))))
      throw new Overtaken();
    return undefined;
  };
}

/** With a copy nothing is compared; its print is stored for the case that it becomes an original. */
async function storePrint(
  trx: Transaction<Tables>,
  { creatorId: creator_id, id: work_id, kind }: WorkRef,
  { sha256, original_sha256 = null }: Hashes,
  { print, isCompared }: { print: Buffer | null; isCompared: boolean },
): Promise<void> {
  const kept = print && storedPart(print);
  const row = { work_id, creator_id, kind, sha256, original_sha256, print: kept };
  if (!isCompared) return await prints.insertPrint(trx, row);
  const number = (await prints.lastNumber(trx)) + 1;
  await prints.insertPrint(trx, { ...row, compared: 'everybody', number });
  if (kept) await prints.insertKeys(trx, number, keysOf(kept));
}

/** A copy of banned content needs a review, which is requested at once. */
async function storeCopy(
  trx: Transaction<Tables>,
  { creatorId: creator_id, id: work_id, kind }: WorkRef,
  original: Earlier,
  now: Date,
): Promise<void> {
  await insertCopy(trx, {
    creator_id,
    work_id,
    kind,
    original_id: original.work_id,
    original_kind: original.kind,
    found_at: now,
    asked_at: original.compared === 'banned' ? now : null,
  });
}
