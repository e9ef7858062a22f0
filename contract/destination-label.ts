/** The label of a payout destination: the bank, if it is a bank account, and the masked number or UPI id. */
export const labelOf = ({ bank, masked }: { bank: string | null; masked: string }): string =>
  bank === null ? masked : `${bank} ${masked}`;
