import { z } from 'zod';
import { invalid } from './invalid.ts';

/** The month in which a financial year begins, as for income tax in India. */
export const firstMonth = 4;

const error = invalid('year');

/** A financial year in a request, named by the year in which it begins: 2026 is April 2026 to March 2027. */
export const financialYearField = z.coerce
  .number({ error })
  .int({ error })
  .min(2000, { error })
  .max(2999, { error });
