import type { Kysely } from 'kysely';
import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Tables } from '#server/platform/database/tables.ts';

/** All jobs of a queue, in any state, by the public functions of pg-boss. */
export async function jobsIn<Data extends object = object>(
  db: Kysely<Tables>,
  queue: string,
): Promise<JobWithMetadata<Data>[]> {
  return await withBoss(db, (boss) => boss.findJobs<Data>(queue));
}

/** Ends the repetition of a job: tests that fill months of the past close them themselves. */
export const unschedule = (db: Kysely<Tables>, queue: string): Promise<void> =>
  withBoss(db, (boss) => boss.unschedule(queue));

/** Lets a worker run a repeated job now. */
export const runNow = (db: Kysely<Tables>, queue: string): Promise<unknown> =>
  withBoss(db, (boss) => boss.send(queue, {}));

/** Makes jobs that wait for their time due now. */
export async function makeDue(db: Kysely<Tables>, jobs: readonly JobWithMetadata[]): Promise<void> {
  await withBoss(db, async (boss) => {
    for (const { name, id } of jobs) await boss.update(name, undefined, { id, startAfter: new Date() });
  });
}

async function withBoss<T>(db: Kysely<Tables>, use: (boss: PgBoss) => Promise<T>): Promise<T> {
  const boss = new PgBoss({ db: fromKysely(db), migrate: false, supervise: false, schedule: false });
  await boss.start();
  try {
    return await use(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
}
