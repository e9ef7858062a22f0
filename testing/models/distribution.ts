import type { Tables } from '#server/platform/database/tables.ts';

/*
 * How each table would be distributed over the nodes of a distributed PostgreSQL (Citus, YugabyteDB), and everything that does not fit that
 * yet, with the necessary change (docs/scaling.md). `server/distribution.test.ts` compares this with the migrated database and with the
 * queries of the rules.
 */

type TableLocation =
  /** On the machine of the person in this column, with the other rows of that person. */
  | { by: string }
  /** Small and read everywhere: a copy on each machine. */
  | { everywhere: string }
  /** Small, or not used by pages: on one machine. */
  | { oneMachine: string };

export const locations: Record<Exclude<keyof Tables, 'ledger_entries'>, TableLocation> = {
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
  passkey_challenges: { oneMachine: 'valid for five minutes' },
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
  // A search for copies has only keys.
  print_keys: { by: 'key' },

  reels: { by: 'creator_id' },
  posts: { by: 'creator_id' },
  stories: { by: 'creator_id' },
  view_events: { by: 'creator_id' },
  watched_views: { by: 'creator_id' },
  own_network_views: { by: 'creator_id' },
  copy_views: { by: 'creator_id' },
  creator_viewers: { by: 'creator_id' },
  reel_months: { by: 'creator_id' },
  creator_months: { by: 'creator_id' },
  month_marks: { by: 'creator_id' },
  month_releases: { by: 'creator_id' },
  month_voids: { by: 'creator_id' },
  month_looks: { by: 'creator_id' },
  withdrawals: { by: 'creator_id' },

  // These belong to a creator's content, but have no column with the creator: the closest column.
  reel_likes: { by: 'person_id' },
  reel_comments: { by: 'person_id' },
  reel_shares: { by: 'person_id' },
  post_likes: { by: 'person_id' },
  reel_captions: { by: 'reel_id' },
  view_windows: { by: 'viewer' },
  watch_clocks: { by: 'viewer' },
  viewer_months: { by: 'viewer' },
  ledger_transactions: { by: 'withdrawal_id' },

  category_counts: { everywhere: '42 rows' },
  settings: { everywhere: 'a few rows' },
  keyring_keys: { everywhere: 'a few versions' },

  messages: { oneMachine: 'messages of visitors to operators' },
  purges: { oneMachine: 'an outbox, hours old' },
  mails: { oneMachine: 'an outbox, hours old' },
  reports: { oneMachine: 'read by operators only' },
  payer_events: { oneMachine: 'events of payers, stored for a month' },
  payout_batches: { oneMachine: 'used by operators only' },
  payout_locks: { oneMachine: 'restores' },
  unmatched_payments: { oneMachine: 'used by operators after a restore' },
  audit_log: { oneMachine: 'actions of operators' },
  sign_in_nonces: { oneMachine: 'minutes old' },
  password_guesses: { oneMachine: 'hours old; by account and address, not by person' },
  rate_limits: { oneMachine: 'unlogged, minutes old; by address. Each region has its own' },
  leases: { oneMachine: 'unlogged, seconds old' },
  key_holders: { oneMachine: 'unlogged, seconds old; one row per process' },
};

const carriesCreator = 'the key becomes (creator_id, id); queries by id also give the creator';
const gainsCreator = 'gets creator_id as the first column of its key and as its distribution column';
const lookup = 'looked up by this value alone: a narrow lookup table leads to the person';
const random = 'a random 128-bit value: no check across machines is needed';

/** Unique keys without the distribution column of their table: no single machine could enforce them. */
export const keysWithoutDistributionColumn: Record<string, string> = {
  reels_pkey: carriesCreator,
  posts_pkey: carriesCreator,
  stories_pkey: carriesCreator,
  withdrawals_pkey: carriesCreator,
  reel_months_pkey: 'creator_id exists and becomes the first column of the key',
  reel_comments_pkey: gainsCreator,
  reel_captions_key_key: gainsCreator,
  ledger_transactions_pkey: gainsCreator,
  notifications_pkey: 'the key becomes (person_id, id); only the person reads them',
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
    'one payment pays one withdrawal: written by operators, checked on the machine of their tables',
  published_files_pkey:
    'the same bytes earn once, whoever publishes them: a separate table distributed by hash, queried before the transaction',
  prints_number_key:
    'assigned under a lock that serializes all publications: moves with the keys to a separate service',
  withdrawals_one_reference:
    'one payment pays one withdrawal: written by operators, checked on the machine of their tables',
};

