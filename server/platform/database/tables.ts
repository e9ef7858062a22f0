import type { ColumnType } from 'kysely';

type Default<T> = ColumnType<T, T | undefined, T>;
type Month = string;

export interface PhotoFacts {
  placeholder: string;
  width: number;
  height: number;
  /** Widths of its WebP renditions, in pixels. */
  widths: number[];
}

/** The database's shape, as the migrations leave it. bigint arrives as number: nothing here comes near 2^53. */
export interface Tables {
  people: {
    id: string;
    name: string;
    username: string;
    username_key: string;
    email: string;
    email_key: string;
    password_hash: string;
    picture_key: Default<string | null>;
    role: Default<'person' | 'operator'>;
    suspended_at: Default<Date | null>;
    follower_count: Default<number>;
    following_count: Default<number>;
    reel_count: Default<number>;
    post_count: Default<number>;
    created_at: Date;
  };
  sessions: { token_hash: Buffer; person_id: string; created_at: Date; used_at: Date };
  follows: { follower_id: string; followee_id: string; followed_at: Date };
  uploads: {
    key: string;
    owner_id: string;
    kind: 'video' | 'photo' | 'thumbnail';
    bytes: number;
    sha256: Buffer;
    facts: ColumnType<PhotoFacts | null, string | null | undefined, string | null>;
    created_at: Date;
    used_at: Default<Date | null>;
  };
  published_files: { sha256: Buffer; creator_id: string; published_at: Date };
  reels: {
    id: string;
    creator_id: string;
    media_key: string;
    thumbnail_key: Default<string | null>;
    caption: string;
    credit: string;
    categories: string[];
    state: 'processing' | 'ready' | 'failed';
    failure: Default<string | null>;
    sha256: Buffer;
    duplicate: Default<boolean>;
    placeholder: Default<string>;
    width: Default<number>;
    height: Default<number>;
    seconds: Default<number>;
    views: Default<number>;
    like_count: Default<number>;
    comment_count: Default<number>;
    share_count: Default<number>;
    uploaded_at: Date;
    published_at: Default<Date | null>;
    deleted_at: Default<Date | null>;
  };
  reel_likes: { reel_id: string; person_id: string; liked_at: Date };
  reel_comments: { id: string; reel_id: string; person_id: string; text: string; created_at: Date };
  category_counts: { category: string; reels: number };
  posts: {
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
    like_count: Default<number>;
    published_at: Date;
    deleted_at: Default<Date | null>;
  };
  post_likes: { post_id: string; person_id: string; liked_at: Date; undone_at: Default<Date | null> };
  stories: {
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
    published_at: Date;
    deleted_at: Default<Date | null>;
  };
  view_events: {
    id: string;
    creator_id: string;
    reel_id: string;
    viewer: Buffer;
    verdict: 'counted' | 'repeated' | 'own' | 'bot' | 'over_limit' | 'copy';
    seen_at: Date;
  };
  view_windows: { reel_id: string; viewer: Buffer; counted_at: Date };
  reel_months: { reel_id: string; creator_id: string; month: Month; verdict: string; views: number };
  creator_months: {
    creator_id: string;
    month: Month;
    reels: Default<number>;
    posts: Default<number>;
    stories: Default<number>;
    views: Default<number>;
    likes: Default<number>;
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
    kind: 'like_reel' | 'like_post' | 'comment' | 'follow';
    sender_id: string;
    about_id: string | null;
    fact_id: string;
    created_at: Date;
    read_at: Default<Date | null>;
  };
  settings: { name: string; value: string };
}
