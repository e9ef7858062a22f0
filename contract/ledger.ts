/** A step of a withdrawal, as the ledger posts it. */
export type LedgerStep = 'requested' | 'completed' | 'rejected';

/** What a step adds to what the site owes the creator: paid and rejected take away what was asked for. */
export function owedBy(step: LedgerStep, paise: number): number {
  return step === 'requested' ? paise : -paise;
}
