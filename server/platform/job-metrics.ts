import type { PgBoss } from 'pg-boss';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** How an attempt ended. `failed`: it was the last one; `retried`: the job will run again; `handed_back`: this process stopped. */
export type JobOutcome = 'done' | 'retried' | 'failed' | 'handed_back';

export interface JobMetrics {
  countAttempt(queue: string, outcome: JobOutcome): void;
  observeDuration(queue: string, seconds: number): void;
}

/** Measures attempts of jobs, and samples the sizes of these queues on each scrape. */
export function measureJobs(
  boss: Pick<PgBoss, 'getQueues'>,
  queues: readonly string[],
  metrics: Metrics,
): JobMetrics {
  const registers = [metrics.registry];
  const jobs = new Counter({
    name: 'jhalak_jobs_total',
    help: 'Attempts of jobs by outcome; `failed` once for each job whose last attempt failed, `handed_back` by a process that stopped',
    labelNames: ['queue', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'jhalak_job_duration_seconds',
    help: 'Duration of one attempt of a job, whatever its outcome',
    labelNames: ['queue'],
    buckets: [0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600],
    registers,
  });
  const waiting = new Gauge({
    name: 'jhalak_queue_jobs',
    help: 'Jobs of all processes, as counted every few seconds: waiting, and running',
    labelNames: ['queue', 'state'],
    registers,
  });
  metrics.sample('queues', [waiting], async () => {
    for (const { name, queuedCount, activeCount } of await boss.getQueues([...queues])) {
      waiting.set({ queue: name, state: 'waiting' }, queuedCount);
      waiting.set({ queue: name, state: 'running' }, activeCount);
    }
  });
  return {
    countAttempt: (queue, outcome) => jobs.inc({ queue, outcome }),
    observeDuration: (queue, taken) => seconds.observe({ queue }, taken),
  };
}
