import type { Post } from '#contract/posts.ts';
import { photoFile } from '#server/media/file-names.ts';
import { avifOf, mediaUrl, pictureUrl, renditionsOf } from '../stored-files/urls.ts';
import type { PostRow } from './posts.queries.ts';

/** Converts a row to the contract's form. */
export function asPost(row: PostRow, mediaOrigin: string): Post {
  return {
    _id: row.id,
    userId: row.creator_id,
    username: row.username,
    profilePic: pictureUrl(row.picture_key, mediaOrigin),
    caption: row.caption,
    description: row.description,
    imageurl: row.taken_down_at ? '' : mediaUrl(mediaOrigin, row.media_key, photoFile),
    fileName: row.media_key,
    renditions: row.taken_down_at ? [] : renditionsOf(mediaOrigin, row.media_key, row.widths),
    ...(row.taken_down_at ? {} : avifOf(mediaOrigin, row)),
    placeholder: row.placeholder,
    width: row.width,
    height: row.height,
    likes: row.likes,
    likeCount: row.like_count,
    duplicate: row.duplicate,
    takenDown: row.taken_down_reason,
    createdAt: row.published_at.toISOString(),
  };
}
