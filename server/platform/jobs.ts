import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { fromKysely, type JobWithMetadata, PgBoss, type Queue } from 'pg-boss';
import type { Tables } from './database/tables.ts';
import { inTransaction } from './database/transaction.ts';
import { measureJobs } from './job-metrics.ts';
import { createMetrics } from './metrics.ts';
import { neighboursOf } from './networks.ts';
import { isTransient } from './transient-errors.ts';

/** A kind of job: its name, the type of its data, and how it is retried. */
export interface JobKind<Data extends object> {
  name: string;
  /** Number of retries after the first attempt. */
  retries: number;
  /** Longest time of one attempt, in seconds. */
  seconds: number;
  /** The person who owns the job. Kinds with owners are scheduled fairly between people (docs/decisions/0027-fair-media.md). */
  ownerOf?(data: Data): string | undefined;
  /** Seconds after which an attempt pauses to let waiting work of other people run in its place. */
  slice?: number;
  /** Only carries the type of `data`. */
  data?: Data;
}

/** Lets a long attempt pause while jobs of other people run. */
export interface Lending {
  after: number;
  /** Takes a waiting job of another person, if there is one; returns a function that runs it and never throws. */
  take(): Promise<(() => Promise<void>) | undefined>;
}

export interface Attempt<Data> {
  data: Data;
  /** Aborted when the server stops or the attempt takes too long. */
  signal: AbortSignal;
  lending?: Lending;
}

