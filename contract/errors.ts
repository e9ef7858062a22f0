import { z } from 'zod';

/**
 * Every error a program can meet, with the HTTP status it travels under.
 * The code is stable; the sentence beside it in an answer is for a person and may change.
 */
export const errorStatus = {
  invalid_input: 400,
  missing_fields: 400,
  password_mismatch: 400,
  too_many_categories: 400,
  unknown_category: 400,
  bad_cursor: 400,
  not_signed_in: 401,
  invalid_credentials: 401,
  not_yours: 403,
  not_allowed: 403,
  suspended: 403,
  not_found: 404,
  email_taken: 409,
  username_taken: 409,
  upload_unknown: 409,
  upload_used: 409,
  file_too_large: 413,
  file_missing: 400,
  file_empty: 422,
  file_not_video: 415,
  file_not_image: 415,
  file_unreadable: 422,
  file_incomplete: 422,
  video_too_long: 422,
  image_too_many_pixels: 422,
  upload_interrupted: 400,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** What every failed call answers (decisions §2). `error` and `message` hold the same sentence. */
export const failure = z.object({
  status: z.literal('error'),
  error: z.string(),
  message: z.string(),
  code: z.string(),
  /** The field of the body the sentence is about, where there is one. */
  field: z.string().optional(),
  requestId: z.string(),
});
export type Failure = z.infer<typeof failure>;
