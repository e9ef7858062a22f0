import type { Transaction } from 'kysely';
import { keysOf } from '#server/media/prints/any-print.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Compared, Tables, WorkKind } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { isPaidToOperator } from '../destinations/own-money.ts';
import { countOwnWork } from '../months/own-works.ts';
import * as prints from '../prints/prints.ts';
import * as copies from './copies.queries.ts';

/* With which later works a work is compared; docs/copies.md lists all states. */

const day = 24 * 60 * 60 * 1000;

/** How many prints are in memory when an account is deleted; one of a reel has up to 80 KB. */
const atOnce = 100;

type Facts = Pick<copies.Facts, 'duplicate' | 'published_at' | 'deleted_at' | 'taken_down_as'>;

/** Whose later works are compared with a work; nobody's with a copy. */
export function comparedFor(work: Facts, timeZone: string): Compared | null {
  const { published_at: from, deleted_at: until, taken_down_as: takenDownAs } = work;
  if (takenDownAs === 'content') return 'banned';
  if (work.duplicate) return null;
  if (takenDownAs === 'copy') return 'creator';
  if (!until) return 'everybody';
  const wasPublicForADay = until.getTime() - from.getTime() >= day;
  const keepsCoins = monthOf(from, timeZone) !== monthOf(until, timeZone);
  return wasPublicForADay || keepsCoins ? 'everybody' : 'creator';
}

type Deciding = Context<'clock' | 'config'>;

/**
 * Compares later works with this one as its state says, after every change of that state and in the same transaction. If others' works are
 * not compared with it any more, the earliest of them that was its copy becomes an original. `operatorId`: who causes it.
 */
export async function compareAnew(
  trx: Transaction<Tables>,
  context: Deciding,
  workId: string,
  operatorId: string | null = null,
): Promise<void> {
  for (const work of await copies.listFacts(trx, [workId])) await update(trx, context, work, operatorId);
}

/** The same for all works of an account, after it is deleted. What was found about them is deleted. */
export async function forgetWorks(
  trx: Transaction<Tables>,
  context: Deciding,
  creatorId: string,
): Promise<void> {
  await copies.deleteCopiesOf(trx, creatorId);
  const works = await copies.listWorksOf(trx, creatorId);
  for (let start = 0; start < works.length; start += atOnce) {
    const batch = await copies.listFacts(trx, works.slice(start, start + atOnce));
    for (const work of batch) await update(trx, context, work, null);
  }
}

export const findOriginal = copies.findOriginal;

/** Copies that wait because of this banned work, and are now locked. None if it is itself a copy of what is banned: then they wait because of that. */
export async function lockWaitingCopies(
  trx: Transaction<Tables>,
  workId: string,
): Promise<{ kind: WorkKind; id: string }[]> {
  const original = await copies.findOriginal(trx, workId);
  if (original?.compared === 'banned') return [];
  const waiting = [];
  for (const copy of await copies.listWaiting(trx, workId)) {
    const work = await copies.lockWork(trx, copy);
    // It may have been deleted or decided about in the meantime.
    if (work?.taken_down_as === 'waiting' && !work.deleted_at) waiting.push(copy);
  }
  return waiting;
}

const isForEverybody = (compared: Compared | null) => compared === 'everybody' || compared === 'banned';

async function update(
  trx: Transaction<Tables>,
  context: Deciding,
  work: copies.Facts,
  operatorId: string | null,
): Promise<void> {
  const compared = comparedFor(work, context.config.timeZone);
  const isFreed = isForEverybody(work.compared) && !isForEverybody(compared);
  if (isFreed || (compared && !work.compared)) await prints.lockPrints(trx);
  await store(trx, work, compared);
  if (!isFreed) return;
  // Only a banned copy has copies. The original of them all is its own, if that still counts.
  const original = work.duplicate ? await copies.findOriginal(trx, work.work_id) : undefined;
  if (original) await copies.moveCopies(trx, work.work_id, original);
  if (!original || !isForEverybody(original.compared))
    await freeCopies(trx, context, original ?? work, operatorId);
}

async function store(
  trx: Transaction<Tables>,
  { work_id: id, ...work }: copies.Facts,
  compared: Compared | null,
): Promise<void> {
  const keys = work.print ? keysOf(work.print) : [];
  // Nothing will be compared with the copy any more, nor with a work of its creator.
  const isUseless =
    compared === null ? work.deleted_at !== null : compared === 'creator' && !work.has_account;
  // Of an account that is deleted only the hashes stay, except of what is banned.
  const losesPrint = !work.has_account && compared !== 'banned';
  if (work.number !== null && (isUseless || losesPrint || compared === null))
    await prints.deleteKeys(trx, work.number, keys);
  if (isUseless) return await prints.deletePrint(trx, id);
  const number = compared && (work.number ?? (await prints.lastNumber(trx)) + 1);
  await prints.setPrint(trx, id, { compared, number, ...(losesPrint ? { print: null } : {}) });
  if (number !== null && work.number === null) await prints.insertKeys(trx, number, keys);
}

/** The words of an adjustment, if a month of the new original is closed. */
const reason = 'The work of which it was taken for a copy does not count any more.';

async function freeCopies(
  trx: Transaction<Tables>,
  context: Deciding,
  of: { work_id: string; creator_id: string },
  operatorId: string | null,
): Promise<void> {
  const copy = await lockEarliestCopy(trx, of);
  if (!copy) return;
  const { work_id: id, creator_id: creatorId, kind } = copy;
  if (await isPaidToOperator(trx, operatorId, creatorId)) throw new Refusal('own_work');
  await copies.replaceOriginal(trx, of, copy);
  await becomeOriginal(trx, context, { kind, id, creatorId }, { reason, operatorId });
}

async function lockEarliestCopy(
  trx: Transaction<Tables>,
  of: { work_id: string; creator_id: string },
): ReturnType<typeof copies.findEarliestCopy> {
  let copy = await copies.findEarliestCopy(trx, of);
  while (copy) {
    await copies.lockWork(trx, { kind: copy.kind, id: copy.work_id, creatorId: copy.creator_id });
    const earliest = await copies.findEarliestCopy(trx, of);
    if (earliest?.work_id === copy.work_id) return earliest;
    // It was deleted or decided about in the meantime.
    copy = earliest;
  }
  return undefined;
}

/** A work that was taken for a copy, and is locked, counts from its own publication. */
export async function becomeOriginal(
  trx: Transaction<Tables>,
  context: Deciding,
  { kind, id, creatorId }: { kind: WorkKind; id: string; creatorId: string },
  because: { reason: string; operatorId: string | null },
): Promise<void> {
  await copies.setOwn(trx, { kind, id, creatorId });
  await countOwnWork(trx, context, { creatorId, workId: id }, because);
  await compareAnew(trx, context, id);
}
