import { type Kysely, sql } from 'kysely';

/** A person's unpublished uploads are counted before each of their uploads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index if not exists uploads_unused_of_owner on uploads (owner_id) where used_at is null`.execute(
    db,
  );
}
