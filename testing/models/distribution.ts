import type { Tables } from '#server/platform/database/tables.ts';

/*
 * How each table would be distributed if one PostgreSQL were many (Citus, YugabyteDB), and everything that does not fit that yet,
 * with the necessary change (docs/scaling.md). `server/distribution.test.ts` compares this with the migrated database and
 * with the queries of the rules.
 */

type TableLocation =
  /** On the machine of the person in this column, with the other rows of that person. */
  | { by: string }
  /** Small and read everywhere: a copy on each machine. */
  | { everywhere: string }
  /** Small, or not used by pages: on one machine. */
  | { oneMachine: string };

export const places: Record<Exclude<keyof Tables, 'ledger_entries'>, TableLocation> = {
  people: { by: 'id' },
  sessions: { by: 'person_id' },
  identities: { by: 'person_id' },
  sign_in_places: { by: 'person_id' },
  export_tickets: { by: 'person_id' },
  account_links: { by: 'person_id' },
  confirmations: { by: 'person_id' },
  confirmation_codes: { by: 'person_id' },
  email_changes: { by: 'person_id' },
  payout_destinations: { by: 'person_id' },
  payout_attempts: { by: 'creator_id' },
  second_factors: { by: 'person_id' },
  recovery_codes: { by: 'person_id' },
  passkeys: { by: 'person_id' },
  passkey_challenges: { oneMachine: 'good for five minutes' },
  devices: { by: 'person_id' },
  push_devices: { by: 'person_id' },
  push_settings: { by: 'person_id' },
  pushes: { oneMachine: 'an outbox, a day old at most' },
  last_showings: { by: 'person_id' },
  seen_browsers: { by: 'person_id' },
  seen_networks: { by: 'person_id' },
  follows: { by: 'followee_id' },
  blocks: { by: 'blocker_id' },
  notifications: { by: 'person_id' },
  activity_events: { by: 'person_id' },
  activity_months: { by: 'person_id' },
  active_people: { by: 'person_id' },

  uploads: { by: 'owner_id' },
  resumable_uploads: { by: 'owner_id' },
  stored_files: { by: 'owner_id' },
  imports: { by: 'person_id' },
  published_files: { by: 'creator_id' },
  prints: { by: 'creator_id' },
  unprinted_works: { by: 'creator_id' },
  copies: { by: 'creator_id' },
  // A search for copies knows keys, but no creator.
  print_keys: { by: 'key' },

  reels: { by: 'creator_id' },
  posts: { by: 'creator_id' },
  stories: { by: 'creator_id' },
  view_events: { by: 'creator_id' },
  watched_views: { by: 'creator_id' },
  own_network_views: { by: 'creator_id' },
  creator_viewers: { by: 'creator_id' },
  reel_months: { by: 'creator_id' },
  creator_months: { by: 'creator_id' },
  month_marks: { by: 'creator_id' },
  month_releases: { by: 'creator_id' },
  month_voids: { by: 'creator_id' },
  month_looks: { by: 'creator_id' },
  withdrawals: { by: 'creator_id' },

  // Belongs to a creator's content, but has no column with the creator: the closest one.
  reel_likes: { by: 'person_id' },
  reel_comments: { by: 'person_id' },
  reel_shares: { by: 'person_id' },
  post_likes: { by: 'person_id' },
  reel_captions: { by: 'reel_id' },
  view_windows: { by: 'viewer' },
  watch_clocks: { by: 'viewer' },
  viewer_months: { by: 'viewer' },
  ledger_transactions: { by: 'withdrawal_id' },

  category_counts: { everywhere: 'forty-two rows' },
  settings: { everywhere: 'a handful of notes' },
  keyring_keys: { everywhere: 'a handful of versions' },

  messages: { oneMachine: 'what visitors write to operators' },
  purges: { oneMachine: 'an outbox, hours old' },
  mails: { oneMachine: 'an outbox, hours old' },
  reports: { oneMachine: 'what operators look through' },
  payer_events: { oneMachine: 'what payers tell, kept for a month: where their webhooks arrive' },
  payout_batches: { oneMachine: 'what operators pay together' },
  payout_locks: { oneMachine: 'restores' },
  unmatched_payments: { oneMachine: 'what operators look through after a restore' },
  audit_log: { oneMachine: 'acts of operators' },
  sign_in_nonces: { oneMachine: 'minutes old' },
  password_guesses: { oneMachine: 'hours old; by account and address, not by person' },
  rate_limits: { oneMachine: 'unlogged, minutes old; by address. A store of its own region each' },
  leases: { oneMachine: 'unlogged, seconds old' },
  key_holders: { oneMachine: 'unlogged, seconds old; a row a process' },
};

