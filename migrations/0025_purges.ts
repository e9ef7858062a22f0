import { type Kysely, sql } from 'kysely';

/** Purge requests to other caches, written in the transaction that hides the content. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table purges (
      id uuid primary key,
      keys text[] not null,
      paths text[] not null,
      is_gone boolean not null,
      created_at timestamptz not null,
      tries integer not null default 0,
      next_try_at timestamptz not null,
      done_at timestamptz
    )`.execute(db);
  await sql`create index purges_due on purges (next_try_at, id) where done_at is null`.execute(db);
  // Queried every second by each process that serves files.
  await sql`create index if not exists people_suspended on people (id) where suspended_at is not null`.execute(
    db,
  );
}
