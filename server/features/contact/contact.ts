import { type Kysely, sql } from 'kysely';
import type { Page } from '#contract/fields.ts';
import type { StoredMessage } from '#contract/operators.ts';
import { retention } from '#contract/retention.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import { lockName } from '#server/platform/database/locks.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { showSelf } from '../people/people.ts';

export interface Message {
  kind: 'contact' | 'feedback';
  name: string;
  email: string;
  phone: string;
  text: string;
}

/** The same message from the same sender within this many milliseconds is a double click. */
const doubleClick = 60_000;
const day = 24 * 3_600_000;

/**
 * Stores a message for the operators. Of a signed-in sender, name and e-mail address come from the account. A
 * repetition within a minute is ignored.
 */
export async function storeMessage(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  message: Message,
  senderId: string | undefined,
): Promise<void> {
  const now = clock();
  const sender = senderId ? await showSelf({ db, config }, senderId) : undefined;
  const { kind, phone, text } = message;
  const name = sender?.name ?? message.name;
  const email = sender?.email ?? message.email;
  await inTransaction(db, async (trx) => {
    // Serializes two clicks at the same time.
    await lockName(trx, `message ${text}`);
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

/** Deletes old messages. */
export async function deleteOldMessages({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  const before = new Date(clock().getTime() - retention.messageDays * day);
  await db
    .deleteFrom('messages')
    .where('kind', 'in', ['contact', 'feedback'])
    .where('created_at', '<', before)
    .execute();
}

/** Lists messages, newest first. */
export async function listMessages(
  db: Kysely<Tables>,
  { kind, limit, cursor }: Page & { kind: Message['kind'] },
): Promise<{ data: StoredMessage[]; nextCursor: string | null }> {
  const after = readCursor(cursor);
  let query = db
    .selectFrom('messages')
    .selectAll()
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (after) query = query.where(sql<boolean>`(created_at, id) < (${after.at}, ${after.id})`);
  const rows = await query.execute();
  const position = (row: (typeof rows)[number]) => ({ at: row.created_at, id: row.id });
  return pageOf(rows, limit, position, (row) => ({
    _id: row.id,
    kind: row.kind,
    userId: row.person_id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    text: row.text,
    createdAt: row.created_at.toISOString(),
  }));
}

/** Removes name, addresses and number of a deleted person from their messages; the text stays. */
export async function anonymizeMessages(db: Kysely<Tables>, personId: string): Promise<void> {
  await db
    .updateTable('messages')
    .set({ person_id: null, name: '', email: '', phone: '' })
    .where('person_id', '=', personId)
    .execute();
}
