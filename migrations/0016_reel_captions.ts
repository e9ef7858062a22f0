import { type Kysely, sql } from 'kysely';

/** Captions of a reel: one file for each language. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reel_captions (
      reel_id uuid not null references reels on delete cascade,
      -- a canonical BCP 47 tag
      language text not null,
      key text not null unique,
      cues integer not null check (cues > 0),
      set_at timestamptz not null,
      primary key (reel_id, language)
    )`.execute(db);
}