export interface Jobs {
  /** Sends a job as part of the transaction: it exists only if the transaction commits. */
  send<Data extends object>(
    trx: Transaction<Tables>,
    kind: JobKind<Data>,
    data: Data,
    /** Delay of the first attempt, in seconds. */
    startAfter?: number,
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
/** Maximum of paused attempts below a running one: each of them keeps its memory. */
const maxPaused = 2;
/** How often a job that may not pause goes back to the queue for others, before it runs to its end. */
const maxYields = 3;
/** Pause before a job retries after a transient error, in milliseconds. */
const outagePause = 3000;

/** Jobs on the same database (pg-boss), in its own schema. */
export async function openJobs(
  url: string,
  kinds: readonly JobKind<object>[],
  onError: (error: Error) => void,
  metrics = createMetrics(),
): Promise<Jobs> {
  // The timeout ends queries on a dead connection, so that the pool opens a new one.
  const connections = { connectionString: url, max: 4, keepAlive: true, query_timeout: 60_000 };
  const boss = new PgBoss({
    ...connections,
    monitorIntervalSeconds: 2,
    superviseIntervalSeconds: 2,
  });
  let stopping = false;
  const running = new Set<string>();
  /** Jobs that run in the place of a paused one. */
  const lent = new Map<string, { name: string; job: Job }>();
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
  for (const kind of kinds) {
    const deadLetter = deadLetterQueueOf(kind);
    await prepareQueue(deadLetter, { retryLimit: 20, retryDelay: 5, retryBackoff: true });
    await prepareQueue(kind.name, {
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

  /** Returns running jobs to the queue. Each gets one more retry, since it did not fail. */
  async function handBack(): Promise<void> {
    await boss
      .getDb()
      .executeSql(
        `update pgboss.job set retry_limit = retry_limit + 1 where id = any($1::uuid[]) and state = 'active'`,
        [[...running]],
      );
    // pg-boss returns the jobs of its own workers itself.
    for (const { name, job } of lent.values()) await boss.fail(name, job, { message: 'handed back' });
  }

  /** Runs and measures one attempt. A last failed attempt is counted by the dead letter queue, which also sees dead workers. */
  async function attempt(name: string, id: string, isLast: boolean, run: () => Promise<void>): Promise<void> {
    const started = performance.now();
    running.add(id);
    try {
      await run();
      metered.countAttempt(name, 'done');
    } catch (error) {
      if (stopping || error instanceof Yielded) metered.countAttempt(name, 'handed_back');
      else if (!isLast) metered.countAttempt(name, 'retried');
      throw error;
    } finally {
      running.delete(id);
      metered.observeDuration(name, (performance.now() - started) / 1000);
    }
  }

  /** Runs one attempt, in its own place or in the place of paused jobs of `lenders`. */
  async function tryOnce<Data extends object>(
    kind: JobKind<Data>,
    job: Job<Data>,
    run: (attempt: Attempt<Data>) => Promise<void>,
    lenders: string[] = [],
  ): Promise<void> {
    const { data, groupId } = job;
    const owners = groupId ? [...lenders, groupId] : lenders;
    const yielding = new AbortController();
    const signal = AbortSignal.any([job.signal, yielding.signal]);
    const mayPause = owners.length <= maxPaused;
    const mayYield = job.retryLimit < kind.retries + maxYields;
    const take = async () => {
      if (mayPause) return await takeOther(kind, { run, owners, signal });
      if (await moveBehindOthers(kind.name, job.id, owners)) yielding.abort(new Yielded());
      return undefined;
    };
    const mayLend = kind.slice !== undefined && groupId && (mayPause || mayYield);
    const lending = mayLend ? { after: kind.slice ?? 0, take } : undefined;
    await attempt(kind.name, job.id, job.retryCount >= job.retryLimit, () =>
      retryTransientErrors(signal, () => run({ data, signal, ...(lending ? { lending } : {}) })),
    );
  }

  /**
   * Moves a running job behind the waiting jobs of other owners that are due, if there are any. It gets one more retry, since it did not
   * fail.
   */
  async function moveBehindOthers(queue: string, id: string, owners: string[]): Promise<boolean> {
    const { rows } = await boss.getDb().executeSql(
      `with moment as (
        select -extract(epoch from now() - timestamptz '2026-01-01 00:00:00Z')::int as priority
      )
      update pgboss.job set retry_limit = retry_limit + 1, priority = least(job.priority, moment.priority) - 1
      from moment where name = $1 and id = $2::uuid and state = 'active' and exists (
        select from pgboss.job as other
        where other.name = $1 and other.state < 'active' and other.start_after <= now()
          and other.priority >= moment.priority and other.group_id <> all($3::text[])
      ) returning id`,
      [queue, id, owners],
    );
    return rows.length > 0;
  }

  /** Takes the next job of any other owner; returns a function that runs it while the lender's job is paused. */
  async function takeOther<Data extends object>(
    kind: JobKind<Data>,
    lender: { run: (attempt: Attempt<Data>) => Promise<void>; owners: string[]; signal: AbortSignal },
  ): Promise<(() => Promise<void>) | undefined> {
    if (stopping) return undefined;
    const fetching = { includeMetadata: true, ignoreGroups: lender.owners } as const;
    const [job] = await boss.fetch<Data>(kind.name, fetching);
    if (!job) return undefined;
    return async () => {
      const late = AbortSignal.timeout(job.expireInSeconds * 1000);
      const given = { ...job, signal: AbortSignal.any([lender.signal, late]) };
      lent.set(job.id, { name: kind.name, job: given });
      const beat = () => boss.touch(kind.name, job).catch(onError);
      const beating = setInterval(beat, heartbeatSeconds * 500);
      try {
        await tryOnce(kind, given, lender.run, lender.owners);
        await boss.complete(kind.name, job);
      } catch (error) {
        // If the failure cannot be reported, the missing heartbeat causes the retry.
        if (!stopping) await boss.fail(kind.name, job, { message: String(error) }).catch(onError);
      } finally {
        clearInterval(beating);
        lent.delete(job.id);
      }
    };
  }

  return {
    async send(trx, kind, data, startAfter = 0) {
      const options = { db: fromKysely(trx), startAfter };
      const owner = kind.ownerOf?.(data);
      if (!owner) await boss.send(kind.name, data, options);
      else {
        const priority = -(await placeOf(trx, kind.name, owner));
        await boss.send(kind.name, data, { ...options, group: { id: owner }, priority });
      }
    },
    async work(kind, atOnce, run, giveUp) {
      const often = { pollingIntervalSeconds: 0.5 };
      type Data = NonNullable<typeof kind.data>;
      const working = { ...often, localConcurrency: atOnce, includeMetadata: true } as const;
      await boss.work<Data, void, typeof working>(kind.name, working, async ([job]) => {
        if (job) await tryOnce(kind, job, run);
      });
      // The dead letter queue is not urgent, so it is polled less often.
      await boss.work<Data>(deadLetterQueueOf(kind), { pollingIntervalSeconds: 2 }, async ([job]) => {
        if (job && giveUp) await giveUp(job.data);
        metered.countAttempt(kind.name, 'failed');
      });
    },
    async repeat(kind, cron) {
      await boss.schedule(kind.name, cron);
    },
    async stop() {
      stopping = true;
      if (running.size > 0) await handBack().catch(onError);
      await boss.stop({ graceful: false, close: true });
    },
  };
}

type Job<Data = object> = JobWithMetadata<Data>;

/** The reason why an attempt was aborted to make room for other jobs. */
class Yielded extends Error {
  override name = 'Yielded';
  override message = 'went back to the queue for the jobs of others';
}

/**
 * The position of an owner's next job in its queue, in seconds since 2026: the time when it is sent, a minute later for each other person
 * of the same network who has a job waiting, and at least one hour after the owner's last unfinished job. So a person with one job waits at
 * most for the first job of a person with many, and for few jobs of a network with many accounts; and each of those many jobs runs when its
 * time comes, however many jobs others send.
 */
async function placeOf(trx: Transaction<Tables>, queue: string, owner: string): Promise<number> {
  // The lock prevents two concurrent jobs of one owner from getting the same position.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`place of ${owner}`}, 0))`.execute(trx);
  const { rows } = await sql<{ place: number }>`
    select greatest(
      extract(epoch from now() - timestamptz '2026-01-01 00:00:00Z')
        + (select count(distinct group_id) from pgboss.job
          where name = ${queue} and group_id = any(${neighboursOf(owner)}) and state < 'active') * ${apartInNetwork},
      (select max(-priority) from pgboss.job
        where name = ${queue} and group_id = ${owner} and state < 'active') + ${apart},
      (select max(-priority) from pgboss.job
        where name = ${queue} and group_id = ${owner} and state = 'active') + ${apart}
    )::int as place`.execute(trx);
  return rows[0]?.place ?? 0;
}
const apart = 60 * 60;
const apartInNetwork = 60;

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

/** An unfinished job. */
export interface UnfinishedJob {
  name: string;
  data: object;
}

/** Whether a job of these kinds waits or runs. */
export async function isAnyUnfinished(
  db: Kysely<Tables>,
  kinds: readonly JobKind<object>[],
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from pgboss.job
      where name = any(${kinds.map(({ name }) => name)}) and state in ('created', 'retry', 'active')) as found`.execute(
    db,
  );
  return rows[0]?.found ?? false;
}

/** All unfinished jobs, read in the snapshot of `db`. */
export async function unfinishedJobs(db: Kysely<Tables>): Promise<UnfinishedJob[]> {
  const { rows: known } = await sql<{ there: boolean }>`
    select to_regclass('pgboss.job') is not null as there`.execute(db);
  if (!known[0]?.there) return [];
  const { rows } = await sql<UnfinishedJob>`
    select name, coalesce(data, '{}') as data from pgboss.job
    where state in ('created', 'retry', 'active') and name not like '\\_\\_%' order by created_on, id`.execute(
    db,
  );
  return rows;
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
    for (const { name, data } of unfinished) {
      const kind = known.get(name);
      if (kind) await inTransaction(db, (trx) => jobs.send(trx, kind, data));
    }
  } finally {
    await jobs.stop();
  }
}

/** The dead letter queue of a kind, for jobs whose last attempt failed. */
const deadLetterQueueOf = (kind: JobKind<object>) => `${kind.name}-given-up`;
