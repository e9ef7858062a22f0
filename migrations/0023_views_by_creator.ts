import { type Kysely, sql } from 'kysely';

/**
 * A view is written with one index entry for its event and one for its window, instead of two each. Events are queried by creator and
 * month, windows by viewer.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Locked in the order in which views are written, now and later, to avoid deadlocks.
  await sql`lock table view_windows, view_events in access exclusive mode`.execute(db);
  await sql`create unique index if not exists view_events_of_creator on view_events (creator_id, seen_at, id)`.execute(
    db,
  );
  await sql`
    alter table view_events drop constraint view_events_pkey,
    add constraint view_events_pkey primary key using index view_events_of_creator`.execute(db);
  await sql`drop index view_events_of_reel`.execute(db);

  await sql`create unique index if not exists view_windows_by_viewer on view_windows (viewer, reel_id)`.execute(
    db,
  );
  await sql`
    alter table view_windows drop constraint view_windows_pkey,
    add constraint view_windows_pkey primary key using index view_windows_by_viewer`.execute(db);
  await sql`drop index view_windows_of_viewer`.execute(db);
}
