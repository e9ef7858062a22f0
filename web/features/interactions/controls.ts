import type { ComponentType, ReactNode } from 'react';
import type { Comment } from '#contract/reels.ts';
import type { FeedReel } from '../feed/feed.ts';
import type { SessionUser } from '../session/session.ts';

/** What a visitor can want to do with a reel or a photo. */
export type Action = 'like' | 'comment' | 'share' | 'view';

/** Where a double tap was. */
export interface Point {
  x: number;
  y: number;
}

export interface Work {
  _id: string;
  kind: 'reel' | 'post';
  likeCount: number;
}

/** What somebody has done here with a work or a person, and the counts since. */
export interface OwnResponse {
  liked?: boolean;
  following?: boolean;
  likeCount?: number;
  commentCount?: number;
  shareviews?: number;
  followerCount?: number;
}

/** A comment of the list. `isUnsent`: the server does not know it yet, so nothing can be done with it. */
export interface ShownComment extends Comment {
  isUnsent?: true;
}

export interface ActionDialogProps {
  reel: FeedReel;
  action: Action;
  onClose: () => void;
}

export interface ProfileFormsProps {
  user: SessionUser;
}

/**
 * What a site without an app (INTERACTIONS=web) puts in the place of what leads to the app. Each control asks here, and without an entry
 * it is the one of the specification. docs/interactions.md lists them by route.
 */
export interface Controls {
  /** What the signed-in person has done with a work or a person. */
  useOwn(kind: 'work' | 'person', id: string | undefined): OwnResponse | undefined;
  /** What a press on a work does; `open` opens the dialog for it. */
  usePress(open: (action: Action) => void): (work: Work, action: Action, tapped?: Point) => void;
  /** In place of the player's popup. */
  ActionDialog: ComponentType<ActionDialogProps>;
  CommentField: ComponentType<{ reelId: string }>;
  CommentActions: ComponentType<{ reelId: string; comment: ShownComment }>;
  FollowButton: ComponentType<{
    person: { _id: string; username: string; followerCount?: number };
    className?: string;
  }>;
  /** On a profile. */
  PersonActions: ComponentType<{ person: { _id: string; username: string; followerCount: number } }>;
  /** Below a photo, where the app's buttons are inert or open the popup. */
  PostActions: ComponentType<{ post: { _id: string; likeCount: number }; children?: ReactNode }>;
  /** In Settings, in place of the sentence that says where name, photo and password are changed. */
  ProfileForms: ComponentType<ProfileFormsProps>;
  /** In place of the page about the app, and of the links to its stores. */
  InstallPage: ComponentType;
  InstallLink: ComponentType;
  /** The page with the reels of a category, by its name. */
  categoryPath(name: string): string;
}

/** Empty with an app. Filled before the first page is rendered, and then the same as long as the page or the server lives. */
export let controls: Partial<Controls> = {};

export function setControls(all: Partial<Controls>): void {
  controls = all;
}
