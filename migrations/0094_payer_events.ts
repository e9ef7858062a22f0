import { type Kysely, sql } from 'kysely';

/** What payers told by webhooks, by their ids: each is noted once (docs/decisions/0068-razorpayx.md). */
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
