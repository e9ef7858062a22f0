import { z } from 'zod';
import { crowd, endpoint, ok } from './endpoint.ts';
import { invalid } from './invalid.ts';

/** Figures of one played video, without the video or the viewer. */
const playbackFigure = z.object({
  /** Milliseconds from the start to the first frame; null if there was none. */
  firstFrameMs: z.int().min(0).max(120_000).nullable(),
  /** Number and total duration of stalls, in which the video waited for data. */
  stalls: z.int().min(0).max(1000),
  stalledMs: z.int().min(0).max(3_600_000),
  watchedMs: z.int().min(0).max(86_400_000),
  /** Short side of the rendition in pixels; 0 for a file without renditions. */
  rendition: z.union([z.literal(0), z.literal(360), z.literal(540), z.literal(720)]),
});
export type PlaybackFigure = z.infer<typeof playbackFigure>;

export const sendPlaybackFigures = endpoint({
  method: 'POST',
  path: '/api/playback',
  summary: 'Report playback figures of videos, which are added to histograms and not stored individually',
  tag: 'Site',
  access: 'anyone',
  limit: { perNetwork: crowd },
  body: z.object({
    figures: z
      .array(playbackFigure, { error: invalid('figures') })
      .min(1, { error: invalid('figures_none') })
      .max(20, { error: invalid('figures_many', { most: 20 }) }),
  }),
  response: ok({}),
});
