import { limits } from './limits.ts';

/** Retention: how long the server keeps temporary data. The privacy page shows these values. */
export const retention = {
  sessionDays: limits.sessionDays,
  sessionDaysInAll: limits.sessionDaysInAll,
  storyHours: limits.storyHours,
  /** An upload that was not published. */
  unusedUploadHours: 24,
  /** In memory: a mark of the network from which a person's last request came. */
  networkMinutes: 60,
} as const;

/** The columns of the CSV file that the payer of withdrawals gets. The privacy page names them. */
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
