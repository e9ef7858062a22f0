import { z } from 'zod';
import { ok } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { text } from './fields.ts';
import { limits } from './limits.ts';

/** Said where a post or a story comes without its photo (specification §5). */
export const photoMissing = 'Please select a photo!';

/** One photo, for a post or a story. */
export const photoUpload = { maxBytes: limits.photo.maxBytes, missing: photoMissing, waits: true };

export const uploadedPhoto = ok({
  /** The JPEG that everything reads. */
  fileUrl: z.string(),
  fileName: z.string(),
  /** The same file was published before: publishing it again earns nothing (decisions §4). */
  duplicate: z.boolean(),
});

export const photoErrors = [
  'file_missing',
  'file_empty',
  'file_not_image',
  'file_unreadable',
  'file_too_large',
  'image_too_many_pixels',
  'upload_interrupted',
  'too_much_unpublished',
] as const satisfies readonly ErrorCode[];

/** The name that an upload answered with. */
export const photoName = text(200, photoMissing).min(1, { error: photoMissing });