const carriesCreator = 'the key becomes (creator_id, id); whoever asks by the id says whose it is';
const gainsCreator = 'gains creator_id, first in its key, and lies by it';
const lookup = 'asked for by this alone: a narrow table by this leads to the person';
const random = 'one of 2^128: needs no check across machines, only within one';

/** Unique keys without the distribution column of their table: no single machine could enforce them. */
export const keysWithoutPlace: Record<string, string> = {
  reels_pkey: carriesCreator,
  posts_pkey: carriesCreator,
  stories_pkey: carriesCreator,
  withdrawals_pkey: carriesCreator,
  reel_months_pkey: 'creator_id is there and comes first in the key',
  reel_comments_pkey: gainsCreator,
  reel_captions_key_key: gainsCreator,
  ledger_transactions_pkey: gainsCreator,
  notifications_pkey: 'the key becomes (person_id, id); only the person asks',
  reels_media_key_key: random,
  posts_media_key_key: random,
  stories_media_key_key: random,
  uploads_pkey: random,
  resumable_uploads_pkey: random,
  imports_pkey: random,
  sessions_pkey: lookup,
  export_tickets_pkey: lookup,
  account_links_pkey: lookup,
  confirmations_pkey: lookup,
  confirmation_codes_pkey: random,
  passkeys_pkey: random,
  passkeys_credential_id_key: lookup,
  confirmation_codes_session_id_key: lookup,
  devices_pkey: lookup,
  push_devices_pkey: random,
  push_devices_fingerprint_key: lookup,
  identities_pkey: lookup,
  people_username_key_key: lookup,
  people_email_key_key: lookup,
  payout_attempts_id_key: random,
  payout_attempts_one_reference:
    'one payment pays one withdrawal: operators’ work, checked where operators’ tables are',
  published_files_pkey:
    'the same bytes earn once, whoever publishes them: a table of its own by the hash, asked before the transaction',
  prints_number_key:
    'given under the lock that all who publish take, one after the other: with the keys, to a service of its own',
  withdrawals_one_reference:
    'one payment pays one withdrawal: operators’ work, checked where operators’ tables are',
};

const heldByRules = 'looked at by the rule in its transaction, and swept after a deletion as files are';

/** References between rows of different machines: the rules would have to enforce what the database enforces today. */
export const referencesApart: Record<string, string> = {
  reel_likes_reel_id_fkey: gainsCreator,
  reel_comments_reel_id_fkey: gainsCreator,
  reel_shares_reel_id_fkey: gainsCreator,
  reel_captions_reel_id_fkey: gainsCreator,
  post_likes_post_id_fkey: gainsCreator,
  ledger_transactions_withdrawal_id_fkey: gainsCreator,
  payout_attempts_withdrawal_id_fkey: carriesCreator,
  imports_upload_key_fkey: 'both are of one person: the reference names the person as well',
  follows_follower_id_fkey: heldByRules,
  blocks_blocked_id_fkey: heldByRules,
  notifications_sender_id_fkey: heldByRules,
  mails_person_id_fkey: heldByRules,
  pushes_device_id_fkey: heldByRules,
  pushes_notification_id_fkey: heldByRules,
  messages_person_id_fkey: heldByRules,
  reports_reporter_id_fkey: heldByRules,
};

