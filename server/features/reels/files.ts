import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { listCaptions } from './captions.queries.ts';

interface ReelKeys {
  id: string;
  creator_id: string;
  media_key: string;
  thumbnail_key: string | null;
  cover_key: string | null;
}

/** The stored files of a reel, its captions and chosen cover included. */
export async function filesOf(
  trx: Transaction<Tables>,
  reel: ReelKeys,
): Promise<{ ownerId: string; keys: string[] }> {
  const captions = await listCaptions(trx, reel);
  const pictures = [reel.thumbnail_key, reel.cover_key].filter((key) => key !== null);
  return {
    ownerId: reel.creator_id,
    keys: [reel.media_key, ...pictures, ...captions.map(({ key }) => key)],
  };
}
