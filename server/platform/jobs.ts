import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { fromKysely, type JobWithMetadata, PgBoss, type Queue } from 'pg-boss';
import type { Tables } from './database/tables.ts';
import { inTransaction } from './database/transaction.ts';
import { measureJobs } from './job-metrics.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { isTransient } from './transient-errors.ts';

/** A kind of job: its name, the type of its data, and how it is retried. */
export interface JobKind<Data extends object> {
  name: string;
  /** Number of retries after the first attempt. A process that stops, or is killed, uses up one of each job that it runs. */
  retries: number;
  /** Longest time of one attempt, in seconds. */
  seconds: number;
  /** The person who owns the job: of each person one job of a kind runs at a time. */
  ownerOf?(data: Data): string | undefined;
  /** No person waits for its result, so its queue is polled less often. */
  isPatient?: true;
  /** Only carries the type of `data`. */
  data?: Data;
}

export interface Attempt<Data> {
  data: Data;
  /** Aborted when the server stops or the attempt takes too long. */
  signal: AbortSignal;
}

interface Sending {
  /** Delay of the first attempt, in seconds. */
  startAfter?: number;
  /** How many jobs of the same owner come before it: everybody's first job runs before anybody's second. */
  ahead?: number;
}

export interface Jobs {
  /** Sends a job as part of the transaction: it exists only if the transaction commits. */
  send<Data extends object>(
    trx: Transaction<Tables>,
    kind: JobKind<Data>,
    data: Data,
    options?: Sending,
  ): Promise<void>;
  /** Runs jobs. `giveUp` is called for each job whose last attempt failed, whether it threw or its worker died. */
  work<Data extends object>(
    kind: JobKind<Data>,
    atOnce: number,
    run: (attempt: Attempt<Data>) => Promise<void>,
    giveUp?: (data: Data) => Promise<void>,
  ): Promise<void>;
  /** Runs `kind` by a cron expression, once for all servers together. */
  repeat(kind: JobKind<object>, cron: string): Promise<void>;
  /** Returns running jobs to the queue, where the next free worker retries them. */
  stop(): Promise<void>;
}

// The job of a dead worker is retried this many seconds after its last heartbeat.
const heartbeatSeconds = 10;
/** Ended jobs are deleted after this many seconds. A backup reads past them. */
const deleteAfterSeconds = 24 * 60 * 60;
/** How often the queue of a patient kind is polled: every so many seconds. */
const patientSeconds = 5;
/** Pause before a job retries after a transient error, in milliseconds. */
const outagePause = 3000;

interface JobsOptions {
  metrics?: Metrics;
  /** Whether this process sends scheduled jobs, and retries the jobs of dead workers. */
  tends?: boolean;
  /** Whether a new job notifies its workers (LISTEN/NOTIFY), so that they poll less often. Not through a transaction pooler, which forwards no notifications. */
  wakes?: boolean;
  /** The most connections of its own, beside the one that it listens on. */
  connections?: number | undefined;
}

