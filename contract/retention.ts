import { limits } from './limits.ts';

/** Retention: how long the server keeps temporary data. The privacy page shows these values, and server code uses them. */
export const retention = {
  sessionDays: limits.sessionDays,
  sessionDaysInAll: limits.sessionDaysInAll,
  storyHours: limits.storyHours,
  /** An upload that was not published. */
  unusedUploadHours: 24,
  /** The file of a reel that could not be processed through no fault of its own, for another try. */
  failedDays: 7,
  /** A video that was imported without a login. */
  fetchedHours: 1,
  /** Quarantine of an orphan: a file without a row, such as an incomplete one after a crash. It is not served. */
  orphanDays: 7,
  /** A viewer's clock, by which the paid seconds are never more than the time that passed. */
  viewMarkHours: 24,
  /** Single views, with the hashes of viewer and network: days after the end of the month. Counts by reel and day stay. */
  singleViewDays: 60,
  /** Marks of the browsers of a person's sessions, and counters of views by network. */
  ownViewDays: 31,
  /** Counters of password attempts: the longest time after the last attempt. */
  guessHours: 2,
  /** The networks from which a person has logged in, since the last login there. */
  loginNetworkDays: 30,
  /** Imports without a login are counted for this time. */
  fetchCountHours: 24,
  /** Messages to the operators. */
  messageDays: 400,
  /** Reports of content and people. */
  reportDays: 400,
  /** What a reel or a photo said before it was edited. */
  versionDays: 180,
  /** In memory: a mark of the network of a person's last request. */
  networkMinutes: 60,
  /** How long the server retries a requested mail, and a notice of a change to the account. */
  mailAskedHours: 1,
  mailNoticeDays: 7,
  /** The row of a sent or dropped mail. */
  mailDoneHours: 24,
  /** Links in mails: to set a new password, and to verify an address. */
  resetLinkHours: 1,
  verifyLinkHours: 24,
  /** A confirmation of one act. */
  confirmationMinutes: 5,
  /** The previous address of an account after a change, which can be undone for this time. */
  undoLinkDays: 7,
} as const;
