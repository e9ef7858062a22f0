import { limits } from './limits.ts';

/** Retention: how long the server keeps temporary data. The privacy page shows these values, and server code uses them. */
export const retention = {
  sessionDays: limits.sessionDays,
  sessionDaysInAll: limits.sessionDaysInAll,
  storyHours: limits.storyHours,
  /** An upload that was not published. */
  unusedUploadHours: 24,
  /** A video that was fetched by its link without a login. */
  fetchedHours: 1,
  /** Quarantine of an orphan: a file that no row names, such as an incomplete one after a crash. It is not served. */
  orphanDays: 7,
  /** A viewer's mark: in this time the same viewer counts once for a reel. */
  viewMarkHours: 24,
  /** The key by which viewers and networks of a month are hashed: days after the end of the month. */
  monthKeyDays: 60,
  /** Marks of the browsers and networks in which somebody was signed in. */
  ownViewDays: 31,
  /** Counters of passwords that were tried: the longest time after the last try. */
  guessHours: 2,
  /** The networks in which a person has logged in, counted from the last login there. */
  loginNetworkDays: 30,
  /** Links that were fetched without a login are counted for this time. */
  fetchCountHours: 24,
  /** In memory: a mark of the network from which a person's last request came. */
  networkMinutes: 60,
  /** How long the server retries a requested mail, and a notice of a change to the account. */
  mailAskedHours: 1,
  mailNoticeDays: 7,
  /** How long the row of a sent or dropped mail is kept. */
  mailDoneHours: 24,
  /** Links in mails: for a new password, and for the proof of an address. */
  resetLinkHours: 1,
  verifyLinkHours: 24,
  /** A confirmation of one act. */
  confirmationMinutes: 5,
  /** The address that an account had before a change, which can be undone for as long. */
  undoLinkDays: 7,
} as const;
