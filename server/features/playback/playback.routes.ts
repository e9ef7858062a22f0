import { type PlaybackFigure, sendPlaybackFigures } from '#contract/playback.ts';
import { on, type Route } from '#server/platform/route.ts';

export function playbackRoutes(measure: (figure: PlaybackFigure) => void): Route[] {
  return [
    on(sendPlaybackFigures, async ({ body }) => {
      for (const figure of body.figures) measure(figure);
      return {};
    }),
  ];
}
