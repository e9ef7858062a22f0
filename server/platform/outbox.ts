import type { Kysely, Transaction } from 'kysely';
import type { Language } from '#contract/languages.ts';
import type { Tables } from './database/tables.ts';

/** Mails that anybody can request for an address. */
export type Asked = 'reset' | 'verify' | 'change';
/** Acts that are reported to a person. */
export type Act =
  | 'password_changed'
  | 'password_reset'
  | 'google_linked'
  | 'google_unlinked'
  | 'new_device'
  | 'email_changed'
  | 'email_restored'
  | 'destination_set'
  | 'destination_removed'
  | 'destination_dropped'
  | 'destination_kept'
  | 'destination_needed'
  | 'name_needed'
  | 'address_needed'
  | 'withdrawal_requested'
  | 'withdrawal_in_review'
  | 'withdrawal_approved'
  | 'withdrawal_retried'
  | 'withdrawal_sent'
  | 'withdrawal_failed'
  | 'withdrawal_returned'
  | 'withdrawal_paid'
  | 'withdrawal_rejected'
  | 'withdrawal_cancelled'
  | 'work_is_own'
  | 'work_is_copy'
  | 'work_taken_down'
  | 'work_labelled'
  | 'account_suspended'
  | 'account_suspended_until'
  | 'decision_upheld'
  | 'decision_reversed'
  | 'month_released'
  | 'month_void'
  | 'factor_set'
  | 'factor_reset'
  | 'cases_late'
  | 'operator_appointed'
  | 'operator_removed'
  | 'recovery_code_used'
  | 'address_verified'
  | 'reset_link_made'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recent_removed'
  | 'all_removed'
  | 'account_deleted';

/** A finished act, and the values in its sentence. */
export interface Notice {
  act: Act;
  values?: Record<string, string>;
  /** An address that no longer belongs to the account, and whether it was verified. */
  to?: { email: string; isProven: boolean };
}

/** Mails to be sent: each is a row that a worker sends, inserted in the transaction of its reason (docs/decisions/0042-mail.md). */
export interface Outbox {
  /** Whether this site sends mail. */
  readonly isOn: boolean;
  /**
   * Reports a finished act to a person; never dropped. Without mail it does nothing. An unverified address may be a stranger's, which gets
   * at most three mails an hour: further acts are shown on the site only.
   */
  sendNotice(trx: Transaction<Tables>, personId: string, notice: Notice, now: Date): Promise<void>;
  /**
   * Called before an account is deleted: notifies its verified address of that, with all pending notices. An unverified address gets no
   * mail: otherwise anybody could send mails to it by signing up and deleting the account repeatedly.
   */
  sendDeletionNotice(trx: Transaction<Tables>, personId: string, now: Date): Promise<void>;
  /**
   * Queues a mail that anybody may request for an address, also an unknown one: the worker finds its owner, so that the response takes the
   * same time. False above three of the same template an hour, so strangers cannot use up what the owner of an account asks for.
   */
  requestMail(db: Kysely<Tables>, wanted: Wanted, now: Date): Promise<boolean>;
}

export interface Wanted {
  /** Also the code that confirms an act of a signed-in person. */
  template: Asked | 'confirm_code';
  email: string;
  /** The person who will get the address, if it has no owner yet. */
  personId?: string;
  /** The id of the code to be made. */
  codeId?: string;
  language?: Language | undefined;
}

/** For a site that sends no mail. */
export const noOutbox: Outbox = {
  isOn: false,
  sendNotice: async () => undefined,
  sendDeletionNotice: async () => undefined,
  requestMail: async () => false,
};
