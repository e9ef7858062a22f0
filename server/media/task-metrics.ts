import { Histogram } from 'prom-client';
import type { Metrics } from '../platform/metrics.ts';
import { onTaskEnded } from './ended-tasks.ts';

/** Measures the media work of this process, by task and outcome. Returns a function that stops it. */
export function measureMedia({ registry }: Metrics): () => void {
  const seconds = new Histogram({
    name: 'jhalak_media_task_duration_seconds',
    help: 'Tasks on media in child processes; `refused`: the file is at fault, `failed`: we are, `stopped`: to be done again',
    labelNames: ['task', 'outcome'],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600],
    registers: [registry],
  });
  return onTaskEnded(({ task, outcome, seconds: taken }) => seconds.observe({ task, outcome }, taken));
}
