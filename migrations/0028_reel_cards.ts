import { type Kysely, sql } from 'kysely';

/** Older reels get a JPEG of their poster later, as photos get AVIF; newer ones have it among their own files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table reels add column extra_key text, add column extra_files jsonb`.execute(db);
  await sql`create index if not exists reels_extra_key on reels (extra_key) where extra_key is not null`.execute(
    db,
  );
  await sql`
    create index if not exists reels_without_extra on reels (id)
    where extra_files is null and state = 'ready' and deleted_at is null and taken_down_at is null`.execute(
    db,
  );
}
