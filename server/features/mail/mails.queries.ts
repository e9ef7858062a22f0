import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { lockName } from '#server/platform/database/locks.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Batch } from '#server/platform/keyring/reencryption.ts';
import type { Wanted } from '#server/platform/outbox.ts';

export type Mail = Selectable<Tables['mails']>;

export async function insert(db: Kysely<Tables>, row: Insertable<Tables['mails']>): Promise<void> {
  await db.insertInto('mails').values(row).execute();
}

/** Drops all pending mails. */
export async function dropWaiting(db: Kysely<Tables>, now: Date): Promise<void> {
  await db
    .updateTable('mails')
    .set({ done_at: now, outcome: 'dropped', parameters: null })
    .where('done_at', 'is', null)
    .execute();
}

/** Values of mails that were encrypted with one of these key versions. */
export async function lockParameters(trx: Transaction<Tables>, { heads, after, limit }: Batch) {
  const { rows } = await sql<{ id: string; personId: string; sealed: Buffer }>`
    select id::text as id, coalesce(person_id::text, '') as "personId", parameters as sealed from mails
    where substring(parameters from 1 for 4) = any(${heads}::bytea[])
      and id::text > ${after} order by 1 limit ${limit} for update skip locked`.execute(trx);
  return rows;
}

export async function writeParameters(trx: Transaction<Tables>, id: string, parameters: Buffer) {
  await trx.updateTable('mails').set({ parameters }).where('id', '=', id).execute();
}

/** The address of a person, and whether it is verified. */
export async function findAddress(db: Kysely<Tables>, personId: string) {
  const row = await db
    .selectFrom('people')
    .select(['email', 'email_verified_at'])
    .where('id', '=', personId)
    .executeTakeFirst();
  return row && { email: row.email, isProven: row.email_verified_at !== null };
}

export async function findVerified(db: Kysely<Tables>, personId: string) {
  return await db
    .selectFrom('people')
    .select(['email', 'email_key', 'language'])
    .where('id', '=', personId)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst();
}

