import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Tables } from './database/tables.ts';
import { inTransaction } from './database/transaction.ts';
import { measureJobs } from './job-metrics.ts';
import { createMetrics } from './metrics.ts';
import { isTransient } from './transient-errors.ts';

/** One kind of job: its name, what it carries, how it is tried. */
export interface JobKind<Data extends object> {
  name: string;
  /** How often it is tried after the first time. */
  retries: number;
  /** Longest a try may take, in seconds. */
  seconds: number;
  /** Whose work it is: where this is said, people take turns (docs/decisions/0027-fair-media.md). */
  ownerOf?(data: Data): string | undefined;
  /** After so many seconds a try lends its place to other people's work that waits. */
  slice?: number;
  /** Only to carry the type of `data`. */
  data?: Data;
}

/** How a try that takes long lets others go first. */
export interface Lending {
  after: number;
  /** Takes a waiting job of somebody else, if there is one; what comes back does it, and never throws. */
  take(): Promise<(() => Promise<void>) | undefined>;
}

export interface Attempt<Data> {
  data: Data;
  /** Aborted when the server stops or the try took too long. */
  signal: AbortSignal;
  lending?: Lending;
}

export interface Jobs {
  /** The job exists exactly when the rows that the transaction writes do. */
  send<Data extends object>(
    trx: Transaction<Tables>,
    kind: JobKind<Data>,
    data: Data,
    /** Not before so many seconds have passed. */
    startAfter?: number,
  ): Promise<void>;
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
/** So many tries rest at most in one place: each keeps its memory. */
const restingAtMost = 2;
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
  /** Those that run in a place that was lent to them. */
  const lent = new Map<string, { name: string; job: Job }>();
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
    // Those of its own workers pg-boss hands back itself.
    for (const { name, job } of lent.values()) await boss.fail(name, job, { message: 'handed back' });
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

  /** One try of a job, in a place of its own or in one that is lent by `lenders`. */
  async function tryOnce<Data extends object>(
    kind: JobKind<Data>,
    job: Job<Data>,
    run: (attempt: Attempt<Data>) => Promise<void>,
    lenders: string[] = [],
  ): Promise<void> {
    const { data, signal, groupId } = job;
    const owners = groupId ? [...lenders, groupId] : lenders;
    const mayLend = kind.slice !== undefined && groupId && owners.length <= restingAtMost;
    const take = () => takeOther(kind, { run, owners, signal });
    const lending = mayLend ? { after: kind.slice ?? 0, take } : undefined;
    await attempt(kind.name, job.id, job.retryCount >= job.retryLimit, () =>
      untilItPasses(signal, () => run({ data, signal, ...(lending ? { lending } : {}) })),
    );
  }

  /** Takes the next job that is none of these owners', with what does it while its lender rests. */
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
        // Where nobody can be told of it, it is tried again for want of a heartbeat.
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

type Job<Data = object> = JobWithMetadata<Data>;

/**
 * Where the next job of an owner stands in its queue, in seconds since 2026: at the time it is sent, and an hour behind the
 * last one of the same owner that is not done. So whoever sends one is behind at most the first of whoever sends many, and
 * those are done at the latest when their hour has come, however many others send.
 */
async function placeOf(trx: Transaction<Tables>, queue: string, owner: string): Promise<number> {
  // One at a time for each owner: two at once would stand at the same place.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`place of ${owner}`}, 0))`.execute(trx);
  const { rows } = await sql<{ place: number }>`
    select greatest(
      extract(epoch from now() - timestamptz '2026-01-01 00:00:00Z'),
      (select max(-priority) from pgboss.job
        where name = ${queue} and group_id = ${owner} and state < 'active') + ${apart},
      (select max(-priority) from pgboss.job
        where name = ${queue} and group_id = ${owner} and state = 'active') + ${apart}
    )::int as place`.execute(trx);
  return rows[0]?.place ?? 0;
}
const apart = 60 * 60;

/** What fails because the database or the disk cannot be written now is no fault of the job: it waits here until they can. */
async function untilItPasses(signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error;
      await sleep(outagePause, undefined, { signal });
    }
  }
}

/** Work that the queue has yet to do: by its name, with what it carries. */
export interface UnfinishedJob {
  name: string;
  data: object;
}

/** Whether work of one of these kinds waits or is being done. */
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
 * Sends unfinished jobs of another queue to this one, each in its own transaction; they are retried as their kind says. Jobs of a kind that
 * no longer exists are dropped.
 */
export async function resendUnfinishedJobs(
  { db, url }: { db: Kysely<Tables>; url: string },
  kinds: readonly JobKind<object>[],
  unfinished: readonly UnfinishedJob[],
  onError: (error: Error) => void,
): Promise<void> {
  const known = new Map<string, JobKind<object>>(
    kinds.flatMap((kind) => [
      [kind.name, kind],
      [givenUpOf(kind), { name: givenUpOf(kind), retries: 0, seconds: 0 }],
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

/** Where jobs of a kind go when their last try has failed. */
const givenUpOf = (kind: JobKind<object>) => `${kind.name}-given-up`;
