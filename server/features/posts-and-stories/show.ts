import type { Post } from '#contract/posts.ts';
import type { Story } from '#contract/stories.ts';
import { photoFile } from '#server/media/file-names.ts';
import { hiddenBecause, waitsOf } from '../copies/waiting.ts';
import { avifOf, mediaUrl, photoCard, pictureUrl, renditionsOf } from '../stored-files/urls.ts';
import type { PostRow } from './posts.queries.ts';
import type { StoryRow } from './stories.queries.ts';

/** Converts a row to the contract's form. */
export function asPost(row: PostRow, mediaOrigin: string): Post {
  const { caption, description, likes, like_count: likeCount } = row;
  const edited = row.edited_at ? { editedAt: row.edited_at.toISOString() } : {};
  const label = row.label ? { label: row.label } : {};
  return { ...photoFields(row, mediaOrigin), ...edited, ...label, caption, description, likes, likeCount };
}

/** Converts a row to the contract's form. `over` means that its 24 hours have passed; only its owner reads how many saw it. */
export function asStory(
  row: StoryRow,
  mediaOrigin: string,
  { over, isOwn }: { over: boolean; isOwn: boolean },
): Story {
  const fields = photoFields(row, mediaOrigin);
  const seen = isOwn ? { seenBy: row.seen_by } : {};
  return { ...fields, ...seen, statustext: row.status_text, type: 'image', finish: over ? 1 : 0 };
}

/** What posts and stories have in common. */
function photoFields(row: Pick<PostRow, keyof PostRow & keyof StoryRow>, mediaOrigin: string) {
  return {
    _id: row.id,
    userId: row.creator_id,
    username: row.username,
    profilePic: pictureUrl(row.picture_key, mediaOrigin),
    imageurl: row.taken_down_at ? '' : mediaUrl(mediaOrigin, row.media_key, photoFile),
    fileName: row.media_key,
    renditions: row.taken_down_at ? [] : renditionsOf(mediaOrigin, row.media_key, row.widths),
    ...(row.taken_down_at ? {} : { ...avifOf(mediaOrigin, row), card: photoCard(row.media_key, row) }),
    placeholder: row.placeholder,
    width: row.width,
    height: row.height,
    duplicate: row.duplicate,
    takenDown: hiddenBecause(row),
    ...waitsOf(row),
    createdAt: row.published_at.toISOString(),
  };
}
