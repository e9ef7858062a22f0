import { type Kysely, sql } from 'kysely';

/**
 * Whether viewer and network are hashed by the key of the row's month (docs/decisions/0056-month-keys.md). Rows of earlier versions are
 * not: a job hashes them again, and finds them by an index that is empty afterwards.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Locked in the order in which views are written, now and later, to avoid deadlocks.
  await sql`lock table view_windows, view_events in access exclusive mode`.execute(db);
  await sql`alter table view_windows add column if not exists by_month boolean not null default false`.execute(
    db,
  );
  await sql`alter table view_events add column if not exists by_month boolean not null default false`.execute(
    db,
  );
  await sql`create index if not exists view_windows_of_before on view_windows (viewer) where not by_month`.execute(
    db,
  );
  await sql`create index if not exists view_events_of_before on view_events (viewer) where not by_month`.execute(
    db,
  );
}
