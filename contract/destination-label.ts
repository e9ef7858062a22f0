/** One line that names a payout destination: its bank, if it is an account, and what is shown of its number. */
export const labelOf = ({ bank, masked }: { bank: string | null; masked: string }): string =>
  bank === null ? masked : `${bank} ${masked}`;
