import type { Kysely, Transaction } from 'kysely';
import { findCopy } from '#server/media/find-copy.ts';
import { keysOf, searchesOf, storedPart } from '#server/media/prints/any-print.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables, WorkKind } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { clientOfPerson } from '#server/platform/networks.ts';
import { Refusal } from '#server/platform/refusal.ts';
import * as queries from './copies.queries.ts';

/*
 * Whether a work that is published is a copy of an earlier one, by its print (docs/decisions/0065-copies.md, 0070-copies-of-reels.md).
 */

/** How many works of each search are compared: those that share the most keys. */
const compared = 16;
/** How often a work is compared again, because a similar one was published in the meantime. */
const rounds = 5;

/** A similar work was published after the comparison. */
class Overtaken extends Refusal {
  constructor() {
    super('unavailable', { what: 'now' });
  }
}

/** Returns the earlier work of which a work is a copy by its print. */
type Compare = (trx: Transaction<Tables>) => Promise<queries.Root | undefined>;

/**
 * Returns the earlier work of which this one is a copy: by its print or, if that was taken down, by its bytes. The copy is then withheld.
 * Called in the publishing transaction, before the hash of the file is stored.
 */
type Judge = (trx: Transaction<Tables>, file: { sha256: Buffer }) => Promise<queries.Root | undefined>;

/**
 * Publishes a work. It is compared before the transaction, because that takes a while; `judge` then serializes publications, and starts
 * again if a similar work was published first: of two parallel modified copies, one is the first.
 */
export async function publishCompared<T>(
  { db }: Context<'db'>,
  { print, creatorId }: { print: Buffer | null; creatorId: string },
  publish: (trx: Transaction<Tables>, judge: Judge) => Promise<T>,
): Promise<T> {
  for (let round = 1; ; round += 1) {
    const compare = print ? await compareWithEarlier(db, print, creatorId) : async () => undefined;
    const judge: Judge = async (trx, { sha256 }) => {
      const original = await compare(trx);
      if (original?.withheld) return original;
      return (await queries.takenDownRootOf(trx, sha256, creatorId)) ?? original;
    };
    try {
      return await inTransaction(db, (trx) => publish(trx, judge));
    } catch (error) {
      if (!(error instanceof Overtaken) || round === rounds) throw error;
    }
  }
}

async function compareWithEarlier(db: Kysely<Tables>, print: Buffer, creatorId: string): Promise<Compare> {
  const searches = searchesOf(print);
  const upTo = await queries.lastNumber(db);
  const candidates = await queries.findCandidates(db, searches, compared);
  // A work that cannot be compared counts as new, so that publishing never fails. The metric of media tasks counts it.
  const found = await findCopy(print, candidates, clientOfPerson(creatorId)).catch(() => undefined);
  return async (trx) => {
    await queries.lockPrints(trx);
    if (found)
      return await queries.rootOf(trx, { creatorId: found.creator_id, workId: found.work_id }, creatorId);
    // A newer work that shares only sound does not matter: sound alone makes no copy.
    const [seen = []] = searches;
    if ((await queries.lastNumber(trx)) > upTo && (await queries.hasNewer(trx, seen, upTo)))
      throw new Overtaken();
    return undefined;
  };
}

interface Work {
  creatorId: string;
  kind: WorkKind;
  id: string;
}

/** Stores the print of a work, in the transaction that publishes it, after `judge`. */
export async function storePrint(trx: Transaction<Tables>, work: Work, print: Buffer): Promise<void> {
  const number = (await queries.lastNumber(trx)) + 1;
  const { creatorId: creator_id, id: work_id, kind } = work;
  const kept = storedPart(print);
  await queries.insertPrint(trx, { creator_id, work_id, kind, number, print: kept }, keysOf(kept));
}

/** Stores that a work is a copy, and of which work if known. If it waits for a review, that is requested at once. */
export async function storeCopy(
  trx: Transaction<Tables>,
  { creatorId: creator_id, id: work_id, kind }: Work,
  original: queries.Root | undefined,
  now: Date,
): Promise<void> {
  await queries.insertCopy(trx, {
    creator_id,
    work_id,
    kind,
    original_creator_id: original?.creator_id ?? null,
    original_id: original?.id ?? null,
    original_kind: original?.kind ?? null,
    found_at: now,
    asked_at: original?.withheld ? now : null,
  });
}
