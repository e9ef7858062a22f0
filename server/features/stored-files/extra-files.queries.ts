import type { Kysely, Transaction } from 'kysely';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import type { Tables } from '#server/platform/database/tables.ts';

const tables = { post: 'posts', story: 'stories' } as const;

export interface Unmade {
  kind: keyof typeof tables;
  id: string;
  ownerId: string;
}

/** The folder of a photo for which no extra files were tried yet, and its widths; undefined if its owner has none with this id. */
export function findUnmade(db: Kysely<Tables>, { kind, id, ownerId }: Unmade) {
  return db
    .selectFrom(tables[kind])
    .select(['media_key', 'widths'])
    .where('creator_id', '=', ownerId)
    .where('id', '=', id)
    .where('extra_files', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/**
 * Stores what was made, once; undefined if that was done before, or the photo is deleted.
 */
export async function note(
  trx: Transaction<Tables>,
  { kind, id, ownerId }: Unmade,
  made: { key: string; files: Record<string, number> } | null,
) {
  await keepTablesInPlace(trx);
  return await trx
    .updateTable(tables[kind])
    .set({ extra_key: made?.key ?? null, extra_files: made?.files ?? {} })
    .where('creator_id', '=', ownerId)
    .where('id', '=', id)
    .where('extra_files', 'is', null)
    .where('deleted_at', 'is', null)
    .returning('taken_down_at')
    .executeTakeFirst();
}
