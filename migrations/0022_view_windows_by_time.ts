import { type Kysely, sql } from 'kysely';

/** Expired windows are found by their start. Rows are stored in that order, so a small BRIN index is enough. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists view_windows_by_time on view_windows using brin (counted_at)`.execute(
    db,
  );
}
