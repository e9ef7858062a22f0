import type { Kysely, Transaction } from 'kysely';
import { addressOf } from '#contract/address.ts';
import type { Copy, CopyForReview } from '#contract/copies.ts';
import { showCopyPicture } from '#contract/copy-case.ts';
import type { Page } from '#contract/fields.ts';
import { photoFile, reelFiles } from '#server/media/file-names.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables, WorkKind } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { isPaidToOperator } from '../destinations/own-money.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import * as queries from './copies.queries.ts';
import { becomeOriginal } from './originals.ts';
import { asCopy, originalOf } from './shown.ts';
import type { TakeDown } from './waiting.ts';

const noCopy = () => notFound('copy');

/** A work that was taken for a copy, locked against its deletion and other decisions. */
async function lockCopy(trx: Transaction<Tables>, id: string, now: Date): Promise<queries.CopyRow> {
  const copy = await queries.findCopy(trx, id, now);
  if (!copy) throw noCopy();
  await queries.lockWork(trx, { kind: copy.kind, id, creatorId: copy.creator_id });
  const locked = await queries.findCopy(trx, id, now);
  if (!locked) throw noCopy();
  return locked;
}

/** Requests a review of a work of the caller, which is not deleted. */
export async function requestCopyReview(
  { db, clock }: Context<'db' | 'clock'>,
  creatorId: string,
  { kind, id, words }: { kind: WorkKind; id: string; words: string },
): Promise<Copy> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const copy = await lockCopy(trx, id, now);
    if (copy.creator_id !== creatorId || copy.kind !== kind) throw noCopy();
    if (copy.asked_at || copy.decided_at) return asCopy(copy);
    await queries.setReviewRequest(trx, id, words, now);
    return asCopy({ ...copy, asked_at: now });
  });
}

type Reviewing = Context<'db' | 'clock'>;

/** Works that wait for a review, newest first. */
export async function listCopies(
  { db, clock }: Reviewing,
  { which, limit, cursor }: Page & { which: 'open' | 'all' },
): Promise<{ data: CopyForReview[]; nextCursor: string | null }> {
  const rows = await queries.listReviewRequests(db, { which, now: clock() }, limit + 1, readCursor(cursor));
  const position = (row: (typeof rows)[number]) => ({ at: row.asked_at, id: row.work_id });
  return pageOf(rows, limit, position, forReview);
}

/** The copy for review of one work, even if no review was requested. */
export async function showCopy({ db, clock }: Reviewing, id: string): Promise<CopyForReview> {
  return forReview(await findCopy(db, id, clock()));
}

async function findCopy(db: Kysely<Tables>, id: string, now: Date): Promise<queries.CopyRow> {
  const copy = await queries.findCopy(db, id, now);
  if (!copy) throw noCopy();
  return copy;
}

/** Where the picture of a copy or of its original is stored, and of which works an operator must be allowed to see it. */
export async function pictureOfCopy(
  { db, clock }: Reviewing,
  { id, work }: { id: string; work: string },
): Promise<{ file: { key: string; file: string }; works: { kind: WorkKind; id: string }[] }> {
  const row = await findCopy(db, id, clock());
  const [copy, original] = [
    { kind: row.kind, id: row.work_id },
    { kind: row.original_kind, id: row.original_id },
  ];
  const shown = [copy, original].find((one) => one.id === work);
  if (!shown) throw noCopy();
  const key = shown === copy ? row.media_key : row.original_media_key;
  return {
    file: { key, file: shown.kind === 'reel' ? reelFiles.poster : photoFile },
    works: [copy, original],
  };
}

function forReview(row: queries.CopyRow): CopyForReview {
  const picture = (work: string, isDeleted: boolean) =>
    isDeleted ? '' : addressOf(showCopyPicture, { params: { id: row.work_id, work } });
  return {
    kind: row.kind,
    _id: row.work_id,
    userId: row.creator_id,
    username: row.username,
    picture: picture(row.work_id, row.deleted_at !== null),
    words: row.words,
    of: { ...originalOf(row), picture: picture(row.original_id, row.original_deleted_at !== null) },
    waiting: row.taken_down_as === 'waiting',
    verdict: row.verdict,
    reason: row.reason,
    askedAt: (row.asked_at ?? row.decided_at ?? new Date(0)).toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
  };
}

/** What runs in the transaction of a decision. */
interface Steps {
  /** How works that wait are hidden for good, or shown. */
  works: Record<
    WorkKind,
    {
      takeDown(trx: Transaction<Tables>, id: string, why: TakeDown, now: Date): Promise<unknown>;
      restore(trx: Transaction<Tables>, id: string, now: Date): Promise<unknown>;
    }
  >;
  /** Refuses an operator who may not see the work that was taken down. */
  mustSee(trx: Transaction<Tables>, original: { kind: WorkKind; id: string }): Promise<void>;
  done(trx: Transaction<Tables>, copy: CopyForReview, now: Date): Promise<void>;
}

/**
 * Decides whether a work is a copy. An own work counts as if it had never been one: what closed months would have paid for it counts in the
 * current one. A copy that waits stays hidden. Its creator is notified in either case.
 */
export async function decideCopy(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  id: string,
  decision: queries.Decision,
  { works, mustSee, done }: Steps,
): Promise<CopyForReview> {
  const { db, outbox } = context;
  const now = context.clock();
  const { verdict, reason, operatorId } = decision;
  return await inTransaction(db, async (trx) => {
    const copy = await lockCopy(trx, id, now);
    const { creator_id: creatorId, kind } = copy;
    if (await isPaidToOperator(trx, operatorId, creatorId)) throw new Refusal('own_work');
    if (copy.verdict && copy.verdict !== verdict)
      throw new Refusal('copy_decided', { reason: copy.reason ?? '' });
    if (copy.verdict) return forReview(copy);
    if (copy.taken_down_as === 'waiting')
      await mustSee(trx, { kind: copy.original_kind, id: copy.original_id });
    await queries.setDecision(trx, id, decision, now);
    if (copy.taken_down_as === 'waiting')
      await (verdict === 'own'
        ? works[kind].restore(trx, id, now)
        : works[kind].takeDown(trx, id, { as: 'copy', reason }, now));
    if (verdict === 'own') await becomeOriginal(trx, context, { kind, id, creatorId }, decision);
    const decided = forReview(await lockCopy(trx, id, now));
    const act = verdict === 'own' ? 'work_is_own' : 'work_is_copy';
    await outbox.sendNotice(trx, creatorId, { act, values: { reason } }, now);
    await notifyFromSite(trx, creatorId, act, now);
    await done(trx, decided, now);
    return decided;
  });
}

export const countReviewRequests = queries.countReviewRequests;
