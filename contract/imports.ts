import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { invalid } from './invalid.ts';
import { limits } from './limits.ts';

/** Message if the link is missing or not supported (specification §5). */
const linkMissing = invalid('link');

const link = z
  .string({ error: linkMissing })
  .max(limits.link, { error: linkMissing })
  .refine((value) => value.trim() !== '', { error: linkMissing });

const errors = [
  'link_invalid',
  'link_failed',
  'import_busy',
  'import_limit',
  'too_much_unpublished',
  'file_not_video',
  'video_kind_refused',
  'file_unreadable',
  'file_incomplete',
  'video_too_long',
  'image_too_many_pixels',
] as const;

/** Maximum duration of an import in seconds; most take a few seconds. */
const longestImport = 6 * 60;

export const downloadVideo = endpoint({
  method: 'POST',
  path: '/api/link/download-video',
  summary:
    'Import a public YouTube or Instagram video from its link, to watch and save; with a login also to publish it as a reel',
  tag: 'Reels',
  access: 'known',
  limit: { perPerson: 20, perNetwork: 300 },
  seconds: longestImport,
  body: z.object({ link }),
  response: ok({
    /** A copy to watch and save, for a day, or for an hour without a login. */
    fileUrl: z.string(),
    /** The uploaded frame at 1 s: `thumbnillurl` of /api/reel/add. */
    thumbnailUrl: z.string(),
    /** `videoKey` of /api/reel/add; absent without a login, since only signed-in people can publish. */
    fileName: z.string().optional(),
    title: z.string(),
    /** The public page of the video: `sourceUrl` of /api/reel/add. */
    sourceUrl: z.string(),
    /** Whether the same file was published before; a duplicate earns nothing (decisions §4). */
    duplicate: z.boolean(),
  }),
  errors,
});

export const fetchInstagram = endpoint({
  method: 'POST',
  path: '/api/instagram',
  summary: 'Import a public Instagram video, to watch and save',
  tag: 'Reels',
  access: 'person',
  limit: { perPerson: 20 },
  seconds: longestImport,
  body: z.object({ url: link }),
  response: ok({ success: z.literal(true), videoUrl: z.string() }),
  errors,
});
