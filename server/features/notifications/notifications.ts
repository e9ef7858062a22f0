import type { Transaction } from 'kysely';
import { siteUsername } from '#contract/accounts.ts';
import type { Page } from '#contract/fields.ts';
import type { Notification, NotificationKind, SiteKind } from '#contract/notifications.ts';
import { isolated } from '#contract/text-direction.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { mediaUrl, pictureUrl } from '../stored-files/urls.ts';
import * as queries from './notifications.queries.ts';
import { queuePushes } from './push/queue.ts';

export interface Fact {
  kind: NotificationKind;
  senderId: string;
  /** The reel or post concerned. */
  aboutId?: string;
  /** Distinguishes repeated facts of one sender about one thing, such as the id of a comment. */
  factId?: string;
}

/**
 * Notifies a person of another person's action, in the transaction of that action. Own actions are ignored, and a fact is
 * stored once.
 */
export async function notify(
  trx: Transaction<Tables>,
  personId: string,
  fact: Fact,
  now: Date,
): Promise<void> {
  const { kind, senderId, aboutId } = fact;
  if (personId === senderId) return;
  const row = {
    id: newId(now),
    person_id: personId,
    kind,
    sender_id: senderId,
    about_id: aboutId ?? null,
    fact_id: fact.factId ?? aboutId ?? senderId,
    created_at: now,
  };
  await queuePushes(trx, { stored: await queries.insert(trx, [row]), kind }, now);
}

/** Notifies a person of an event of their own account, in its transaction; `aboutId`: what has a page of its own. */
export async function notifyFromSite(
  trx: Transaction<Tables>,
  personId: string,
  fact: SiteKind | { kind: SiteKind; aboutId: string },
  now: Date,
): Promise<void> {
  const { kind, aboutId } = typeof fact === 'string' ? { kind: fact, aboutId: null } : fact;
  const row = {
    id: newId(now),
    person_id: personId,
    kind,
    sender_id: null,
    about_id: aboutId,
    fact_id: newId(now),
    created_at: now,
  };
  await queuePushes(trx, { stored: await queries.insert(trx, [row]), kind }, now);
}

/** What the person's newest notification of this kind is about. */
export const findNewestAbout = queries.findNewestAbout;
/**
 * Deletes notifications about a reel or post, in the transaction that deletes it. It comes last there, since a cluster deletes from all nodes for one
 * transaction after the other.
 */
export const deleteNotificationsAbout = queries.deleteAbout;
/** Deletes the notifications of a comment, in the transaction that deletes it. */
export const deleteNotificationsOfComment = queries.deleteOfComment;
/** Deletes all notifications by and to a person, last in the transaction that has locked and deletes the person. */
export const deleteNotificationsOfPerson = queries.deleteOfPerson;

/** The caller's notifications, newest first, and the number of unread ones. */
export async function listNotifications(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  personId: string,
  callerId: string,
  page: Page,
): Promise<{ data: Notification[]; unread: number; nextCursor: string | null }> {
  if (personId !== callerId) throw new Refusal('not_yours', { what: 'notifications' });
  const whose = { personId, now: clock() };
  const { rows, unread } = await queries.list(db, whose, page.limit + 1, readCursor(page.cursor));
  const position = (row: queries.NotificationRow) => ({ at: row.created_at, id: row.id });
  return { ...pageOf(rows, page.limit, position, (row) => asNotification(row, config.mediaOrigin)), unread };
}

/** Marks notifications as read and answers the number of unread ones. */
export async function markRead(
  { db, clock }: Context<'db' | 'clock'>,
  personId: string,
  upTo: string | undefined,
): Promise<{ unread: number }> {
  await inTransaction(db, (trx) => queries.markRead(trx, personId, upTo, clock()));
  return { unread: await queries.countUnread(db, personId) };
}

const titles: Record<Exclude<NotificationKind, SiteKind>, string> = {
  like_reel: 'liked your reel',
  like_post: 'liked your photo',
  comment: 'commented on your reel',
  mention: 'mentioned you in a comment',
  follow: 'started following you',
  new_reel: 'published a new reel',
  new_post: 'published a new photo',
  new_story: 'published a new story',
};
const titlesFromSite: Record<SiteKind, string> = {
  new_device: 'Your account was logged in to on a new device',
  google_linked: 'A Google account was linked to your account',
  google_unlinked: 'A Google account was unlinked from your account',
  destination_set: 'Where your earnings are paid was changed',
  destination_removed: 'Where your earnings are paid was removed',
  destination_needed: 'Add a UPI id or a bank account: your withdrawal waits for it',
  name_needed: 'Enter the name of your bank account in Latin letters: payments wait for it',
  address_needed: 'Verify your email address: your withdrawal waits for it',
  withdrawal_requested: 'Your withdrawal was requested',
  withdrawal_in_review: 'Your withdrawal is in review',
  withdrawal_approved: 'Your withdrawal was approved',
  withdrawal_retried: 'An earlier payment of your withdrawal was not made: it is paid again',
  withdrawal_sent: 'Your withdrawal is on its way',
  withdrawal_failed: 'Your withdrawal could not be paid',
  withdrawal_returned: 'Your payment came back',
  withdrawal_paid: 'Your withdrawal was paid',
  withdrawal_rejected: 'Your withdrawal was not paid',
  withdrawal_cancelled: 'Your withdrawal was cancelled',
  work_is_own: 'A person looked at your work: it is your own and earns like any other',
  work_is_copy: 'A person looked at your work: it is a copy of an earlier one',
  work_taken_down: 'Something that you published was taken down: read why',
  work_labelled: 'Something that you published got a label: read why',
  account_suspended: 'Your account was suspended: read why',
  decision_upheld: 'A person has read your appeal: the decision stays',
  decision_reversed: 'A person has read your appeal: the decision was undone',
  month_released: 'Views of yours that waited were released',
  month_void: 'Views of yours were declared void',
  factor_set: 'A second factor was set up for your account',
  factor_reset: 'The second factor of an operator was reset on the server',
  operator_appointed: 'An operator of this site has a new role',
  operator_removed: 'Somebody is no longer an operator of this site',
  recovery_code_used: 'A recovery code of your account was used',
  address_verified: 'An operator marked your email address as verified',
  reset_link_made: 'An operator handed out a link to choose a new password for your account',
  passkey_added: 'A passkey was added to your account',
  passkey_removed: 'A passkey was removed from your account',
};
/** The picture of the site, in a format that every app reads. */
const sitePicture = '/icon-192.png';
const isFromSite = (kind: NotificationKind): kind is SiteKind => Object.hasOwn(titlesFromSite, kind);

function asNotification(row: queries.NotificationRow, mediaOrigin: string): Notification {
  return {
    _id: row.id,
    kind: row.kind,
    ...(isFromSite(row.kind)
      ? {
          title: titlesFromSite[row.kind],
          username: siteUsername,
          senderId: row.person_id,
          profileImage: sitePicture,
        }
      : {
          title: `${isolated(row.username ?? '')} ${titles[row.kind]}`,
          username: row.username ?? '',
          senderId: row.sender_id ?? row.person_id,
          profileImage: pictureUrl(row.picture_key, mediaOrigin),
        }),
    aboutId: row.about_id,
    about: row.about && {
      picture: mediaUrl(mediaOrigin, row.about.key, row.about.file),
      caption: row.about.caption,
    },
    comment: row.comment ?? '',
    commentId: row.comment === null ? null : row.fact_id,
    read: row.read_at !== null,
    createdAt: row.created_at.toISOString(),
  };
}
