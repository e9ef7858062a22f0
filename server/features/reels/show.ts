import { type Category, categoryOf } from '#contract/categories.ts';
import type { Comment, Reel } from '#contract/reels.ts';
import { captionsFile, reelFiles, thumbnailFile } from '#server/media/file-names.ts';
import { hiddenBecause, waitsOf } from '../copies/waiting.ts';
import { cardOf, mediaUrl, pictureUrl } from '../stored-files/urls.ts';
import type { CommentRow, ReelRow } from './reels.queries.ts';

/** Whether a reel that is not deleted is public. */
export function isPublic(row: { state: string; taken_down_at: Date | null }): boolean {
  return row.state === 'ready' && !row.taken_down_at;
}

/** Converts a row to the contract's form. */
export function asReel(row: ReelRow, mediaOrigin: string): Reel {
  const shown = isPublic(row);
  const pictures = row.cover_key ?? row.media_key;
  const file = (name: string) => (shown ? mediaUrl(mediaOrigin, row.media_key, name) : '');
  const picture = (name: string) => (shown ? mediaUrl(mediaOrigin, pictures, name) : '');
  return {
    _id: row.id,
    userId: row.creator_id,
    username: row.username,
    userProfilePic: pictureUrl(row.picture_key, mediaOrigin),
    caption: row.caption,
    creadit: row.credit,
    source: row.source_url,
    videourl: file(reelFiles.video),
    videoKey: row.media_key,
    thumbnillurl:
      row.thumbnail_key && !row.cover_key && !row.taken_down_at
        ? mediaUrl(mediaOrigin, row.thumbnail_key, thumbnailFile)
        : picture(reelFiles.tile),
    posterurl: picture(reelFiles.poster),
    tileurl: picture(reelFiles.tile),
    ...(shown ? { card: cardOf(pictures, row) } : {}),
    placeholder: row.placeholder,
    width: row.width,
    height: row.height,
    duration: row.seconds,
    renditions: row.renditions.map(({ file: name, ...facts }) => ({ ...facts, url: file(name) })),
    captionTracks: captionTracksOf(row, mediaOrigin),
    category: row.categories
      .map(categoryOf)
      .filter((category): category is Category => category !== undefined),
    views: row.views,
    likes: row.likes,
    likeCount: row.like_count,
    comments: row.comments.map((comment) => asComment(comment, mediaOrigin)),
    commentCount: row.comment_count,
    shareviews: row.share_count,
    state: row.state,
    ...(row.state === 'processing' && row.progress !== null ? { progress: row.progress } : {}),
    failure: row.failure,
    ...(row.failure_reason ? { failureReason: row.failure_reason } : {}),
    ...(row.sound_lost ? { soundLost: true } : {}),
    takenDown: hiddenBecause(row),
    ...waitsOf(row),
    ...(row.label ? { label: row.label } : {}),
    duplicate: row.duplicate,
    createdAt: (row.published_at ?? row.uploaded_at).toISOString(),
    ...(row.edited_at ? { editedAt: row.edited_at.toISOString() } : {}),
  };
}

/** URLs of the captions; none while the reel is not public. */
export function captionTracksOf(
  row: Pick<ReelRow, 'state' | 'taken_down_at' | 'captions'>,
  mediaOrigin: string,
): Reel['captionTracks'] {
  return row.captions.map(({ language, key }) => ({
    language,
    url: isPublic(row) ? mediaUrl(mediaOrigin, key, captionsFile(language)) : '',
  }));
}

/** Converts a comment to the contract's form. Comments embedded in a reel have their time as text. */
export function asComment(
  row: Omit<CommentRow, 'created_at'> & { created_at: string | Date },
  mediaOrigin: string,
): Comment {
  return {
    _id: row.id,
    userId: row.person_id,
    username: row.username,
    profilePic: pictureUrl(row.picture_key, mediaOrigin),
    text: row.text,
    createdAt: new Date(row.created_at).toISOString(),
    ...(row.parent_id ? { parentId: row.parent_id } : {}),
  };
}
