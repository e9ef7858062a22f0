import type { PayerField } from '#contract/payout-file.ts';
import type { Destination } from '#contract/payouts.ts';

/** One attempt for a payer of files: all values are texts. */
export type Payment = Record<PayerField, string>;

/** The service that moves the money. `docs/decisions/0062-batches-and-attempts.md` says what each must guarantee. */
export type Payer = FilePayer | ApiPayer;

/** A payer to which an operator takes a file. */
export interface FilePayer {
  name: 'file';
  /** The state of attempts that were given to this payer. */
  given: 'exported';
  /** Whether an account of this name can be paid. */
  takesName(name: string): boolean;
  /** The content of the file. */
  fileOf(payments: readonly Payment[]): string;
}

/** One attempt for the API of a payer. */
export interface Transfer {
  /** The attempt's id: the idempotency key, and the payer's `reference_id`. */
  id: string;
  paise: number;
  /** The withdrawal that it pays: the payer's record returns it if this site no longer knows the attempt. */
  withdrawal: string;
}

/** A payer's record of a payment. */
export interface PayerRecord {
  /** The payer's own id. */
  id: string;
  /** The attempt's id, if the payment is ours. Null if it is no id. */
  attemptId: string | null;
  /** The withdrawal that was sent with it; null if there was none. */
  withdrawal: string | null;
  paise: number;
  /** `open`: the outcome is not known yet. `not_paid` is final: it failed, or was returned. */
  state: 'open' | 'paid' | 'not_paid';
  /** The bank's number of the payment, once there is one. */
  reference: string | null;
  /** The payer's own text for its state and the reason; neither contains an account number or a UPI id. */
  status: string;
  why: string;
  createdAt: Date;
}

/**
 * A payer that is called by HTTP. Methods throw PayerRefused if the payer did not do what was requested, and PayerUnclear if that is
 * unknown. Their messages contain no secret, UPI id or account number.
 */
export interface ApiPayer {
  name: 'razorpayx';
  given: 'sent';
  /** Whether an account of this name can be registered. */
  takesName(name: string): boolean;
  /** Registers a destination; returns the argument for `pay`. Idempotent. */
  register(creatorId: string, destination: Destination): Promise<string>;
  /** Pays to a registered destination. Idempotent: a repeated call returns the same payment. */
  pay(transfer: Transfer, to: string): Promise<PayerRecord>;
  /** Undefined: the payer has no payment with this id. */
  find(attemptId: string): Promise<PayerRecord | undefined>;
  look(payerId: string): Promise<PayerRecord>;
  /** All payments of the account since then, page by page; may include payments of others, and duplicates. */
  listSince(time: Date): AsyncIterable<PayerRecord[]>;
}

/** The payer reports that it did not do what was requested. */
export class PayerRefused extends Error {
  override name = 'PayerRefused';
  /** Whether the request itself is wrong, so that a retry is refused, too. */
  readonly isFinal: boolean;

  constructor(message: string, { isFinal }: { isFinal: boolean }) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** It is unknown whether the payer did what was requested: it did not answer, or with an unknown answer. */
export class PayerUnclear extends Error {
  override name = 'PayerUnclear';
}
