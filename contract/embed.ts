import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';

const side = z.coerce.number().int().min(1).max(100_000).optional().describe('Pixels');

/** How other sites may show a page (oembed.com). */
export const getEmbed = endpoint({
  method: 'GET',
  path: '/api/oembed',
  summary: 'oEmbed: how another site shows a reel or photo, by the address of its page',
  tag: 'Site',
  access: 'anyone',
  // Sites ask, not their visitors.
  limit: { perNetwork: 600 },
  query: z.object({
    url: z.string().max(2000).describe('Of `/videoplayer?reel=…`, `/embed/…` or `/post/…` on this site'),
    format: z.string().max(20).default('json').describe('Only json'),
    maxwidth: side,
    maxheight: side,
  }),
  response: ok({
    /** `link`: there is no room for the reel. */
    type: z.enum(['video', 'photo', 'link']),
    version: z.literal('1.0'),
    title: z.string(),
    author_name: z.string(),
    author_url: z.string(),
    provider_name: z.string(),
    provider_url: z.string(),
    width: z.int().optional(),
    height: z.int().optional(),
    /** Of a reel: an `iframe`. */
    html: z.string().optional(),
    /** Of a photo: its picture. */
    url: z.string().optional(),
    /** Absent if no picture is small enough. */
    thumbnail_url: z.string().optional(),
    thumbnail_width: z.int().optional(),
    thumbnail_height: z.int().optional(),
  }),
  errors: ['not_found', 'format_unknown'],
});
