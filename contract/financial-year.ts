import { z } from 'zod';

/** The month in which a financial year begins, as for income tax in India. */
export const firstMonth = 4;

/** A financial year in a request, named by the year in which it begins: 2026 is April 2026 to March 2027. */
export const financialYearField = z.coerce
  .number({ error: 'Please give the year in which the financial year begins, as YYYY.' })
  .int({ error: 'Please give the year in which the financial year begins, as YYYY.' })
  .min(2000, { error: 'Please give the year in which the financial year begins, as YYYY.' })
  .max(2999, { error: 'Please give the year in which the financial year begins, as YYYY.' });
