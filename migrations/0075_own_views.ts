import { type Kysely, sql } from 'kysely';

/** Where people were signed in, as marks: views from there of their own reels do not pay (docs/decisions/0054-own-views.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table seen_browsers (
      person_id uuid not null references people on delete cascade,
      browser bytea not null,
      seen_on date not null,
      primary key (person_id, browser)
    )`.execute(db);
  await sql`
    create table seen_networks (
      person_id uuid not null references people on delete cascade,
      day date not null,
      network bytea not null,
      primary key (person_id, day, network)
    )`.execute(db);
  // Who else was seen in a network.
  await sql`create index seen_networks_by_network on seen_networks (network, day, person_id)`.execute(db);
}
