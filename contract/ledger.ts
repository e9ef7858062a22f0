/** A step of a withdrawal in the ledger. */
export type LedgerStep = 'requested' | 'completed' | 'rejected';

/**
 * What a step adds to the balance that is owed to the creator: completed and rejected subtract the requested amount.
 */
export function owedBy(step: LedgerStep, paise: number): number {
  return step === 'requested' ? paise : -paise;
}
