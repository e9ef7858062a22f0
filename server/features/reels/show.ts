import { type Category, categoryOf } from '../../../contract/categories.ts';
import type { Reel } from '../../../contract/reels.ts';
import { mediaUrl, pictureUrl, reelFiles, thumbnailFile } from '../media/urls.ts';
import type { CommentRow, ReelRow } from './reels.queries.ts';

/** A row as the contract shows it. */
export function asReel(row: ReelRow, mediaOrigin: string): Reel {
  const ready = row.state === 'ready';
  const file = (name: string) => (ready ? mediaUrl(mediaOrigin, row.media_key, name) : '');
  return {
    _id: row.id,
    userId: row.creator_id,
    username: row.username,
    userProfilePic: pictureUrl(row.picture_key, mediaOrigin),
    caption: row.caption,
    creadit: row.credit,
    videourl: file(reelFiles.video),
    videoKey: row.media_key,
    thumbnillurl: row.thumbnail_key
      ? mediaUrl(mediaOrigin, row.thumbnail_key, thumbnailFile)
      : file(reelFiles.tile),
    posterurl: file(reelFiles.poster),
    tileurl: file(reelFiles.tile),
    placeholder: row.placeholder,
    width: row.width,
    height: row.height,
    duration: row.seconds,
    category: row.categories.map(categoryOf).filter((one): one is Category => one !== undefined),
    views: row.views,
    likes: row.likes,
    likeCount: row.like_count,
    comments: row.comments.map((comment) => asComment(comment, mediaOrigin)),
    commentCount: row.comment_count,
    shareviews: row.share_count,
    state: row.state,
    failure: row.failure,
    duplicate: row.duplicate,
    createdAt: (row.published_at ?? row.uploaded_at).toISOString(),
  };
}

function asComment(row: CommentRow, mediaOrigin: string): Reel['comments'][number] {
  return {
    _id: row.id,
    userId: row.person_id,
    username: row.username,
    profilePic: pictureUrl(row.picture_key, mediaOrigin),
    text: row.text,
    createdAt: new Date(row.created_at).toISOString(),
  };
}