const heldByRules = 'checked by the rule in its transaction; rows of deleted people are swept, like files';

/** References between rows of different machines: the rules would have to enforce what the database enforces today. */
export const crossNodeReferences: Record<string, string> = {
  reel_likes_reel_id_fkey: gainsCreator,
  reel_comments_reel_id_fkey: gainsCreator,
  reel_shares_reel_id_fkey: gainsCreator,
  reel_captions_reel_id_fkey: gainsCreator,
  post_likes_post_id_fkey: gainsCreator,
  ledger_transactions_withdrawal_id_fkey: gainsCreator,
  payout_attempts_withdrawal_id_fkey: carriesCreator,
  imports_upload_key_fkey: 'both belong to one person: the reference includes the person',
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
  'once likes, comments and shares are stored with the creator, only the activity of the other person is elsewhere, which a job can add';

/** Transactions of hot paths that write rows of more than one distribution key. */
export const crossNodeTransactions: Record<string, string> = {
  views:
    'a batch has views of many creators, which is fast on one PostgreSQL: it would be split by creator before it is written; view_windows gets creator_id and is stored with the rest, and the daily limit of a viewer gets its own counter',
  showings: 'a batch has showings of many creators: it would be split by creator before it is written',
  watching:
    'as for showings; the clock of a viewer, stored with the viewer, would be advanced in an earlier transaction',
  'liking a reel': ofTheCreator,
  'liking a photo': ofTheCreator,
  commenting: ofTheCreator,
  sharing: ofTheCreator,
  following: 'counters of two people: the follower’s is updated by a job',
  withdrawing: 'all rows belong to one creator, but the ledger has no creator_id: it gets one',
};

const merged =
  'the newest rows of all: each machine returns its newest page from an index, and they are merged; once a second, since the response is cached';
const byId = 'looked up by id alone: the URL and the key then include the creator';
const withCreator = 'stored with its creator once it has creator_id';
const names =
  'names and pictures of other people: looked up by id, on at most as many machines as there are people on the page';

const takenDown =
  'whether these bytes were taken down: the separate table by hash also says so, and of which work; only then is that work queried';

/** Queries of hot paths that ask every machine: `path: table`. */
export const crossNodeQueries: Record<string, string> = {
  'the feed: reels': merged,
  'the feed: people': 'each person is stored with their reels; the two are joined locally',
  'the feed: reel_captions': withCreator,
  'the feed: reel_comments': withCreator,
  'the feed: reel_likes': withCreator,
  'the posts: posts': merged,
  'the posts: people': 'each person is stored with their posts; the two are joined locally',
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
  'a profile: follows': 'stored with the followed people: a second copy of each row by follower',
  'a session: sessions': lookup,
  'a session: people': lookup,
  'notifications: people': names,
  'publishing a reel: published_files':
    'the same bytes earn once, whoever publishes them: a separate table distributed by hash, which can be queried first',
  'publishing a photo: published_files': 'as for reels',
  'publishing a reel: reels': 'the job has the id of the reel only: it gets the creator, too',
  'publishing a reel: posts': takenDown,
  'publishing a reel: stories': takenDown,
  'publishing a reel: copies': takenDown,
  'publishing a photo: reels': takenDown,
  'publishing a photo: posts': takenDown,
  'publishing a photo: stories': takenDown,
  'publishing a photo: copies': takenDown,
  'liking a reel: reels': byId,
  'liking a reel: posts': byId,
  'liking a photo: reels': byId,
  'liking a photo: posts': byId,
  'commenting: reels': byId,
  'sharing: reels': byId,
  'views: reels': byId,
  'views: people': 'whether the creator is suspended: stored with the reel, and the two are joined locally',
  'views: reel_months': 'each row already has creator_id; the key only has to begin with it',
  'views: view_windows': withCreator,
  'showings: reels': byId,
  'showings: people': 'as for views',
  'showings: reel_months': 'as for views',
  'watching: reels': 'the lease has the id of the reel only: it gets the creator, too',
  'watching: people': 'as for views',
  'watching: reel_months': 'as for views',
  'watching: seen_browsers':
    'belongs to the creator, who is known by then: queried with each part of the batch',
  'watching: seen_networks':
    'belongs to the creator, too; other people of a network are queried only if the creator was there: a copy by network',
  'watching: own_network_views': 'as for watched views: queried with each part of the batch',
  'watching: copy_views': 'as for watched views: queried with each part of the batch',
  'watching: watched_views':
    'a batch is split by creator before it is written, and each part queries one machine',
};
