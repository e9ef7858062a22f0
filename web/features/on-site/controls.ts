import type { Controls } from '../interactions/controls.ts';
import { fetchedPart } from '../offline/fetched-part.tsx';
import { CommentActions } from './comment-actions.tsx';
import { CommentField } from './comment-field.tsx';
import { FollowButton } from './follow-button.tsx';
import { InstallLink } from './install-link.tsx';
import { InstallPage } from './install-page.tsx';
import { PersonActions } from './person-actions.tsx';
import { PostActions } from './post-actions.tsx';
import { useOwn } from './use-own.ts';
import { usePress } from './use-press.ts';

/** Everything that a site without an app does itself (INTERACTIONS=web). */
export const onSite: Controls = {
  useOwn,
  usePress,
  ActionDialog: fetchedPart(() => import('./action-dialog.tsx')),
  CommentField,
  CommentActions,
  FollowButton,
  PersonActions,
  PostActions,
  ProfileForms: fetchedPart(() => import('./profile-forms.tsx')),
  InstallPage,
  InstallLink,
  categoryPath: (name) => `/search?${new URLSearchParams({ q: name })}`,
};
