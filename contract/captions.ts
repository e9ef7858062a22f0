import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id } from './fields.ts';
import { invalid } from './invalid.ts';
import { limits } from './limits.ts';
import { reel } from './reels.ts';

const params = z.object({
  id,
  /** A BCP 47 language tag, with script or region if needed. */
  language: z.string().regex(/^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i, {
    error: invalid('language'),
  }),
});
/** All captions of the reel after the change. */
const response = ok({ data: reel.shape.captionTracks });

export const setCaptions = endpoint({
  method: 'POST',
  path: '/api/reel/captions/:id/:language',
  summary:
    'Upload captions for one of your reels, as the multipart part `file` (WebVTT); captions in the same language are replaced',
  tag: 'Reels',
  access: 'person',
  limit: { perPerson: 30 },
  params,
  file: { maxBytes: limits.captions.maxBytes },
  response,
  errors: [
    'file_missing',
    'file_empty',
    'file_too_large',
    'captions_invalid',
    'too_many_captions',
    'upload_interrupted',
    'not_yours',
    'not_allowed',
    'not_found',
  ],
});

export const removeCaptions = endpoint({
  method: 'DELETE',
  path: '/api/reel/captions/:id/:language',
  summary: 'Remove the captions in a language from one of your reels; idempotent',
  tag: 'Reels',
  access: 'person',
  limit: { perPerson: 60 },
  params,
  response,
  errors: ['not_yours', 'not_found'],
});
