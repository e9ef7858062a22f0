import type { PayerField } from '#contract/payout-file.ts';
import type { Destination } from '#contract/payouts.ts';

/** One attempt as a payer of files gets it: all values are texts. */
export type Payment = Record<PayerField, string>;

/** Whoever moves the money. `docs/decisions/0062-batches-and-attempts.md` says what each must hold. */
export type Payer = FilePayer | ApiPayer;

/** An operator takes a file to it. */
export interface FilePayer {
  name: 'file';
  /** The state of attempts that this payer was given. */
  given: 'exported';
  /** Whether an account of this name can be paid. */
  takesName(name: string): boolean;
  /** What an operator takes to the payer. */
  fileOf(payments: readonly Payment[]): string;
}

/** One attempt as the API of a payer gets it. */
export interface Transfer {
  /** Of the attempt: the idempotency key, and the payer's `reference_id`. */
  id: string;
  paise: number;
  /** What it pays: the payer's record says it where this site does not know the attempt any more. */
  withdrawal: string;
}

/** What a payer has of a payment. */
export interface PayerRecord {
  /** The payer's own id. */
  id: string;
  /** Its reference: of our payments, the id of the attempt. Null where it is no id. */
  attemptId: string | null;
  /** The withdrawal that was given with it; null where there was none. */
  withdrawal: string | null;
  paise: number;
  /** `open`: it is not known yet. `not_paid` is final: it was not paid, or came back. */
  state: 'open' | 'paid' | 'not_paid';
  /** The number of the payment between banks, once there is one. */
  reference: string | null;
  /** The payer's own words for where it is, and why it is there; neither has an account number or a UPI id. */
  status: string;
  why: string;
  createdAt: Date;
}

/**
 * It is asked by HTTP. Methods throw PayerRefused where it says that it did not do what was asked, and PayerUnclear where nobody
 * knows. Neither has a secret, a UPI id or an account number in its message.
 */
export interface ApiPayer {
  name: 'razorpayx';
  given: 'sent';
  /** Whether an account of this name can be registered. */
  takesName(name: string): boolean;
  /** Registers where to pay; returns what `pay` takes. The same again returns the same. */
  register(creatorId: string, destination: Destination): Promise<string>;
  /** Pays to what was registered. The same again pays once, and returns the same payment. */
  pay(transfer: Transfer, to: string): Promise<PayerRecord>;
  /** Undefined: it has no payment with this id. */
  find(attemptId: string): Promise<PayerRecord | undefined>;
  look(payerId: string): Promise<PayerRecord>;
  /** All payments of the account that were made since then, page by page; also those that are not of this site, and some twice. */
  listSince(time: Date): AsyncIterable<PayerRecord[]>;
}

/** The payer says that it did not do what was asked. */
export class PayerRefused extends Error {
  override name = 'PayerRefused';
  /** Whether what was asked is wrong in itself, so that it is refused at any time. */
  readonly isFinal: boolean;

  constructor(message: string, { isFinal }: { isFinal: boolean }) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** Nobody knows whether the payer did what was asked: it did not answer, or not in words that we know. */
export class PayerUnclear extends Error {
  override name = 'PayerUnclear';
}
