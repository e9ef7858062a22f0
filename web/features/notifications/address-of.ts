import { personalPages } from '#contract/notification-pages.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import type { ShownNotification } from './shown-notification.ts';

const toSettings = () => '/Settings';
const toDecision = ({ aboutId }: ShownNotification) => `/report/${aboutId}`;
const toHistory = () => '/EarningHistory';
const toDestination = () => '/PayoutDestination';
// A story that has ended has no page.
const toStory = (one: ShownNotification) => personalPages[one.about ? 'new_story' : 'follow'](one);

/** The page to which a notification of each kind leads. */
const pages = {
  ...personalPages,
  new_story: toStory,
  new_device: toSettings,
  google_linked: toSettings,
  google_unlinked: toSettings,
  destination_set: toDestination,
  destination_removed: toDestination,
  destination_needed: toDestination,
  name_needed: toDestination,
  address_needed: () => '/VerifyEmail',
  withdrawal_requested: toHistory,
  withdrawal_in_review: toHistory,
  withdrawal_approved: toHistory,
  withdrawal_retried: toHistory,
  withdrawal_sent: toHistory,
  withdrawal_failed: toDestination,
  withdrawal_returned: toDestination,
  withdrawal_paid: toHistory,
  withdrawal_rejected: toHistory,
  withdrawal_cancelled: toHistory,
  work_is_own: toHistory,
  work_is_copy: toHistory,
  work_taken_down: toDecision,
  work_labelled: toDecision,
  account_suspended: toDecision,
  decision_upheld: toDecision,
  decision_reversed: toDecision,
  month_released: toHistory,
  month_void: toHistory,
  factor_set: toSettings,
  factor_reset: toSettings,
  operator_appointed: toSettings,
  operator_removed: toSettings,
  recovery_code_used: toSettings,
  address_verified: toSettings,
  reset_link_made: toSettings,
  passkey_added: toSettings,
  passkey_removed: toSettings,
} satisfies Record<NotificationKind, (one: ShownNotification) => string>;

/** Whether this page has words and an address for it. */
export const isKnown = (kind: string): kind is NotificationKind => Object.hasOwn(pages, kind);

export const addressOf = (one: ShownNotification): string =>
  isKnown(one.kind) ? pages[one.kind](one) : personalPages.follow(one);
