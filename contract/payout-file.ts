/** The fields of a payment that a file for the payer may contain; by default all of them. The privacy page lists them. */
export const payerFields = [
  // Of the attempt: the payer uses it to report the result of the payment.
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
