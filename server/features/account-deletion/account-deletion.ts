import type { Transaction } from 'kysely';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { deleteActivity } from '../activity/activity.ts';
import { anonymizeMessages } from '../contact/contact.ts';
import { forgetWorks } from '../copies/originals.ts';
import { type MonthChange, subtractFromMonth } from '../month-counts/months.ts';
import { deleteNotificationsOfPerson } from '../notifications/notifications.ts';
import { isOperator } from '../operators/operators.ts';
import { lockOperators, mustNotBeLast, notifyOperators } from '../operators/roles.ts';
import { deleteFollows, deletePerson, lockFollows, lockForDeletion } from '../people/account-deletion.ts';
import { forgetPosts, forgetStories, holdPosts } from '../posts-and-stories/account-deletion.ts';
import { purge } from '../purging/purges.ts';
import { forgetReels, holdReels } from '../reels/account-deletion.ts';
import { removeFromIndex } from '../search-index/search-index.ts';
import { removeLater } from '../stored-files/removal.ts';
import { dropAllFilesOf } from '../stored-files/stored-files.ts';
import { forgetUploads, holdUploads } from '../uploads/uploads.ts';
import { deleteDestinations } from '../withdrawals/attempts.ts';
import { unpaidOf } from '../withdrawals/unpaid.ts';
import { hasPendingWithdrawal } from '../withdrawals/withdrawals.ts';
import * as queries from './account-deletion.queries.ts';

/**
 * Deletes the caller's account in one transaction (docs/decisions/0008-account-deletion.md). Rows are locked in the
 * same order as everywhere: uploads, content, people, months. Once the person is locked, nobody can add to their
 * content. Files are removed afterwards by a job that is created in the transaction.
 */
export async function deleteAccount(
  context: Context<'db' | 'jobs' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  userId: string,
  callerId: string,
): Promise<void> {
  if (userId !== callerId) throw new Refusal('not_yours', { what: 'account' });
  const { db, jobs, clock } = context;
  const { timeZone } = context.config;
  const now = clock();
  const month = monthOf(now, timeZone);
  await inTransaction(db, async (trx) => {
    await keepTablesInPlace(trx);
    const operators = await otherOperators(trx, callerId);
    await holdUploads(trx, callerId);
    await holdReels(trx, callerId);
    await holdPosts(trx, callerId);
    await lockFollows(trx, callerId);
    const person = await lockForDeletion(trx, callerId);
    if (!person) throw new Refusal('not_signed_in', { what: 'deleted' });
    if (await hasPendingWithdrawal(trx, callerId)) {
      throw new Refusal('withdrawal_pending');
    }

    await forgetUploads(trx, callerId);
    const reels = await forgetReels(trx, callerId, { now, timeZone });
    const posts = await forgetPosts(trx, callerId, { now, timeZone });
    const stories = await forgetStories(trx, callerId, { now, timeZone });
    await deleteFollows(trx, callerId);
    await anonymizeMessages(trx, callerId);
    await deleteDestinations(trx, callerId);
    const own = { creatorId: callerId, month, ...reels.lost, ...posts.lost, ...stories.lost };
    await context.outbox.sendDeletionNotice(trx, callerId, now);
    await deleteActivity(trx, callerId);
    await deletePerson(trx, callerId);
    await removeFromIndex(trx, [callerId]);
    await forgetWorks(trx, context, callerId);
    const gone = { id: callerId, name: person.username };
    const change = { act: 'operator_removed', username: person.username, by: gone } as const;
    await notifyOperators(trx, context, operators, change);
    await takeFromThisMonth(trx, [...posts.lostByOthers, own]);

    const keys = await dropAllFilesOf(trx, callerId, now);
    await removeLater(trx, jobs, keys);
    await purge(trx, { keys, paths: [`/user/${callerId}`], isGone: true }, now);
    await deleteNotificationsOfPerson(trx, callerId);
  });
}

/** The other operators, if the caller is one of several; the last operator cannot go. */
async function otherOperators(trx: Transaction<Tables>, callerId: string): Promise<string[]> {
  if (!(await isOperator(trx, callerId))) return [];
  const operators = await lockOperators(trx);
  mustNotBeLast(operators, callerId);
  return operators.map(({ id }) => id).filter((id) => id !== callerId);
}

/** Subtracts from the current month of each creator, in the order of their ids. */
async function takeFromThisMonth(trx: Transaction<Tables>, changes: readonly MonthChange[]): Promise<void> {
  for (const change of changes.toSorted((a, b) => (a.creatorId < b.creatorId ? -1 : 1))) {
    const { creatorId: _, month: __, ...counts } = change;
    if (Object.values(counts).some((count) => count > 0)) await subtractFromMonth(trx, change);
  }
}

/** What deleting the account would delete, and whether it is possible now. */
export async function previewDeletion(
  context: Context<'db' | 'clock' | 'config'>,
  userId: string,
  callerId: string,
) {
  if (userId !== callerId) throw new Refusal('not_yours', { what: 'account' });
  const person = await queries.countOf(context.db, callerId);
  if (!person) throw new Refusal('not_signed_in', { what: 'deleted' });
  return { ...person, ...(await unpaidOf(context, callerId)) };
}
