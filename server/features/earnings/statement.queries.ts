import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function nameOf(db: Kysely<Tables>, personId: string): Promise<string> {
  const row = await db.selectFrom('people').select('name').where('id', '=', personId).executeTakeFirst();
  return row?.name ?? '';
}
