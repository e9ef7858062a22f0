import type { ColumnType } from 'kysely';
import type { DifferenceKind } from '#contract/audit-differences.ts';
import type { CaseKind, CaseLanguage, CaseReason } from '#contract/cases.ts';
import type { AppealAnswer, DecisionAct } from '#contract/decisions.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import type { FoundMark } from '#contract/operators.ts';
import type { ProposedAct } from '#contract/proposals.ts';
import type { ReportKind, ReportOutcome } from '#contract/reports.ts';
import type { OperatorRole } from '#contract/roles.ts';
import type { Reason } from '#contract/sentences.ts';
import type { SiteRule, WorkLabel } from '#contract/site-rules.ts';
import type { SentKind } from '#contract/uploads.ts';
import type { StoredRefusal } from '../refusal.ts';

/** What an operator proposes: a suspension without an end, or views of a month to be void. */
export interface ProposedSuspension {
  rule: SiteRule;
  reason: string;
}
export interface ProposedVoid {
  month: Month;
  what: 'waiting' | 'paid';
  reason: string;
}

type Default<T> = ColumnType<T, T | undefined, T>;
type Month = string;
export type SearchKind = 'reel' | 'post' | 'person' | 'tag';
export type WorkKind = 'reel' | 'post' | 'story';
/** Whose later works are compared with a work; `banned`: everybody's, and they wait for an operator. */
export type Compared = 'everybody' | 'creator' | 'banned';
/** Why an operator took down a work: it is a copy, or nobody may publish its content. Or it waits for an operator, as such content. */
export type TakenDownAs = 'copy' | 'content' | 'waiting';
/** What was reported, as it was then. */
export interface Evidence {
  ownerId: string;
  owner: string;
  /** The caption, comment or name. */
  words: string;
  /** A further text of a photo or person. */
  more: string;
  /** The media key of its picture, and the file there. */
  picture: { key: string; file: string } | null;
  /** Of a reel. */
  video: { key: string; file: string } | null;
  /** The reel of a comment. */
  reelId: string | null;
}
export type LedgerAccount = 'earnings_expense' | 'creator_payable' | 'payouts';

export interface PhotoFacts {
  placeholder: string;
  width: number;
  height: number;
  /** Widths of its WebP renditions, in pixels. */
  widths: number[];
}

export interface Rendition {
  width: number;
  height: number;
  /** Bits a second, on average. */
  bitrate: number;
  /** A file name in the folder of the reel's key. */
  file: string;
}

/** What its owner can edit of a work: of a post caption and description, of a reel the others. */
export interface WorkWords {
  caption: string;
  description?: string;
  credit?: string;
  categories?: string[];
  /** Null for the pictures of the publication. */
  coverSecond?: number | null;
}

/** Files that are made after publication. */
interface ExtraFiles {
  /** Key of their folder; null if there are none. */
  extra_key: Default<string | null>;
  /** Sizes in bytes by name; null if none was made or tried yet. */
  extra_files: Default<Record<string, number> | null>;
}

/** The stored result of a finished upload: the file, or the refusal. */
export type SentAnswer =
  | { file: { fileName: string; fileUrl: string; kind: 'video' | 'image'; duplicate: boolean } }
  | { refused: StoredRefusal };

/** The kinds of stored files and folders. A video is in the inbox, as it was received; all others are in the media store. */
export type StoredKind =
  | 'video'
  | 'reel'
  | 'photo'
  | 'thumbnail'
  /** A fetched video for watching. */
  | 'copy'
  | 'captions'
  /** AVIF or a card, made after publication. */
  | 'extra'
  /** The pictures of a frame that the owner of a reel chose later. */
  | 'cover'
  /** Found in the storage without a row. */
  | 'unknown';

export type StoredState =
  /** Incomplete, in the inbox. */
  | 'arriving'
  /** To be published, or to expire. */
  | 'waiting'
  | 'in_use'
  /** Taken down by an operator. */
  | 'withheld'
  /** To be deleted from the storage. Final. */
  | 'removed';

/** Sizes in bytes by name; null if a size is not known. */
export type FileSizes = Record<string, number | null>;

