import type { Kysely, Transaction } from 'kysely';
import type { Language } from '#contract/languages.ts';
import type { Tables } from './database/tables.ts';

/** What anybody can ask for, by an address. */
export type Asked = 'reset' | 'verify' | 'change';
/** What a person is told of. */
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
  | 'destination_needed'
  | 'name_needed'
  | 'address_needed'
  | 'withdrawal_requested'
  | 'withdrawal_in_review'
  | 'withdrawal_approved'
  | 'withdrawal_sent'
  | 'withdrawal_failed'
  | 'withdrawal_returned'
  | 'withdrawal_paid'
  | 'withdrawal_rejected'
  | 'work_is_own'
  | 'work_is_copy'
  | 'month_released'
  | 'month_void'
  | 'factor_set'
  | 'factor_reset'
  | 'recovery_code_used'
  | 'address_verified'
  | 'reset_link_made'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recent_removed'
  | 'all_removed'
  | 'account_deleted';

/** An act that is done, and the values in its sentence. */
export interface Notice {
  act: Act;
  values?: Record<string, string>;
  /** An address that the account has no longer, and whether it was proven. */
  to?: { email: string; isProven: boolean };
}

/** Mails to be sent: each is a row that a worker sends, in the transaction that has the reason (docs/decisions/0042-mail.md). */
export interface Outbox {
  /** Whether this site sends mail. */
  readonly isOn: boolean;
  /**
   * Tells a person of an act that is done; never dropped. Without mail nothing happens. An address that nobody has proved may be a
   * stranger's, who gets three mails an hour at most: what is over is told on the site alone.
   */
  tell(trx: Transaction<Tables>, personId: string, notice: Notice, now: Date): Promise<void>;
  /**
   * Before an account is deleted: tells its verified address of that, and of what it has not been told yet. An address that nobody
   * has proved is told nothing, or anybody could write to it by signing up and deleting the account, as often as they like.
   */
  farewell(trx: Transaction<Tables>, personId: string, now: Date): Promise<void>;
  /**
   * Sends what anybody may ask for an address, also one that nobody has: who has it is looked up by the worker, so that the
   * answer takes the same time. False above three an hour; codes, for which nobody else can ask, and notices are counted apart.
   */
  ask(db: Kysely<Tables>, wanted: Wanted, now: Date): Promise<boolean>;
}

export interface Wanted {
  /** Also the code that confirms an act of somebody signed in. */
  template: Asked | 'confirm_code';
  email: string;
  /** Whose it will be, where nobody has it yet. */
  personId?: string;
  /** Of the code to be made. */
  codeId?: string;
  language?: Language | undefined;
}

/** For a site that sends no mail. */
export const noOutbox: Outbox = {
  isOn: false,
  tell: async () => undefined,
  farewell: async () => undefined,
  ask: async () => false,
};
