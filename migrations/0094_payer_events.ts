import { type Kysely, sql } from 'kysely';

/** Events that payers reported by webhooks, by id: each is recorded once (docs/decisions/0068-razorpayx.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payer_events (
      payer text not null,
      id text not null,
      noted_at timestamptz not null,
      primary key (payer, id)
    )`.execute(db);
  await sql`create index payer_events_old on payer_events (noted_at)`.execute(db);
}
