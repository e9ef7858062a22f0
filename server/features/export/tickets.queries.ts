import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/** Locks the person who requests a ticket, so that a second request at the same time waits. */
export function lockPerson(db: Kysely<Tables>, id: string) {
  return db.selectFrom('people').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export async function countSince(db: Kysely<Tables>, personId: string, since: Date): Promise<number> {
  const { tickets } = await db
    .selectFrom('export_tickets')
    .select((eb) => eb.fn.countAll<number>().as('tickets'))
    .where('person_id', '=', personId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return tickets;
}

export async function insert(db: Kysely<Tables>, tokenHash: Buffer, personId: string, now: Date) {
  await db
    .insertInto('export_tickets')
    .values({ token_hash: tokenHash, person_id: personId, created_at: now })
    .execute();
}

/** Deletes expired and old tickets of a person. */
export async function deleteBefore(db: Kysely<Tables>, personId: string, before: Date) {
  await db
    .deleteFrom('export_tickets')
    .where('person_id', '=', personId)
    .where('created_at', '<=', before)
    .execute();
}

/** Uses up a ticket and returns its person; undefined if it is invalid or the person is suspended. */
export async function take(db: Kysely<Tables>, tokenHash: Buffer, since: Date, now: Date) {
  const { rows } = await sql<{ person_id: string }>`
    update export_tickets t set used_at = ${now} from people p
    where t.token_hash = ${tokenHash} and t.used_at is null and t.created_at > ${since}
      and p.id = t.person_id and p.suspended_at is null
    returning t.person_id`.execute(db);
  return rows[0]?.person_id;
}
