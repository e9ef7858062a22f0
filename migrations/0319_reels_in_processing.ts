import { type Kysely, sql } from 'kysely';

/** The index by which operators list reels in processing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index if not exists reels_in_processing on reels (uploaded_at, id) where state = 'processing' and deleted_at is null`.execute(
    db,
  );
}