/** The notices of a person that are not sent yet. */
export async function lockNotices(trx: Transaction<Tables>, personId: string) {
  return await trx
    .selectFrom('mails')
    .select(['id', 'parameters'])
    .where('person_id', '=', personId)
    .where('is_notice', '=', true)
    .where('done_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Detaches a mail from its person, so that it is sent even after the account is deleted. */
export async function leaveToNobody(
  trx: Transaction<Tables>,
  id: string,
  { language, parameters }: Pick<Mail, 'language' | 'parameters'>,
): Promise<void> {
  await trx
    .updateTable('mails')
    .set({ person_id: null, language, parameters })
    .where('id', '=', id)
    .execute();
}

/** When the pending notices of a person will be sent, and when the last one was sent; either may be undefined. */
export async function noticesOf(db: Kysely<Tables>, personId: string) {
  const row = await db
    .selectFrom('mails')
    .select([
      sql<Date | null>`min(next_try_at) filter (where bundle_id is null and done_at is null)`.as('waiting'),
      sql<Date | null>`max(coalesce(done_at, created_at)) filter (where bundle_id = id)`.as('last'),
    ])
    .where('person_id', '=', personId)
    .where('is_notice', '=', true)
    .executeTakeFirstOrThrow();
  return { waiting: row.waiting ?? undefined, last: row.last ?? undefined };
}

/** Serializes requests for mails to this address until the transaction ends. */
export async function lockRecipient(trx: Transaction<Tables>, recipientKey: string): Promise<void> {
  await lockName(trx, `mail to ${recipientKey}`);
}

/** Mails of this kind that were requested for this address, by anybody. */
export async function countAsked(
  db: Kysely<Tables>,
  { recipientKey, template }: { recipientKey: string; template: Wanted['template'] },
  since: Date,
): Promise<number> {
  const { count } = await db
    .selectFrom('mails')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('recipient_key', '=', recipientKey)
    .where('is_notice', '=', false)
    .where('template', '=', template)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Mails with notices to this address, each of which may bundle several. Includes those of deleted accounts. */
export async function countNotices(db: Kysely<Tables>, recipientKey: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('mails')
    .select(sql<number>`count(distinct coalesce(bundle_id, person_id))::integer`.as('count'))
    .where('recipient_key', '=', recipientKey)
    .where('is_notice', '=', true)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether a mail with notices of a person to this address is pending, into which one more is bundled. */
export async function isWaiting(
  db: Kysely<Tables>,
  { personId, recipientKey }: { personId: string; recipientKey: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('mails')
    .select('id')
    .where('person_id', '=', personId)
    .where('recipient_key', '=', recipientKey)
    .where('is_notice', '=', true)
    .where('done_at', 'is', null)
    .where('bundle_id', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Called before an account is deleted: its mails stay to be counted, so that a new account cannot cause as many again. None of them is
 * sent.
 */
export async function keepCounted(trx: Transaction<Tables>, personId: string, now: Date): Promise<void> {
  await trx
    .updateTable('mails')
    .set((row) => ({
      person_id: null,
      parameters: null,
      outcome: sql`coalesce(${row.ref('outcome')}, 'dropped')`,
      done_at: sql`coalesce(${row.ref('done_at')}, ${now})`,
    }))
    .where('person_id', '=', personId)
    .execute();
}

/**
 * Locks the mail that has been due for longest, and returns it with all that is bundled with it. A notice is bundled permanently with the
 * other pending ones of the same person, so that each retry sends the same mail.
 */
export async function lockDue(trx: Transaction<Tables>, now: Date) {
  const lead = await trx
    .selectFrom('mails')
    .selectAll()
    .where('done_at', 'is', null)
    .where('next_try_at', '<=', now)
    .where((row) => row.or([row('bundle_id', 'is', null), row('bundle_id', '=', row.ref('id'))]))
    .orderBy('next_try_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!lead) return undefined;
  if (lead.is_notice && lead.bundle_id === null) {
    const { rows } = await sql<{ id: string }>`
      select id from mails where person_id is not distinct from ${lead.person_id} and recipient_key = ${lead.recipient_key}
        and is_notice and done_at is null and bundle_id is null for update skip locked`.execute(trx);
    const ids = rows.map(({ id }) => id);
    await trx.updateTable('mails').set({ bundle_id: lead.id }).where('id', 'in', ids).execute();
  }
  const bundle = await trx
    .selectFrom('mails')
    .selectAll()
    .where((row) => row.or([row('id', '=', lead.id), row('bundle_id', '=', lead.id)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return { lead, bundle };
}

/** Marks mails and all that is bundled with them as done, and deletes their values. */
export async function markDone(
  db: Kysely<Tables>,
  ids: readonly string[],
  outcome: NonNullable<Mail['outcome']>,
  now: Date,
): Promise<void> {
  await db
    .updateTable('mails')
    .set({ outcome, done_at: now, parameters: null })
    .where((row) => row.or([row('id', 'in', ids), row('bundle_id', 'in', ids)]))
    .execute();
}

export async function deleteDone(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('mails').where('done_at', '<', before).execute();
}

/** The recipient of a mail; undefined if nobody has the address, or the account was deleted. */
export async function findRecipient(db: Kysely<Tables>, { person_id, recipient_key, is_notice }: Mail) {
  if (is_notice && !person_id) return undefined;
  return await db
    .selectFrom('people')
    .select(['id', 'name', 'language', 'email_key'])
    .where((row) => (person_id ? row('id', '=', person_id) : row('email_key', '=', recipient_key)))
    .executeTakeFirst();
}

export async function isTaken(db: Kysely<Tables>, emailKey: string): Promise<boolean> {
  const holder = db.selectFrom('people').select('id').where('email_key', '=', emailKey);
  return (await holder.executeTakeFirst()) !== undefined;
}
