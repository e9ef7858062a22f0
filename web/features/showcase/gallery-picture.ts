import type { ShownPicture } from '../posts/picture.tsx';
import { pageOf } from './page-of.ts';

/** A picture on a profile, which opens enlarged. */
export interface GalleryPicture {
  id: string;
  caption: string;
  post: ShownPicture;
  page: string | undefined;
}

export const galleryPicture = (
  kind: 'post' | 'story',
  post: ShownPicture & { _id: string },
): GalleryPicture => ({ id: post._id, caption: post.caption, post, page: pageOf(kind, post._id) });
