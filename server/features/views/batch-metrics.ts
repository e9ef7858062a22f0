import { Histogram } from 'prom-client';
import type { Metrics } from '#server/platform/metrics.ts';
import type { WrittenBatch } from './recorder.ts';

/** Exports metrics of batches of views. */
export function measureBatches({ registry }: Metrics): (batch: WrittenBatch) => void {
  const size = new Histogram({
    name: 'jhalak_view_batch_views',
    help: 'Views written together in one transaction',
    buckets: [1, 3, 10, 30, 100, 300, 1000, 2000],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'jhalak_view_batch_duration_seconds',
    help: 'What writing one batch of views took; `failed`: none of it was written, and its senders were told',
    labelNames: ['outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return ({ views, failed, seconds: taken }) => {
    size.observe(views);
    seconds.observe({ outcome: failed ? 'failed' : 'written' }, taken);
  };
}
