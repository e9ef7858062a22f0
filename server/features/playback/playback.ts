import { Counter, Histogram } from 'prom-client';
import type { PlaybackFigure } from '#contract/playback.ts';
import type { Metrics } from '#server/platform/metrics.ts';

/**
 * Counts the playback figures that browsers send. Anybody can send any figure, so they are limited by the contract,
 * stored only as sums over all clients, and never used for decisions.
 */
export function measurePlayback({ registry }: Metrics): (figure: PlaybackFigure) => void {
  const registers = [registry];
  const labelNames = ['rendition'] as const;
  const firstFrame = new Histogram({
    name: 'jhalak_playback_first_frame_seconds',
    help: 'From the wish to see a video to its first frame, as browsers say',
    labelNames,
    buckets: [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30],
    registers,
  });
  const neverStarted = new Counter({
    name: 'jhalak_playback_never_started_total',
    help: 'Videos left before their first frame',
    labelNames,
    registers,
  });
  const stalls = new Histogram({
    name: 'jhalak_playback_stalls',
    help: 'How often one video stood still for want of data',
    labelNames,
    buckets: [0, 1, 2, 3, 5, 10, 30],
    registers,
  });
  const stalled = new Counter({
    name: 'jhalak_playback_stalled_seconds_total',
    help: 'How long videos stood still for want of data',
    labelNames,
    registers,
  });
  const watched = new Counter({
    name: 'jhalak_playback_watched_seconds_total',
    help: 'How long videos were watched',
    labelNames,
    registers,
  });
  return (figure) => {
    const labels = { rendition: figure.rendition };
    if (figure.firstFrameMs === null) neverStarted.inc(labels);
    else firstFrame.observe(labels, figure.firstFrameMs / 1000);
    stalls.observe(labels, figure.stalls);
    stalled.inc(labels, figure.stalledMs / 1000);
    watched.inc(labels, figure.watchedMs / 1000);
  };
}
