import { type Kysely, sql } from 'kysely';

/** What operators label a work as, which all who see it read. It stays public. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table reels add column label text check (label in ('disturbing', 'altered'));
    alter table posts add column label text check (label in ('disturbing', 'altered'));
    alter table decisions drop constraint decisions_act_check;
    alter table decisions add constraint decisions_act_check
      check (act in ('copy', 'content', 'suspend', 'label'))`.execute(db);
}
