import { type Kysely, sql } from 'kysely';

/** The index by which operators list the withdrawals of a month. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index if not exists withdrawals_of_month on withdrawals (month, requested_at desc, id desc)`.execute(
    db,
  );
}