const ofTheCreator =
  'once responses lie with the creator, all of it is the creator’s but what the other person did that day, which a job can add';

/** Transactions of hot paths that write rows of more than one distribution key. */
export const transactionsApart: Record<string, string> = {
  views:
    'a batch holds views of many creators, which one PostgreSQL rewards: it would be cut by creator before it is written; when a viewer last counted gains creator_id and lies with the rest, and the limit of a viewer’s day becomes a count of its own',
  showings: 'a batch holds showings of many creators: it would be cut by creator before it is written',
  watching:
    'likewise; the clock of a viewer, which lies with the viewer, would be advanced in a transaction before it',
  'liking a reel': ofTheCreator,
  'liking a photo': ofTheCreator,
  commenting: ofTheCreator,
  sharing: ofTheCreator,
  following: 'two people’s counters: the follower’s own is added by a job',
  withdrawing: 'all of it is one creator’s, but the ledger does not say so: it gains creator_id',
};

const merged =
  'what is newest of all: each machine says its own newest page, by an index, and they are merged; once a second, since the answer is kept';
const byId = 'asked by the id alone: the address says whose it is, as the key does then';
const withCreator = 'lies with its creator once it carries creator_id';
const names =
  'names and pictures of other people: asked for by their ids, of as many machines as there are people on the page';

/** Queries of hot paths that ask every machine: `path: table`. */
export const questionsApart: Record<string, string> = {
  'the feed: reels': merged,
  'the feed: people': 'each lies with its reels; the two are joined where they lie',
  'the feed: reel_captions': withCreator,
  'the feed: reel_comments': withCreator,
  'the feed: reel_likes': withCreator,
  'the posts: posts': merged,
  'the posts: people': 'each lies with its posts; the two are joined where they lie',
  'the posts: post_likes': withCreator,
  'a reel: reels': byId,
  'a reel: people': byId,
  'a reel: reel_captions': withCreator,
  'a reel: reel_comments': withCreator,
  'a reel: reel_likes': withCreator,
  "a reel's comments: reels": byId,
  "a reel's comments: people": names,
  "a reel's comments: reel_comments": withCreator,
  "a creator's reels: people": names,
  "a creator's reels: reel_captions": withCreator,
  "a creator's reels: reel_comments": withCreator,
  "a creator's reels: reel_likes": withCreator,
  "a creator's posts: post_likes": withCreator,
  'a profile: follows': 'whom the person follows lies with those: a second copy of each row by the follower',
  'a session: sessions': lookup,
  'a session: people': lookup,
  'news of mine: people': names,
  'publishing a reel: published_files':
    'the same bytes earn once, whoever publishes them: a table of its own by the hash, which can be asked first',
  'publishing a photo: published_files': 'as for reels',
  'publishing a reel: reels': 'the job carries the id of the reel: it gains its creator',
  'liking a reel: reels': byId,
  'liking a reel: posts': byId,
  'liking a photo: reels': byId,
  'liking a photo: posts': byId,
  'commenting: reels': byId,
  'sharing: reels': byId,
  'views: reels': byId,
  'views: people':
    'whether the creator is suspended: lies with the reel, and the two are joined where they lie',
  'views: reel_months': 'creator_id is told with each row already; the key only has to begin with it',
  'views: view_windows': withCreator,
  'showings: reels': byId,
  'showings: people': 'as for views',
  'showings: reel_months': 'as for views',
  'watching: reels': 'the lease carries the id of the reel: it gains its creator',
  'watching: people': 'as for views',
  'watching: reel_months': 'as for views',
  'watching: seen_browsers': 'of the creator, who is known by then: asked with each part of the batch',
  'watching: seen_networks':
    'of the creator likewise; who else was in a network that day is asked only if the creator was: a copy by network',
  'watching: own_network_views': 'as for watched views: asked with each part of the batch',
  'watching: watched_views': 'a batch is cut by creator before it is written, and each part asks one machine',
};
