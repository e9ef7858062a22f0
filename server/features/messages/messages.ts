import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { newId } from '../../platform/ids.ts';
import { showSelf } from '../people/people.ts';

export interface Message {
  kind: 'contact' | 'feedback';
  name: string;
  email: string;
  phone: string;
  text: string;
}

/** The same words from the same sender within this many milliseconds are a double click. */
const doubleClick = 60_000;

/**
 * Keeps a message for the operators. A signed-in sender is who the token says: name and address come from the account.
 * Sent twice within a minute it is one message.
 */
export async function keepMessage(
  db: Kysely<Tables>,
  message: Message,
  senderId: string | undefined,
  now: Date,
): Promise<void> {
  const sender = senderId ? await showSelf(db, senderId, '') : undefined;
  const { kind, phone, text } = message;
  const name = sender?.name ?? message.name;
  const email = sender?.email ?? message.email;
  await db.transaction().execute(async (trx) => {
    // Two clicks at once wait for each other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`.execute(trx);
    const same = await trx
      .selectFrom('messages')
      .select('id')
      .where(sql`md5(text)`, '=', sql`md5(${text})`)
      .where('created_at', '>', new Date(now.getTime() - doubleClick))
      .where('kind', '=', kind)
      .where('name', '=', name)
      .where('email', '=', email)
      .where('phone', '=', phone)
      .where('text', '=', text)
      .executeTakeFirst();
    if (same) return;
    await trx
      .insertInto('messages')
      .values({
        id: newId(now),
        kind,
        person_id: senderId ?? null,
        name,
        email,
        phone,
        text,
        created_at: now,
      })
      .execute();
  });
}
