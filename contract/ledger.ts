/** A step of a withdrawal in the ledger. */
export type LedgerStep = 'requested' | 'completed' | 'rejected' | 'returned';

/**
 * What a step adds to the balance that is owed to the creator: completed and rejected subtract the requested amount, and a
 * payment that came back is owed again.
 */
export function owedBy(step: LedgerStep, paise: number): number {
  return step === 'requested' || step === 'returned' ? paise : -paise;
}

/** What a step adds to what was paid: a payment that came back is subtracted. */
export function paidBy(step: LedgerStep, paise: number): number {
  if (step === 'completed') return paise;
  return step === 'returned' ? -paise : 0;
}
