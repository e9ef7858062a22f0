/** What a file for the payer of withdrawals may contain of each payment; by default all of it. The privacy page names them. */
export const payerFields = [
  // Of the attempt: by it the payer says what became of the payment.
  'id',
  'withdrawal',
  'month',
  'rupees',
  'userId',
  'username',
  'name',
  'email',
  'asked',
  'payTo',
  'vpa',
  'account',
  'ifsc',
  'payee',
] as const;
export type PayerField = (typeof payerFields)[number];
