import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { invalid } from './invalid.ts';
import { photoErrors } from './photos.ts';
import { uploadReelFile, uploadResult } from './reels.ts';

/** The kind of content that a chunked upload is for. */
export const sentKinds = ['reel', 'thumbnail', 'post', 'story'] as const;
export type SentKind = (typeof sentKinds)[number];

/** The address of chunked uploads by the tus protocol (docs/decisions/0010-resumable-uploads.md). */
export const uploadsPath = '/api/uploads';

/** Maximum number of unfinished uploads of one person. */
export const unfinishedAtMost = 10;

export const finishUpload = endpoint({
  method: 'POST',
  path: '/api/uploads/:key/finish',
  summary:
    'Check a file that was uploaded in chunks (tus 1.0.0 at /api/uploads, metadata `kind`: reel, thumbnail, post or story; for a video that was compressed before the upload also `original`: SHA-256 of the original in hex); a repeated request returns the same response',
  tag: 'Uploads',
  access: 'person',
  limit: { perPerson: 120 },
  seconds: 180,
  params: z.object({ key: z.string().regex(/^[0-9a-f]{32}$/, { error: invalid('upload_key') }) }),
  response: uploadResult.extend({
    kind: z.enum(['video', 'image']),
    /** The same file was published before: publishing it again earns nothing (decisions §4). */
    duplicate: z.boolean(),
  }),
  errors: [...new Set([...uploadReelFile.errors, ...photoErrors]), 'upload_incomplete', 'not_found'],
});
