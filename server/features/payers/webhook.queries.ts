import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

interface Event {
  payer: string;
  id: string;
}

export async function eventExists(db: Kysely<Tables>, { payer, id }: Event): Promise<boolean> {
  const row = await db
    .selectFrom('payer_events')
    .select('id')
    .where('payer', '=', payer)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insert(db: Kysely<Tables>, event: Event, now: Date): Promise<void> {
  await db
    .insertInto('payer_events')
    .values({ ...event, noted_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteBefore(db: Kysely<Tables>, time: Date): Promise<void> {
  await db.deleteFrom('payer_events').where('noted_at', '<', time).execute();
}
