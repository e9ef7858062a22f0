import type { Kysely } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Tables } from './database/tables.ts';

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

/** Jobs on the same database (pg-boss), in its own schema. */
export async function openJobs(
  url: string,
  kinds: readonly JobKind<object>[],
  onError: (error: Error) => void,
): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString: url,
    max: 4,
    monitorIntervalSeconds: 2,
    superviseIntervalSeconds: 2,
  });
  let stopping = false;
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
      expireInSeconds: kind.seconds,
      heartbeatSeconds,
      deadLetter: givenUpOf(kind),
    };
    await boss.createQueue(kind.name, options);
    await boss.updateQueue(kind.name, options);
  }

  return {
    async send(db, kind, data) {
      await boss.send(kind.name, data, { db: fromKysely(db) });
    },
    async work(kind, atOnce, run, giveUp) {
      const often = { pollingIntervalSeconds: 0.5 };
      type Data = NonNullable<typeof kind.data>;
      await boss.work<Data>(kind.name, { ...often, localConcurrency: atOnce }, async ([job]) => {
        if (job) await run({ data: job.data, signal: job.signal });
      });
      await boss.work<Data>(givenUpOf(kind), often, async ([job]) => {
        if (job && giveUp) await giveUp(job.data);
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

/** Where jobs of a kind go when their last try has failed. */
const givenUpOf = (kind: JobKind<object>) => `${kind.name}-given-up`;
