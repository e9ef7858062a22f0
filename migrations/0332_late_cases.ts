import { type Kysely, sql } from 'kysely';

/** When operators were told that the deadline of a case had passed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table cases add column told_late_at timestamptz;
    create index if not exists cases_told_late on cases (told_late_at) where told_late_at is not null`.execute(
    db,
  );
}
