import type { Transaction } from 'kysely';
import type { Copy, CopyForReview } from '#contract/copies.ts';
import type { Page } from '#contract/fields.ts';
import { photoFile, reelFiles } from '#server/media/file-names.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables, WorkKind } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { isPaidToOperator } from '../destinations/own-money.ts';
import { countOwnWork } from '../months/own-works.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import { mediaUrl } from '../stored-files/urls.ts';
import * as queries from './copies.queries.ts';
import { asCopy, isTakenForCopy, originalOf } from './shown.ts';

const noCopy = () => notFound('copy');

/** Requests a review of a work of the caller, which is not deleted. */
export async function requestCopyReview(
  { db, clock }: Context<'db' | 'clock'>,
  creatorId: string,
  { kind, id, words }: { kind: WorkKind; id: string; words: string },
): Promise<Copy> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const which = { creatorId, workId: id };
    const copy = await queries.lockCopy(trx, which);
    const read = async () => (await queries.listCopies(trx, { creatorId, ids: [id] }, now))[0];
    const before = await read();
    if (copy?.kind !== kind || !before || !isTakenForCopy(before)) throw noCopy();
    if (before.asked_at || before.decided_at) return asCopy(before);
    if (before.deleted_at) throw noCopy();
    await queries.setReviewRequest(trx, which, words, now);
    return asCopy({ ...before, asked_at: now });
  });
}

type Reviewing = Context<'db' | 'clock' | 'config'>;

/** Works that wait for a review, newest first. */
export async function listCopies(
  { db, clock, config }: Reviewing,
  { which, limit, cursor }: Page & { which: 'open' | 'all' },
): Promise<{ data: CopyForReview[]; nextCursor: string | null }> {
  const rows = await queries.listReviewRequests(db, { which, now: clock() }, limit + 1, readCursor(cursor));
  const position = (row: (typeof rows)[number]) => ({ at: row.asked_at, id: row.work_id });
  return pageOf(rows, limit, position, (row) => forReview(row, config.mediaOrigin));
}

function forReview(row: queries.CopyRow, mediaOrigin: string): CopyForReview {
  const picture = (kind: WorkKind | null, key: string | null, hidden: Date | null) =>
    key && !hidden ? mediaUrl(mediaOrigin, key, kind === 'reel' ? reelFiles.tile : photoFile) : '';
  const original = originalOf(row);
  const { original_kind, original_media_key, original_taken_down_at } = row;
  return {
    kind: row.kind,
    _id: row.work_id,
    userId: row.creator_id,
    username: row.username,
    picture: picture(row.kind, row.media_key, row.taken_down_at),
    words: row.words,
    of: original && {
      ...original,
      picture: picture(original_kind, original_media_key, original_taken_down_at),
    },
    withheld: row.taken_down_at !== null,
    verdict: row.verdict,
    reason: row.reason,
    askedAt: (row.asked_at ?? row.decided_at ?? new Date(0)).toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
  };
}

/** Both run in the transaction of a decision. */
interface Steps {
  /** Stores that a work is no copy, and returns whether it did not count so far. */
  takeForOwn(trx: Transaction<Tables>, work: { kind: WorkKind; id: string }, now: Date): Promise<boolean>;
  done(trx: Transaction<Tables>, copy: CopyForReview, now: Date): Promise<void>;
}

/**
 * Decides whether a work is a copy. An own work counts as if it had never been one: what closed months would have paid for it counts in the
 * current one. Its creator is notified in either case.
 */
export async function decideCopy(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  id: string,
  decision: queries.Decision,
  { takeForOwn, done }: Steps,
): Promise<CopyForReview> {
  const { db, config, outbox } = context;
  const now = context.clock();
  const { verdict, reason, operatorId } = decision;
  return await inTransaction(db, async (trx) => {
    const creatorId = await queries.creatorOf(trx, id);
    if (!creatorId) throw noCopy();
    if (await isPaidToOperator(trx, operatorId, creatorId)) throw new Refusal('own_work');
    const which = { creatorId, workId: id };
    const read = async () => {
      const [row] = await queries.listCopies(trx, { creatorId, ids: [id] }, now);
      if (!row || !isTakenForCopy(row)) throw noCopy();
      return row;
    };
    const { kind } = await read();
    const copy = await queries.lockCopy(trx, which);
    if (copy?.verdict && copy.verdict !== verdict)
      throw new Refusal('copy_decided', { reason: copy.reason ?? '' });
    if (copy?.verdict) return forReview(await read(), config.mediaOrigin);
    if (verdict === 'own') {
      const isNew = await takeForOwn(trx, { kind, id }, now);
      if (isNew) await countOwnWork(trx, context, which, { reason, operatorId });
    }
    await queries.setDecision(trx, which, decision, now);
    const decided = forReview(await read(), config.mediaOrigin);
    const act = verdict === 'own' ? 'work_is_own' : 'work_is_copy';
    await outbox.tell(trx, creatorId, { act, values: { reason } }, now);
    await notifyFromSite(trx, creatorId, act, now);
    await done(trx, decided, now);
    return decided;
  });
}
