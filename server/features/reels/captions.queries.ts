import { type Insertable, type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Work } from '../works/works.ts';

/** The captions of a reel, by language. */
export function listCaptions(db: Kysely<Tables>, { id, creator_id }: Work) {
  return db
    .selectFrom('reel_captions')
    .select(['language', 'key', 'words'])
    .where('creator_id', '=', creator_id)
    .where('reel_id', '=', id)
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
      conflict.constraint('reel_captions_pkey').doUpdateSet({ key, cues, words, set_at }),
    )
    .execute();
}

export async function deleteCaptions(db: Kysely<Tables>, { id, creator_id }: Work, language: string) {
  await db
    .deleteFrom('reel_captions')
    .where('creator_id', '=', creator_id)
    .where('reel_id', '=', id)
    .where('language', '=', language)
    .execute();
}

/** Deletes all captions of these reels of a creator. */
export async function deleteCaptionsOf(
  db: Kysely<Tables>,
  creatorId: string,
  reelIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('reel_captions')
    .where('creator_id', '=', creatorId)
    .where(sql<boolean>`reel_id = any(${reelIds}::uuid[])`)
    .execute();
}
