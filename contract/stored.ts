import { limits } from './limits.ts';

/** How long the server keeps what it keeps only for a time; the privacy page tells it from here. */
export const retention = {
  sessionDays: limits.sessionDays,
  sessionDaysInAll: limits.sessionDaysInAll,
  storyHours: limits.storyHours,
  /** An upload that nobody published. */
  unusedUploadHours: 24,
} as const;

/** What the file for the payer of withdrawals holds of each, column by column; the privacy page names them. */
export const payerColumns = [
  'id',
  'month',
  'rupees',
  'state',
  'userId',
  'username',
  'name',
  'email',
  'asked',
  'reference',
  'reason',
  'marks',
] as const;
