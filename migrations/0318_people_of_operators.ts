import { type Kysely, sql } from 'kysely';

/** Indexes by which operators find people and the cases of a person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index if not exists people_by_email on people using gin (email_key gin_trgm_ops);
    create index if not exists cases_about on cases ((evidence ->> 'ownerId'), opened_at desc, id desc);
    create index if not exists reports_by_reporter on reports (reporter_id, created_at desc, id desc)`.execute(
    db,
  );
}
