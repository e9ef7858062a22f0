import { type Kysely, sql } from 'kysely';

/** Windows that are over are found by when they began. They lie in that order already, so an index of a few pages will do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists view_windows_by_time on view_windows using brin (counted_at)`.execute(
    db,
  );
}
