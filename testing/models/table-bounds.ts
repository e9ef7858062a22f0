import type { dailyLimits } from '#contract/limits.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/* Who fills each table, how far, and until when. `server/table-bounds.test.ts` compares this with the database and the contract. */

interface Bounds {
  /** How many rows people can cause. */
  most:
    | /** One row for each value of a unique key, of things that are bounded themselves. */
    { key: string[] } /** A constant or setting with the number. */
    | {
        constant: string;
      } /** A limit of a day of the calls that add rows, or that add what these rows are about. */
    | {
        daily: (keyof typeof dailyLimits)[];
      } /** The rate limit of a minute of these calls, whose rows are deleted within the hour. */
    | { minutes: string[] } /** Only the server or operators add rows. */
    | { server: string };
  until:
    | /** A step of the hourly job deletes old rows. */
    { step: string } /** The database deletes them with the row of that table which they refer to. */
    | { with: keyof Tables } /** Why they stay, or what ends them. */
    | { kept: string };
}

export const tableBounds: Record<Exclude<keyof Tables, 'ledger_entries'>, Bounds> = {
  people: {
    // Of people who sign up by an identity provider, it decides how many it lets in.
    most: { daily: ['signUps'] },
    until: { kept: 'until the person deletes the account' },
  },
  sessions: {
    most: { constant: 'sessionsAtMost' },
    until: { step: 'deleteExpiredSessions' },
  },
  identities: { most: { key: ['person_id', 'issuer'] }, until: { with: 'people' } },
  sign_in_places: { most: { constant: 'maxKnown' }, until: { with: 'people' } },
  export_tickets: { most: { constant: 'perHour' }, until: { with: 'people' } },
  account_links: {
    most: { server: 'one for a mail; mails are limited' },
    until: { step: 'deleteExpiredLinks' },
  },
  confirmations: {
    most: { minutes: ['POST /api/confirm'] },
    until: { step: 'deleteExpiredConfirmations' },
  },
  confirmation_codes: {
    most: { key: ['session_id'] },
    until: { step: 'deleteExpiredConfirmations' },
  },
  email_changes: {
    most: { server: 'one for a mail; mails are limited' },
    until: { step: 'deleteExpiredLinks' },
  },
  payout_destinations: { most: { key: ['person_id'] }, until: { with: 'people' } },
  payout_attempts: { most: { server: 'operators only' }, until: { kept: 'payments' } },
  second_factors: { most: { key: ['person_id'] }, until: { with: 'people' } },
  recovery_codes: {
    most: { server: 'a few for a second factor' },
    until: { with: 'people' },
  },
  passkeys: { most: { constant: 'passkeysAtMost' }, until: { with: 'people' } },
  passkey_challenges: {
    most: {
      minutes: ['POST /api/passkeys/begin', 'POST /api/passkeys/begin-login', 'POST /api/confirm/passkey'],
    },
    until: { step: 'deleteExpiredChallenges' },
  },
  push_devices: {
    most: { constant: 'devicesAtMost' },
    until: { step: 'deleteEndedDevices' },
  },
  push_settings: { most: { key: ['person_id'] }, until: { with: 'people' } },
  pushes: {
    most: { constant: 'waitingAtMost' },
    until: { kept: 'a day at most: sent or dropped' },
  },
  last_showings: { most: { key: ['person_id'] }, until: { with: 'people' } },
  seen_browsers: {
    most: { constant: 'browsersOfPerson' },
    until: { step: 'deleteOldWatching' },
  },
  follows: { most: { key: ['follower_id', 'followee_id'] }, until: { with: 'people' } },
  blocks: { most: { key: ['blocker_id', 'blocked_id'] }, until: { with: 'people' } },
  notifications: {
    most: { key: ['person_id', 'kind', 'sender_id', 'fact_id'] },
    until: { with: 'people' },
  },
  activity_events: {
    most: { key: ['person_id', 'kind', 'fact'] },
    until: { with: 'people' },
  },
  activity_months: { most: { key: ['person_id', 'month'] }, until: { with: 'people' } },
  active_people: {
    most: { key: ['month', 'person_id'] },
    until: { kept: 'who was active in a month decides what it pays' },
  },

  uploads: {
    most: { constant: 'UNPUBLISHED_FILES' },
    until: { step: 'deleteExpiredUploads' },
  },
  resumable_uploads: {
    most: { constant: 'unfinishedAtMost' },
    until: { step: 'deleteExpiredUploads' },
  },
  stored_files: {
    most: { server: 'a few for an upload or a work' },
    until: { step: 'sweep' },
  },
  imports: { most: { server: 'one for an upload' }, until: { with: 'uploads' } },
  prints: {
    most: { daily: ['reels', 'photos', 'stories'] },
    until: { kept: 'so that a work is paid once' },
  },
  copies: { most: { server: 'one for a print' }, until: { kept: 'with the account' } },
  print_keys: { most: { server: 'some for a print' }, until: { kept: 'while its work is compared' } },

  works: { most: { server: 'one for a reel or post' }, until: { kept: 'as long as the reel or post' } },
  reels: {
    most: { daily: ['reels'] },
    until: { kept: 'until deleted' },
  },
  posts: {
    most: { daily: ['photos'] },
    until: { kept: 'until deleted' },
  },
  stories: {
    most: { daily: ['stories'] },
    until: { kept: 'until deleted' },
  },
  seen_stories: {
    most: { daily: ['seenStories'] },
    until: { step: 'deleteSeenStories' },
  },
  views: {
    most: { constant: 'singleViews' },
    until: { step: 'deleteSingleViews' },
  },
  network_days: { most: { constant: 'singleViews' }, until: { step: 'deleteOldWatching' } },
  creator_viewers: {
    // Signed-in viewers, each with a limited number of views a day.
    most: { constant: 'viewsADay' },
    until: { step: 'deleteSingleViews' },
  },
  reel_days: {
    most: { key: ['reel_id', 'day', 'verdict'] },
    until: { kept: 'payments are checked by them' },
  },
  creator_months: { most: { key: ['creator_id', 'month'] }, until: { kept: 'months' } },
  months: { most: { key: ['month'] }, until: { kept: 'months' } },
  established_accounts: {
    most: { key: ['month', 'person_id'] },
    until: { kept: 'payments are checked by them' },
  },
  month_shares: { most: { key: ['month', 'creator_id'] }, until: { kept: 'payments are checked by them' } },
  month_results: { most: { key: ['creator_id', 'month'] }, until: { kept: 'months' } },
  adjustments: { most: { server: 'operators only' }, until: { kept: 'months' } },
  month_looks: { most: { server: 'operators only' }, until: { kept: 'months' } },
  withdrawals: {
    most: {
      server: 'one open for a creator and month, and three that the creator cancelled within 24 hours',
    },
    until: { kept: 'payments' },
  },

  reel_likes: { most: { key: ['reel_id', 'person_id'] }, until: { with: 'reels' } },
  reel_comments: {
    most: { daily: ['comments'] },
    until: { with: 'reels' },
  },
  reel_shares: { most: { key: ['reel_id', 'person_id'] }, until: { with: 'reels' } },
  post_likes: { most: { key: ['post_id', 'person_id'] }, until: { with: 'posts' } },
  search_entries: {
    most: { server: 'one for a person, a tag, or a work that is not deleted' },
    until: { kept: 'until the work or the account is deleted, or no work has the tag' },
  },
  tags: {
    most: { daily: ['reels', 'photos', 'edits'] },
    until: { kept: 'until the hourly ranking finds no work with it' },
  },
  work_tags: {
    most: { constant: 'tagsAtMost' },
    until: { kept: 'until the work is deleted' },
  },
  search_words: {
    most: { daily: ['reels', 'photos', 'edits', 'signUps'] },
    until: { kept: 'until no work or person has the word' },
  },
  taste_people: { most: { key: ['person_id'] }, until: { with: 'people' } },
  taste_watches: { most: { constant: 'tasteLimits' }, until: { step: 'deleteOldTaste' } },
  next_reels: {
    most: { server: '50 for a reel that many watched' },
    until: { kept: 'until the next learning without it' },
  },
  top_reels: {
    most: { server: 'some for a category' },
    until: { kept: 'an hour' },
  },
  reel_captions: { most: { key: ['reel_id', 'language'] }, until: { with: 'reels' } },
  watch_clocks: { most: { key: ['viewer'] }, until: { step: 'deleteOldWatching' } },
  viewer_months: {
    most: { key: ['month', 'viewer'] },
    until: { step: 'deleteSingleViews' },
  },
  ledger_transactions: {
    most: { server: 'two decisions of a withdrawal, and its payments: each of them operators prepare' },
    until: { kept: 'payments' },
  },

  category_counts: { most: { key: ['category'] }, until: { kept: '42 rows' } },
  settings: { most: { key: ['name'] }, until: { kept: 'a few rows' } },
  audit_differences: { most: { constant: 'differencesAtMost' }, until: { kept: 'the next audit' } },
  site_days: { most: { key: ['day'] }, until: { kept: 'a row a day' } },
  keyring_keys: {
    most: { key: ['name', 'version'] },
    until: { kept: 'a few keys' },
  },

  messages: {
    most: { daily: ['messages'] },
    until: { step: 'deleteOldMessages' },
  },
  purges: {
    most: { server: 'some for a deleted work' },
    until: { step: 'deleteDonePurges' },
  },
  mails: {
    most: { server: 'three an hour that a person asks for' },
    until: { step: 'deleteOldMails' },
  },
  reports: {
    most: { daily: ['reports'] },
    until: { step: 'deleteOldReports' },
  },
  cases: {
    most: { daily: ['reports'] },
    until: { step: 'deleteOldReports' },
  },
  proposals: {
    most: { server: 'operators only' },
    until: { step: 'deleteOldProposals' },
  },
  decisions: {
    most: { server: 'operators only' },
    until: { step: 'deleteOldReports' },
  },
  work_versions: {
    most: { daily: ['edits'] },
    until: { step: 'deleteOldVersions' },
  },
  payer_events: {
    most: { server: 'signed by the payer' },
    until: { step: 'deleteOldEvents' },
  },
  payout_batches: {
    most: { server: 'operators only' },
    until: { kept: 'payments' },
  },
  payout_locks: { most: { server: 'operators only' }, until: { kept: 'restores' } },
  unmatched_payments: {
    most: { server: 'operators only' },
    until: { kept: 'payments' },
  },
  audit_log: {
    most: { server: 'operators only' },
    until: { kept: 'acts of operators' },
  },
  sign_in_nonces: {
    most: { minutes: ['POST /api/google-nonce'] },
    until: { kept: 'ten minutes: the next one deletes those that ended' },
  },
  password_guesses: {
    most: { constant: 'ofGroup' },
    until: { step: 'deleteOldGuesses' },
  },
  rate_limits: {
    most: { key: ['key'] },
    until: { step: 'deleteExpiredCounts' },
  },
  leases: {
    most: { key: ['name'] },
    until: { step: 'deleteExpiredLeases' },
  },
  key_holders: {
    most: { server: 'one for a process' },
    until: { kept: 'seconds' },
  },
};