/** All tables after the last migration. bigint is read as number, since no value comes near 2^53. */
export interface Tables {
  people: {
    id: string;
    name: string;
    username: string;
    username_key: string;
    /** How the name is searched, and how the username looks. */
    name_key: string;
    look_key: string;
    email: string;
    email_key: string;
    /** Null for accounts created through OIDC. */
    password_hash: string | null;
    picture_key: Default<string | null>;
    role: Default<'person' | 'operator'>;
    /** Counts only for operators. */
    operator_role: Default<OperatorRole>;
    /** Whether an operator may see what shows a child. */
    child_safety: Default<boolean>;
    language: Default<string | null>;
    email_verified_at: Default<Date | null>;
    /** When the password was last set by a link. */
    password_reset_at: Default<Date | null>;
    suspended_at: Default<Date | null>;
    reports_muted_until: Default<Date | null>;
    follower_count: Default<number>;
    following_count: Default<number>;
    reel_count: Default<number>;
    post_count: Default<number>;
    created_at: Date;
  };
  sessions: {
    token_hash: Buffer;
    id: Default<string>;
    person_id: string;
    /** Names of browser and system; null if unknown. */
    device: Default<string | null>;
    /** Address of its last use, encrypted; null if unknown. */
    network: Default<Buffer | null>;
    /** The OIDC issuer of this sign-in; null for a password. */
    issuer: Default<string | null>;
    /** When it passed the second factor; null if it has not. */
    factor_at: Default<Date | null>;
    created_at: Date;
    used_at: Date;
  };
  second_factors: {
    person_id: string;
    /** Encrypted; null before the enrolment is complete. */
    secret: Default<Buffer | null>;
    enrolled_at: Default<Date | null>;
    /** The time step of the last accepted code. */
    used_step: Default<number | null>;
    /** The secret of an enrolment that has begun, encrypted. */
    pending: Default<Buffer | null>;
    pending_session: Default<string | null>;
    pending_until: Default<Date | null>;
    /** Hash of the one-time code for enrolling. */
    invitation_hash: Default<Buffer | null>;
    invitation_until: Default<Date | null>;
  };
  recovery_codes: { person_id: string; code_hash: Buffer };
  passkeys: {
    id: string;
    person_id: string;
    credential_id: string;
    public_key: Buffer;
    /** Its signature counter; 0 if the authenticator has none. */
    counter: number;
    transports: string[];
    name: string;
    /** Whether it was added in a session that had passed the second factor. */
    is_factor: boolean;
    created_at: Date;
    used_at: Default<Date | null>;
  };
  passkey_challenges: {
    challenge_hash: Buffer;
    purpose: 'add' | 'log_in' | 'confirm';
    session_id: string | null;
    params_hash: Buffer | null;
    expires_at: Date;
  };
  confirmations: {
    token_hash: Buffer;
    person_id: string;
    session_id: string;
    act: string;
    params_hash: Buffer;
    expires_at: Date;
  };
  payout_destinations: {
    person_id: string;
    /** Encrypted; null once it was removed. */
    details: Buffer | null;
    fingerprint: Buffer | null;
    /** The fingerprints of earlier ones, the first hundred. */
    earlier: Default<Buffer[]>;
    chosen_at: Date;
    held_until: Date | null;
    /** The payer whose rules its name was last checked against. */
    checked_payer: string;
  };
  payout_batches: {
    id: string;
    payer: string;
    state: 'proposed' | 'approved' | 'sent' | 'cancelled';
    paise: number;
    needs_approval: boolean;
    made_at: Date;
    made_by: string;
    approved_at: Default<Date | null>;
    approved_by: Default<string | null>;
    ended_at: Default<Date | null>;
    ended_by: Default<string | null>;
  };
  payout_locks: {
    id: string;
    snapshot_at: Date;
    restored_at: Date;
    lifted_at: Default<Date | null>;
    lifted_by: Default<string | null>;
  };
  unmatched_payments: {
    key: string;
    payment: ColumnType<Record<string, unknown>, string, string>;
    why: string;
    noted_at: Date;
    withdrawal_id: Default<string | null>;
    other: Default<string | null>;
    named_at: Default<Date | null>;
    named_by: Default<string | null>;
  };
  payout_attempts: {
    creator_id: string;
    withdrawal_id: string;
    number: number;
    /** The payer's idempotency key. */
    id: string;
    /** Null: an operator paid by hand. */
    batch_id: string | null;
    paise: number;
    state: 'prepared' | 'exported' | 'sent' | 'unknown' | 'paid' | 'failed' | 'returned' | 'cancelled';
    /** Encrypted; null once the outcome of the attempt is known. */
    destination: Buffer | null;
    masked: string | null;
    fingerprint: Buffer | null;
    /** The payer whose API pays it; null: a file, or an operator by hand. */
    payer: Default<string | null>;
    /** The payer's id of the payment, and of its destination. */
    payer_id: Default<string | null>;
    payer_account: Default<string | null>;
    /** The payer's last message, while the outcome is not known. */
    payer_note: Default<string | null>;
    /** When payment was last requested, while the result of the call is not known. */
    called_at: Default<Date | null>;
    /** When the payer is polled next, and how often it was polled in this state. */
    look_at: Default<Date | null>;
    looks: Default<number>;
    reference: Default<string | null>;
    reason: Default<string | null>;
    prepared_at: Date;
    approved_at: Default<Date | null>;
    sent_at: Default<Date | null>;
    paid_at: Default<Date | null>;
    ended_at: Default<Date | null>;
    /** The operator who recorded how it ended; null if the API of a payer reported it. */
    ended_by: Default<string | null>;
  };
  /** Events that payers reported by webhooks. */
  payer_events: {
    payer: string;
    id: string;
    noted_at: Date;
  };
  confirmation_codes: {
    id: string;
    person_id: string;
    session_id: string;
    act: string;
    params_hash: Buffer;
    /** Null until the mail is sent. */
    code_hash: Default<string | null>;
    tries: Default<number>;
    expires_at: Date;
  };
  identities: {
    issuer: string;
    subject: string;
    person_id: string;
    /** At the issuer; null until it is known. */
    email: Default<string | null>;
    linked_at: Date;
  };
  sign_in_nonces: { hash: Buffer; expires_at: Date };
  password_guesses: {
    kind: number;
    key: Buffer;
    failures: Default<number>;
    paused_until: Default<Date | null>;
    tried_at: Date;
  };
  purges: {
    id: string;
    keys: string[];
    paths: string[];
    is_gone: boolean;
    created_at: Date;
    tries: Default<number>;
    next_try_at: Date;
    done_at: Default<Date | null>;
  };
  leases: { name: string; holder: string; ends_at: Date; is_wanted: Default<boolean> };
  rate_limits: { key: Buffer; requests: number; ends_at: Date };
  sign_in_places: {
    person_id: string;
    place: Buffer;
    used_at: Date;
  };
  follows: { follower_id: string; followee_id: string; followed_at: Date };
  uploads: {
    key: string;
    owner_id: string;
    kind: 'video' | 'photo' | 'thumbnail';
    bytes: number;
    sha256: Buffer;
    original_sha256: Default<Buffer | null>;
    facts: ColumnType<PhotoFacts | null, string | null | undefined, string | null>;
    /** Files made from the upload: sizes in bytes by name. */
    files: ColumnType<Record<string, number> | null, string | null | undefined, string | null>;
    created_at: Date;
    used_at: Default<Date | null>;
    /** The print of a photo, until it is published. */
    print: Default<Buffer | null>;
  };
  stored_files: {
    /** A person, a deleted account, or nobody. */
    owner_id: string;
    key: string;
    kind: StoredKind;
    state: StoredState;
    files: ColumnType<FileSizes | null, string | null | undefined, string | null>;
    /** Files as they were received; they count towards the limit of unpublished uploads. */
    bytes: number;
    /** When the state changed. */
    touched_at: Date;
  };
  resumable_uploads: {
    key: string;
    owner_id: string;
    kind: SentKind;
    bytes: number;
    deferred: Default<boolean>;
    original_sha256: Default<Buffer | null>;
    answer: ColumnType<SentAnswer | null, string | null | undefined, string | null>;
    created_at: Date;
    touched_at: Date;
  };
  imports: {
    upload_key: string;
    person_id: string;
    source_url: string;
    title: string;
    copy_key: string;
    thumbnail_key: string;
    imported_at: Date;
  };
  prints: {
    work_id: string;
    creator_id: string;
    kind: WorkKind;
    sha256: Buffer;
    /** Of the file from which it was compressed, as its creator claims. */
    original_sha256: Default<Buffer | null>;
    /** Null if none could be made, or if its account is deleted. */
    print: Buffer | null;
    /** Null: it is a copy. */
    compared: Default<Compared | null>;
    /** 1, 2, 3, … in the order in which works began to be compared with it. */
    number: Default<number | null>;
  };
  print_keys: { key: number; number: number };
  copies: {
    work_id: string;
    creator_id: string;
    kind: WorkKind;
    /** The earlier work. */
    original_id: string;
    original_kind: WorkKind;
    found_at: Date;
    /** When a person was asked to look. */
    asked_at: Default<Date | null>;
    /** The creator's explanation. */
    words: Default<string>;
    decided_at: Default<Date | null>;
    decided_by: Default<string | null>;
    verdict: Default<'copy' | 'own' | null>;
    reason: Default<string | null>;
  };
  /** The creator of each reel and post, and which of them are public. Kept in step with their rows by `features/works`. */
  works: {
    id: string;
    kind: 'reel' | 'post';
    creator_id: string;
    /** Null unless the work is public by its own state; its creator may be suspended. */
    published_at: Date | null;
    /** Of reels. */
    categories: Default<string[]>;
  };
  reels: {
    id: string;
    creator_id: string;
    media_key: string;
    thumbnail_key: Default<string | null>;
    /** The folder with the pictures of the frame that its owner chose later, and its second; null if none. */
    cover_key: Default<string | null>;
    cover_second: Default<number | null>;
    caption: string;
    credit: string;
    source_url: Default<string>;
    categories: string[];
    state: 'processing' | 'ready' | 'failed';
    /** Progress of processing in percent; null if unknown. */
    progress: Default<number | null>;
    failure: Default<string | null>;
    /** The same as a code and its values, for other languages. */
    failure_reason: Default<Reason | null>;
    sha256: Buffer;
    original_sha256: Default<Buffer | null>;
    duplicate: Default<boolean>;
    /** Why its publication pays nothing; null if it can pay. */
    unpaid: Default<'too_short' | 'still' | null>;
    /** What operators labelled it as, for all who see it. */
    label: Default<WorkLabel | null>;
    /** No sound track of its file could be decoded. */
    sound_lost: Default<boolean>;
    placeholder: Default<string>;
    width: Default<number>;
    height: Default<number>;
    seconds: Default<number>;
    /** Smallest first; written as JSON. */
    renditions: ColumnType<Rendition[], string | undefined, string>;
    views: Default<number>;
    like_count: Default<number>;
    comment_count: Default<number>;
    share_count: Default<number>;
    uploaded_at: Date;
    published_at: Default<Date | null>;
    edited_at: Default<Date | null>;
    deleted_at: Default<Date | null>;
    taken_down_at: Default<Date | null>;
    taken_down_as: Default<TakenDownAs | null>;
    /** Shown to the owner; null while it waits. */
    taken_down_reason: Default<string | null>;
  };
  reel_captions: {
    reel_id: string;
    /** The creator of the reel. */
    creator_id: string;
    language: string;
    key: string;
    cues: number;
    /** Keys of the words in them, for the search. */
    words: Default<string[]>;
    set_at: Date;
  };
  reel_likes: { reel_id: string; person_id: string; liked_at: Date; creator_id: string };
  reel_comments: {
    id: string;
    reel_id: string;
    /** The creator of the reel. */
    creator_id: string;
    person_id: string;
    text: string;
    sent_as: string;
    created_at: Date;
    /** Of an answer: the first comment of its thread, which may be deleted. */
    thread_id: Default<string | null>;
  };
  reel_shares: { reel_id: string; person_id: string; shared_at: Date; creator_id: string };
  category_counts: { category: string; reels: number };
  posts: ExtraFiles & {
    id: string;
    creator_id: string;
    media_key: string;
    caption: string;
    description: string;
    sha256: Buffer;
    duplicate: Default<boolean>;
    placeholder: string;
    width: number;
    height: number;
    widths: number[];
    label: Default<WorkLabel | null>;
    like_count: Default<number>;
    published_at: Date;
    edited_at: Default<Date | null>;
    deleted_at: Default<Date | null>;
    taken_down_at: Default<Date | null>;
    taken_down_as: Default<TakenDownAs | null>;
    /** Shown to the owner; null while it waits. */
    taken_down_reason: Default<string | null>;
  };
  post_likes: {
    post_id: string;
    person_id: string;
    liked_at: Date;
    undone_at: Default<Date | null>;
    creator_id: string;
  };
  stories: ExtraFiles & {
    id: string;
    creator_id: string;
    media_key: string;
    status_text: string;
    sha256: Buffer;
    duplicate: Default<boolean>;
    placeholder: string;
    width: number;
    height: number;
    widths: number[];
    seen_by: Default<number>;
    published_at: Date;
    deleted_at: Default<Date | null>;
    taken_down_at: Default<Date | null>;
    taken_down_as: Default<TakenDownAs | null>;
    /** Shown to the owner; null while it waits. */
    taken_down_reason: Default<string | null>;
  };
  seen_stories: { person_id: string; story_id: string; ends_at: Date };
  views: {
    creator_id: string;
    /** The day of the showing, YYYY-MM-DD of the business time zone. */
    day: string;
    reel_id: string;
    viewer: Buffer;
    signed_in: boolean;
    network: Buffer;
    shown_at: Date;
    watched_at: Date;
    verdict: 'counted' | 'copy';
    /** Whether it counts since a person found that its reel is no copy. */
    was_copy: Default<boolean>;
  };
  creator_viewers: { creator_id: string; month: Month; viewer: Buffer };
  viewer_months: {
    viewer: Buffer;
    month: Month;
    views: number;
    creators: number;
    /** A bit for each day of the month. */
    days: number;
  };
  active_people: { month: Month; person_id: string };
  watch_clocks: {
    viewer: Buffer;
    day: string;
    views: number;
    watched_until: Date;
    needed_ms: number;
    reported_at: Date;
  };
  last_showings: {
    person_id: string;
    reel_id: string;
    needed_ms: number;
    shown_at: Date;
  };
  seen_browsers: {
    person_id: string;
    browser: Buffer;
    seen_on: string;
    /** When it was recorded on that day. */
    seen_at: Date;
  };
  /** Views of a reel on a day by verdict: shown, counted, or the reason why they do not pay. */
  reel_days: {
    reel_id: string;
    creator_id: string;
    day: string;
    verdict: string;
    views: number;
    /** How many of these views have no row in `views`. */
    without_row: Default<number>;
  };
  network_days: { day: string; network: Buffer; views: number };
  creator_months: {
    creator_id: string;
    month: Month;
    reels: Default<number>;
    posts: Default<number>;
    stories: Default<number>;
    views: Default<number>;
    likes: Default<number>;
    /** Rows of `views`, also of copies. */
    view_rows: Default<number>;
  };
  /** Months in which something was counted. */
  months: {
    month: Month;
    /** Views that an established account lets pay: of each creator that it watched, and of all together. */
    views_per_creator: number;
    views_in_all: number;
    /** Whether addresses could be verified, and by which rates and rules its results were written; from its closing. */
    has_mail: Default<boolean | null>;
    rules: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
    closed_at: Default<Date | null>;
    /** When the last result was written. */
    counted_at: Default<Date | null>;
    /** When its single views began to be deleted. */
    views_deleted_at: Default<Date | null>;
  };
  established_accounts: { month: Month; person_id: string; views: number };
  month_shares: {
    month: Month;
    creator_id: string;
    accounts: number;
    views: number;
    /** The most of these accounts that were created on one day. */
    of_one_day: number;
  };
  /** What each creator's closed month pays; rows never change. */
  month_results: {
    creator_id: string;
    month: Month;
    reels: number;
    posts: number;
    stories: number;
    views: number;
    likes: number;
    paid_reels: number;
    paid_posts: number;
    paid_stories: number;
    paid_views: number;
    paid_likes: number;
    /** Established accounts that watched the creator, and the views that they let pay. */
    accounts: number;
    account_views: number;
    coins: number;
    paise: number;
    may_be_carried: boolean;
    /** Signs of fraud, with their evidence; written as JSON. */
    marks: ColumnType<FoundMark[], string, never>;
  };
  /** What operators decided about closed months; rows never change. */
  adjustments: {
    id: string;
    creator_id: string;
    /** The month whose views it is about, and the one in which its coins count. */
    month: Month;
    counts_in: Month;
    /** Views above the limit, which were released or are void; paying views that are void; a work that is no copy. */
    kind: 'released' | 'void_waiting' | 'void_paid' | 'own';
    /** Only of a work that is no copy. */
    work_id: Default<string | null>;
    views: number;
    /** Below zero if they are taken back. */
    coins: number;
    reason: string;
    at: Date;
    /** Null for a command on the server. */
    by: string | null;
  };
  month_looks: {
    creator_id: string;
    /** The month in which it was requested. */
    month: Month;
    asked_at: Date;
  };
  withdrawals: {
    id: string;
    creator_id: string;
    month: Month;
    coins: number;
    /** Smaller months that are paid with it, oldest first; written as JSON. */
    carried: ColumnType<{ month: string; coins: number }[], string | undefined, never>;
    paise: number;
    state: 'pending' | 'completed' | 'rejected';
    reference: Default<string | null>;
    reason: Default<string | null>;
    requested_at: Date;
    /** When the last condition for paying it was met. */
    ready_at: Default<Date | null>;
    decided_at: Default<Date | null>;
    decided_by: Default<string | null>;
  };
  ledger_transactions: {
    id: string;
    withdrawal_id: string;
    step: 'requested' | 'completed' | 'rejected' | 'returned';
    /** Number of the last attempt at that time; 0 before the first. */
    attempt: Default<number>;
    debit: LedgerAccount;
    credit: LedgerAccount;
    paise: number;
    posted_at: Date;
    posted_by: Default<string | null>;
  };
  /** A view: each transaction as two entries, debits positive, credits negative. */
  ledger_entries: {
    transaction_id: string;
    withdrawal_id: string;
    step: string;
    posted_at: Date;
    account: LedgerAccount;
    paise: number;
  };
  activity_events: {
    person_id: string;
    id: string;
    kind: 'scroll' | 'reel_like' | 'photo_like' | 'active_hour';
    fact: string;
    day: string;
    noted_at: Date;
  };
  activity_months: {
    person_id: string;
    month: Month;
    scrolls: Default<number>;
    reel_likes: Default<number>;
    photo_likes: Default<number>;
    active_hours: Default<number>;
  };
  messages: {
    id: string;
    kind: 'contact' | 'feedback';
    person_id: string | null;
    name: string;
    email: string;
    phone: string;
    text: string;
    created_at: Date;
  };
  notifications: {
    id: string;
    person_id: string;
    kind: NotificationKind;
    /** Null: the site. */
    sender_id: string | null;
    about_id: string | null;
    fact_id: string;
    created_at: Date;
    read_at: Default<Date | null>;
  };
  blocks: { blocker_id: string; blocked_id: string; blocked_at: Date };
  /** All reports of one thing until operators have decided about it. */
  cases: {
    id: string;
    /** Of an appeal, `target_id` is the decision. */
    kind: CaseKind;
    target_id: string;
    language: CaseLanguage;
    evidence: ColumnType<Evidence, string, never>;
    reasons: CaseReason[];
    report_count: number;
    opened_at: Date;
    due_at: Date;
    taken_up_at: Default<Date | null>;
    /** When operators were told that its deadline had passed. */
    told_late_at: Default<Date | null>;
    claimed_by: Default<string | null>;
    claimed_until: Default<Date | null>;
    closed_at: Default<Date | null>;
    closed_by: Default<string | null>;
    /** Null also for what was decided before there was this column. */
    outcome: Default<ReportOutcome | null>;
    /** The case with which it is decided; null: it is decided by itself. */
    merged_into: Default<string | null>;
    /** Only people whose reports are muted have reported it. */
    is_muted: Default<boolean>;
  };
  /** What operators decided against people, by a rule of the site. */
  proposals: {
    id: string;
    act: ProposedAct;
    person_id: string;
    said: ColumnType<ProposedSuspension | ProposedVoid, string, never>;
    proposed_by: string;
    proposed_at: Date;
    answer: Default<'approved' | 'declined' | null>;
    answered_by: Default<string | null>;
  };
  decisions: {
    id: string;
    /** Random: whoever has it reads the decision. */
    key: string;
    case_id: string | null;
    kind: ReportKind;
    target_id: string;
    person_id: string;
    evidence: ColumnType<Evidence, string, never>;
    rule: SiteRule;
    act: DecisionAct;
    until: Date | null;
    reason: string;
    /** Null for a command on the server. */
    decided_by: string | null;
    decided_at: Date;
    ended_at: Default<Date | null>;
    appealed_at: Default<Date | null>;
    appeal_id: Default<string | null>;
    answer: Default<AppealAnswer | null>;
    answer_reason: Default<string | null>;
    answered_at: Default<Date | null>;
  };
  reports: {
    id: string;
    case_id: string;
    number: string;
    reporter_id: string | null;
    reason: CaseReason;
    text: string;
    contact: string;
    created_at: Date;
  };
  /** What works said before they were edited. */
  work_versions: {
    id: string;
    kind: 'reel' | 'post';
    work_id: string;
    creator_id: string;
    /** Written as JSON. */
    words: ColumnType<WorkWords, string, never>;
    replaced_at: Date;
  };
  push_devices: {
    id: string;
    person_id: string;
    platform: 'android' | 'ios' | 'web';
    /** The session with which it is removed. */
    session_id: string;
    /** The host of its push service. */
    host: string;
    /** Not before this time is another message sent to it. */
    not_before: Default<Date | null>;
    /** Encrypted by the keyring; for a browser the JSON of its subscription. */
    token: Buffer;
    /** A keyed hash of the token or of the browser's subscription, to find it again. */
    fingerprint: Buffer;
    registered_at: Date;
  };
  pushes: {
    id: string;
    device_id: string;
    notification_id: string;
    tries: Default<number>;
    created_at: Date;
    next_try_at: Date;
  };
  push_settings: { person_id: string; off: string[] };
  audit_log: {
    id: string;
    operator_id: string | null;
    operator: string;
    act: string;
    target_kind: string;
    target_id: string;
    details: ColumnType<Record<string, unknown>, string, never>;
    acted_at: Date;
  };
  export_tickets: { token_hash: Buffer; person_id: string; created_at: Date; used_at: Default<Date | null> };
  settings: { name: string; value: string };
  /** What the last audit of the ledger found. */
  audit_differences: {
    id: string;
    what: DifferenceKind;
    /** The id of that; of a ledger account, its name. */
    about: string;
    month: string | null;
    figure: string;
    recorded: string;
    derived: string;
    /** By the first audit that found it. */
    found_at: Date;
  };
  /** Figures of the site by day. */
  site_days: {
    /** YYYY-MM-DD of the business time zone. */
    day: string;
    sign_ups: number;
    uploads: number;
    shown: number;
    watched: number;
    earned_paise: number;
    paid_paise: number;
    /** At the first count of the day; null where it was not measured on that day. */
    stored_bytes: number | null;
    counted_at: Date;
  };
  mails: {
    id: string;
    person_id: string | null;
    recipient: string;
    recipient_key: string;
    template: string;
    parameters: Buffer | null;
    is_notice: boolean;
    language: Default<string | null>;
    bundle_id: Default<string | null>;
    tries: Default<number>;
    created_at: Date;
    next_try_at: Date;
    done_at: Default<Date | null>;
    outcome: Default<'sent' | 'dropped' | 'given_up' | null>;
  };
  email_changes: {
    id: string;
    person_id: string;
    email: string;
    email_key: string;
    old_email: string;
    old_email_key: string;
    created_at: Date;
    /** Null while it waits for the proof of the new address. */
    changed_at: Date | null;
    /** Until then the new address can be verified, and after that the change undone. */
    expires_at: Date;
  };
  account_links: {
    token_hash: Buffer;
    person_id: string;
    purpose: 'reset' | 'verify' | 'change' | 'undo';
    email_key: string;
    created_at: Date;
    expires_at: Date;
  };
  keyring_keys: {
    name: string;
    version: number;
    fingerprint: Buffer;
    made_at: Default<Date>;
    active_at: Default<Date | null>;
    lost_at: Default<Date | null>;
  };
  key_holders: { id: string; held: string[]; seen_at: Date };
  search_entries: {
    id: string;
    kind: SearchKind;
    /** Keys of the names of a person or tag. */
    names: string;
    /** A tsvector of the keys of all its words. */
    words: string;
    popularity: Default<number>;
    /** Whether it is in the first tier, in the first two, and in the first three (`search-index/tiers.ts`). */
    is_first: Default<boolean>;
    is_top: Default<boolean>;
    is_upper: Default<boolean>;
  };
  tags: { id: string; key: string };
  /** With the label as the work writes it. */
  work_tags: { tag_id: string; kind: 'reel' | 'post'; work_id: string; label: string };
  search_words: { key: string; word: string };
  taste_people: { person_id: string; switched_on_at: Date };
  taste_watches: { person_id: string; reel_id: string; watched_at: Date; to_end: boolean };
  next_reels: { reel_id: string; next_id: string; weight: number; people: number };
  /** `category`: '' for all of them. */
  top_reels: { category: string; place: number; reel_id: string; views: number };
}
