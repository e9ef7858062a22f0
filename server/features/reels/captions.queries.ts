import type { Insertable, Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/** The captions of a reel, by language. */
export function listCaptions(db: Kysely<Tables>, reelId: string) {
  return db
    .selectFrom('reel_captions')
    .select(['language', 'key', 'words'])
    .where('reel_id', '=', reelId)
    .orderBy('language')
    .execute();
}

/** Stores captions and replaces those of the same language. */
export async function putCaptions(db: Kysely<Tables>, captions: Insertable<Tables['reel_captions']>) {
  const { key, cues, words, set_at } = captions;
  await db
    .insertInto('reel_captions')
    .values(captions)
    .onConflict((conflict) =>
      conflict.columns(['reel_id', 'language']).doUpdateSet({ key, cues, words, set_at }),
    )
    .execute();
}

export async function deleteCaptions(db: Kysely<Tables>, reelId: string, language: string) {
  await db
    .deleteFrom('reel_captions')
    .where('reel_id', '=', reelId)
    .where('language', '=', language)
    .execute();
}

/** Deletes the captions of a reel. */
export async function deleteCaptionsOfReel(db: Kysely<Tables>, reelId: string): Promise<void> {
  await db.deleteFrom('reel_captions').where('reel_id', '=', reelId).execute();
}

/** Deletes the captions of all of a person's reels. */
export async function deleteCaptionsOfCreator(db: Kysely<Tables>, creatorId: string): Promise<void> {
  await db
    .deleteFrom('reel_captions')
    .using('reels')
    .whereRef('reels.id', '=', 'reel_id')
    .where('creator_id', '=', creatorId)
    .execute();
}
