import { type Kysely, sql } from 'kysely';

/** What is said in a reel, to be read: one file a language. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reel_captions (
      reel_id uuid not null references reels on delete cascade,
      -- a BCP 47 tag in its canonical spelling
      language text not null,
      key text not null unique,
      cues integer not null check (cues > 0),
      set_at timestamptz not null,
      primary key (reel_id, language)
    )`.execute(db);
}
