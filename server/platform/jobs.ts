import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Tables } from './database/tables.ts';
import { measureJobs } from './job-metrics.ts';
import { createMetrics } from './metrics.ts';
import { isPassing } from './outage.ts';

/** One kind of job: its name, what it carries, how it is tried. */
export interface JobKind<Data extends object> {
  name: string;
  /** How often it is tried after the first time. */
  retries: number;
  /** Longest a try may take, in seconds. */
  seconds: number;
  /** Only to carry the type of `data`. */
  data?: Data;
}

export interface Attempt<Data> {
  data: Data;
  /** Aborted when the server stops or the try took too long. */
  signal: AbortSignal;
}

export interface Jobs {
  /** Part of the transaction that `db` is: the job exists exactly when the rows it is about do. */
  send<Data extends object>(db: Kysely<Tables>, kind: JobKind<Data>, data: Data): Promise<void>;
  /** `giveUp` hears of each job whose last try failed, whether it threw or its worker died. */
  work<Data extends object>(
    kind: JobKind<Data>,
    atOnce: number,
    run: (attempt: Attempt<Data>) => Promise<void>,
    giveUp?: (data: Data) => Promise<void>,
  ): Promise<void>;
  /** Runs `kind` by a cron expression, once however many servers there are. */
  repeat(kind: JobKind<object>, cron: string): Promise<void>;
  /** Hands running jobs back: each is tried again by whoever works next. */
  stop(): Promise<void>;
}

// A worker that died says nothing: its job is handed on this many seconds after its last sign of life.
const heartbeatSeconds = 10;
/** In milliseconds. */
const outagePause = 3000;

/** Jobs on the same database (pg-boss), in its own schema. */
export async function openJobs(
  url: string,
  kinds: readonly JobKind<object>[],
  onError: (error: Error) => void,
  metrics = createMetrics(),
): Promise<Jobs> {
  // A connection whose other end is gone for good is given up, and another one is made.
  const connections = { connectionString: url, max: 4, keepAlive: true, query_timeout: 60_000 };
  const boss = new PgBoss({
    ...connections,
    monitorIntervalSeconds: 2,
    superviseIntervalSeconds: 2,
  });
  let stopping = false;
  const running = new Set<string>();
  boss.on('error', (error) => {
    // A worker that asks for its next job while its connections are being closed is no news.
    if (!stopping) onError(error);
  });
  await boss.start();
  for (const kind of kinds) {
    const givenUp = { retryLimit: 20, retryDelay: 5, retryBackoff: true };
    await boss.createQueue(givenUpOf(kind), givenUp);
    const options = {
      retryLimit: kind.retries,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds: kind.seconds,
      heartbeatSeconds,
      deadLetter: givenUpOf(kind),
    };
    await boss.createQueue(kind.name, options);
    await boss.updateQueue(kind.name, options);
  }

  const measured = measureJobs(
    boss,
    kinds.map(({ name }) => name),
    metrics,
  );

  /**
   * What runs here is tried by somebody else, with as many tries as before: that this process stops is no fault of the job.
   */
  async function handBack(): Promise<void> {
    await boss
      .getDb()
      .executeSql(
        `update pgboss.job set retry_limit = retry_limit + 1 where id = any($1::uuid[]) and state = 'active'`,
        [[...running]],
      );
  }

  /** The last try that fails is counted where the job is given up: a worker that died is heard of only there. */
  async function attempt(name: string, id: string, isLast: boolean, run: () => Promise<void>): Promise<void> {
    const started = performance.now();
    running.add(id);
    try {
      await run();
      measured.note(name, 'done');
    } catch (error) {
      if (stopping) measured.note(name, 'handed_back');
      else if (!isLast) measured.note(name, 'retried');
      throw error;
    } finally {
      running.delete(id);
      measured.timed(name, (performance.now() - started) / 1000);
    }
  }

  return {
    async send(db, kind, data) {
      await boss.send(kind.name, data, { db: fromKysely(db) });
    },
    async work(kind, atOnce, run, giveUp) {
      const often = { pollingIntervalSeconds: 0.5 };
      type Data = NonNullable<typeof kind.data>;
      const working = { ...often, localConcurrency: atOnce, includeMetadata: true } as const;
      await boss.work<Data, void, typeof working>(kind.name, working, async ([job]) => {
        if (!job) return;
        const isLast = job.retryCount >= job.retryLimit;
        const { data, signal } = job;
        await attempt(kind.name, job.id, isLast, () => untilItPasses(signal, () => run({ data, signal })));
      });
      // Nobody waits for these.
      await boss.work<Data>(givenUpOf(kind), { pollingIntervalSeconds: 2 }, async ([job]) => {
        if (job && giveUp) await giveUp(job.data);
        measured.note(kind.name, 'failed');
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

/** What fails because the database or the disk cannot be written now is no fault of the job: it waits here until they can. */
async function untilItPasses(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      await sleep(outagePause, undefined, { signal });
    }
  }
}

/** Work that the queue has yet to do: by its name, with what it carries. */
export interface UnfinishedJob {
  name: string;
  data: object;
}

/** What the queue has yet to do; part of the snapshot that `db` reads. */
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

/**
 * Hands work of another queue to this one, in the transaction that `db` is; it is tried as its kind says. Work of a kind that
 * there is no longer is nobody's.
 */
export async function takeOver(
  db: Kysely<Tables>,
  url: string,
  kinds: readonly JobKind<object>[],
  unfinished: readonly UnfinishedJob[],
  onError: (error: Error) => void,
): Promise<void> {
  const known = new Set(kinds.flatMap((kind) => [kind.name, givenUpOf(kind)]));
  const jobs = await openJobs(url, kinds, onError);
  try {
    for (const { name, data } of unfinished)
      if (known.has(name)) await jobs.send(db, { name, retries: 0, seconds: 0 }, data);
  } finally {
    await jobs.stop();
  }
}

/** Where jobs of a kind go when their last try has failed. */
const givenUpOf = (kind: JobKind<object>) => `${kind.name}-given-up`;
