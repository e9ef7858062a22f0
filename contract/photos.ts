import { z } from 'zod';
import { ok } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { text } from './fields.ts';
import { invalid } from './invalid.ts';
import { limits } from './limits.ts';

/** Message if a post or story has no photo (specification §5). */
const photoMissing = invalid('photo');

/** The photo of a post or story. */
export const photoUpload = { maxBytes: limits.photo.maxBytes, missing: 'photo', waits: true } as const;

export const uploadedPhoto = ok({
  /** A JPEG, which every client can show. */
  fileUrl: z.string(),
  fileName: z.string(),
  /** Whether the same file was published before; a duplicate earns nothing (decisions §4). */
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

/** The file name from the response of an upload. */
export const photoName = text(200, photoMissing).min(1, { error: photoMissing });
