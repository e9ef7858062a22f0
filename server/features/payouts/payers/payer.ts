import type { PayerField } from '#contract/payout-file.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/** One attempt as a payer gets it: all values are texts. */
export type Payment = Record<PayerField, string>;

/** Whoever moves the money. `docs/decisions/0062-batches-and-attempts.md` says what each must hold. */
export interface Payer {
  name: string;
  /** The state of attempts that this payer was given. */
  given: Extract<Tables['payout_attempts']['state'], 'exported' | 'sent'>;
  /** What an operator takes to the payer. */
  fileOf(payments: readonly Payment[]): string;
}