/** Jobs on the same database (pg-boss), in its own schema, of which only its public functions know the tables. */
export async function openJobs(
  url: string,
  kinds: readonly JobKind<object>[],
  onError: (error: Error) => void,
  { metrics = createMetrics(), tends = true, wakes = false, connections = 4 }: JobsOptions = {},
): Promise<Jobs> {
  // The timeout ends queries on a dead connection, so that the pool opens a new one.
  const pool = { connectionString: url, max: connections, keepAlive: true, query_timeout: 60_000 };
  const boss = new PgBoss({
    ...pool,
    useListenNotify: wakes,
    monitorIntervalSeconds: 5,
    superviseIntervalSeconds: 5,
    supervise: tends,
    schedule: tends,
  });
  let stopping = false;
  boss.on('error', (error) => {
    // While we stop, workers may poll on connections that are being closed: such errors are expected.
    if (!stopping) onError(error);
  });
  await boss.start();
  type QueueOptions = Omit<Queue, 'name'>;
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  // Only what is new or differs is written, since a server starts much more often than its queues change.
  const prepareQueue = async (name: string, options: QueueOptions) => {
    const queue: QueueOptions | undefined = existing.get(name);
    if (!queue) return await boss.createQueue(name, options);
    const keys = Object.keys(options) as (keyof QueueOptions)[];
    if (keys.some((key) => queue[key] !== options[key])) await boss.updateQueue(name, options);
  };
  const waking = { notify: true, deleteAfterSeconds };
  for (const kind of kinds) {
    const deadLetter = deadLetterQueueOf(kind);
    await prepareQueue(deadLetter, { ...waking, retryLimit: 20, retryDelay: 5, retryBackoff: true });
    await prepareQueue(kind.name, {
      ...waking,
      retryLimit: kind.retries,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds: kind.seconds,
      heartbeatSeconds,
      deadLetter,
    });
  }

  const metered = measureJobs(
    boss,
    kinds.map(({ name }) => name),
    metrics,
  );

  /** Runs and measures one attempt. A last failed attempt is counted by the dead letter queue, which also sees dead workers. */
  async function attempt<Data extends object>(
    { name }: JobKind<Data>,
    job: JobWithMetadata<Data>,
    run: (attempt: Attempt<Data>) => Promise<void>,
  ): Promise<void> {
    const { data, signal } = job;
    const started = performance.now();
    try {
      await retryTransientErrors(signal, () => run({ data, signal }));
      metered.countAttempt(name, 'done');
    } catch (error) {
      if (stopping) metered.countAttempt(name, 'handed_back');
      else if (job.retryCount < job.retryLimit) metered.countAttempt(name, 'retried');
      throw error;
    } finally {
      metered.observeDuration(name, (performance.now() - started) / 1000);
    }
  }

  return {
    async send(trx, kind, data, { startAfter = 0, ahead = 0 } = {}) {
      const owner = kind.ownerOf?.(data);
      const group = owner === undefined ? {} : { group: { id: owner } };
      await boss.send(kind.name, data, { db: fromKysely(trx), startAfter, priority: -ahead, ...group });
    },
    async work(kind, atOnce, run, giveUp) {
      type Data = NonNullable<typeof kind.data>;
      const working = {
        pollingIntervalSeconds: kind.isPatient ? patientSeconds : 0.5,
        // Retries and delayed jobs send no notification, so they are polled for.
        notifyPollingIntervalSeconds: kind.isPatient ? 6 * patientSeconds : 1,
        localConcurrency: atOnce,
        groupConcurrency: 1,
        includeMetadata: true,
      } as const;
      await boss.work<Data, void, typeof working>(kind.name, working, async ([job]) => {
        if (job) await attempt(kind, job, run);
      });
      // The dead letter queue is not urgent, so it is polled less often. It sends no notification.
      const failing = {
        pollingIntervalSeconds: giveUp ? 2 : patientSeconds,
        notifyPollingIntervalSeconds: giveUp ? 2 : patientSeconds,
      };
      await boss.work<Data>(deadLetterQueueOf(kind), failing, async ([job]) => {
        if (job && giveUp) await giveUp(job.data);
        metered.countAttempt(kind.name, 'failed');
      });
    },
    async repeat(kind, cron) {
      await boss.schedule(kind.name, cron);
    },
    async stop() {
      stopping = true;
      await boss.stop({ graceful: false, close: true });
    },
  };
}

/** Retries after transient errors of the database or the disk, which must not use up the retries of the job. */
async function retryTransientErrors(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error;
      await sleep(outagePause, undefined, { signal });
    }
  }
}

/** An unfinished job, and how many jobs of the same owner come before it. */
export interface UnfinishedJob {
  name: string;
  data: object;
  ahead?: number;
}

/** All unfinished jobs, read in the snapshot of `db`. */
export async function unfinishedJobs(db: Kysely<Tables>): Promise<UnfinishedJob[]> {
  const boss = new PgBoss({ db: fromKysely(db), migrate: false, supervise: false, schedule: false });
  if (!(await boss.isInstalled())) return [];
  await boss.start();
  try {
    const unfinished: JobWithMetadata[] = [];
    for (const { name } of await boss.getQueues())
      for (const job of await boss.findJobs<object>(name))
        if (['created', 'retry', 'active'].includes(job.state)) unfinished.push(job);
    return unfinished
      .toSorted((job, other) => Number(job.createdOn) - Number(other.createdOn))
      .map(({ name, data, priority }) => ({
        name,
        data: data ?? {},
        ...(priority < 0 ? { ahead: -priority } : {}),
      }));
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Sends unfinished jobs of a backup to this queue, each in its own transaction. Jobs of unknown kinds are dropped. */
export async function resendUnfinishedJobs(
  { db, url }: { db: Kysely<Tables>; url: string },
  kinds: readonly JobKind<object>[],
  unfinished: readonly UnfinishedJob[],
  onError: (error: Error) => void,
): Promise<void> {
  const known = new Map<string, JobKind<object>>(
    kinds.flatMap((kind) => [
      [kind.name, kind],
      [deadLetterQueueOf(kind), { name: deadLetterQueueOf(kind), retries: 0, seconds: 0 }],
    ]),
  );
  const jobs = await openJobs(url, kinds, onError);
  try {
    for (const { name, data, ahead = 0 } of unfinished) {
      const kind = known.get(name);
      if (kind) await inTransaction(db, (trx) => jobs.send(trx, kind, data, { ahead }));
    }
  } finally {
    await jobs.stop();
  }
}

/** The dead letter queue of a kind, for jobs whose last attempt failed. */
const deadLetterQueueOf = (kind: JobKind<object>) => `${kind.name}-given-up`;
