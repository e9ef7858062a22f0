import { type Kysely, sql } from 'kysely';

/**
 * Rows from which earnings are derived stay when an account is deleted, under an id that refers to nobody, so they have no foreign key to
 * people (docs/decisions/0008-account-deletion.md).
 */
const events = [
  ['reels', 'creator_id'],
  ['posts', 'creator_id'],
  ['stories', 'creator_id'],
  ['post_likes', 'person_id'],
] as const;

/** Indexes for finding all rows of one person, for deletion and export. */
const ofOnePerson = [
  ['uploads', 'owner_id'],
  ['reel_likes', 'person_id'],
  ['reel_comments', 'person_id'],
  ['post_likes', 'person_id'],
  ['notifications', 'sender_id'],
  ['messages', 'person_id'],
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of events) {
    await sql`alter table ${sql.ref(table)} drop constraint ${sql.ref(`${table}_${column}_fkey`)}`.execute(
      db,
    );
  }
  for (const [table, column] of ofOnePerson) {
    await sql`create index ${sql.ref(`${table}_by_${column}`)} on ${sql.ref(table)} (${sql.ref(column)})`.execute(
      db,
    );
  }

  // A URL for downloading one's data: valid once, for a few minutes; stored hashed like a session's token.
  await sql`
    create table export_tickets (
      token_hash bytea primary key,
      person_id uuid not null references people on delete cascade,
      created_at timestamptz not null,
      used_at timestamptz
    )`.execute(db);
  await sql`create index export_tickets_of_person on export_tickets (person_id, created_at)`.execute(db);
}
