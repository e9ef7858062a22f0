import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Batch } from '#server/platform/keyring/reencryption.ts';

/** Inserts the person. Returns false if the e-mail address or the username is taken. */
export async function insertPerson(
  db: Kysely<Tables>,
  person: Insertable<Tables['people']>,
): Promise<boolean> {
  const result = await db
    .insertInto('people')
    .values(person)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export function findByEmail(db: Kysely<Tables>, emailKey: string) {
  return db
    .selectFrom('people')
    .select(['id', 'password_hash', 'suspended_at'])
    .where('email_key', '=', emailKey)
    .executeTakeFirst();
}

export async function isEmailTaken(db: Kysely<Tables>, emailKey: string): Promise<boolean> {
  const row = await db.selectFrom('people').select('id').where('email_key', '=', emailKey).executeTakeFirst();
  return row !== undefined;
}

export async function isUsernameTaken(db: Kysely<Tables>, usernameKey: string): Promise<boolean> {
  const taken = db.selectFrom('people').select('id').where('username_key', '=', usernameKey);
  return (await taken.executeTakeFirst()) !== undefined;
}

export async function insertSession(db: Kysely<Tables>, session: Insertable<Tables['sessions']>) {
  await db.insertInto('sessions').values(session).execute();
}

/** Keeps the sessions of a person that were used last, and of equal ones the newest. */
export async function deleteSessionsOver(db: Kysely<Tables>, personId: string, most: number) {
  await db
    .deleteFrom('sessions')
    .where('token_hash', 'in', (sessions) =>
      sessions
        .selectFrom('sessions')
        .select('token_hash')
        .where('person_id', '=', personId)
        .orderBy('used_at', 'desc')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(most),
    )
    .execute();
}

/** A session is valid if it was last used and created after these times. */
interface ValidSince {
  usedAfter: Date;
  createdAfter: Date;
}

export function findSession(db: Kysely<Tables>, tokenHash: Buffer, { usedAfter, createdAfter }: ValidSince) {
  return db
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .select([
      'sessions.id',
      'sessions.person_id',
      'sessions.issuer',
      'sessions.created_at',
      'sessions.used_at',
      'sessions.factor_at',
      'people.role',
      'people.operator_role',
      'people.suspended_at',
    ])
    .where('token_hash', '=', tokenHash)
    .where('used_at', '>', usedAfter)
    .where('sessions.created_at', '>', createdAfter)
    .executeTakeFirst();
}

/** Whether the session is still valid. */
export async function isSessionOpen(trx: Transaction<Tables>, id: string): Promise<boolean> {
  return Boolean(await trx.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst());
}

export async function deleteOldSessions(db: Kysely<Tables>, { usedAfter, createdAfter }: ValidSince) {
  await db
    .deleteFrom('sessions')
    .where((row) => row.or([row('used_at', '<=', usedAfter), row('created_at', '<=', createdAfter)]))
    .execute();
}

export async function updateLastUse(
  db: Kysely<Tables>,
  tokenHash: Buffer,
  use: Pick<Insertable<Tables['sessions']>, 'used_at' | 'network'>,
) {
  await db.updateTable('sessions').set(use).where('token_hash', '=', tokenHash).execute();
}

/** Networks of sessions that were encrypted with one of these key versions. */
export async function lockNetworks(trx: Transaction<Tables>, { heads, after, limit }: Batch) {
  const { rows } = await sql<{ id: string; personId: string; sealed: Buffer }>`
    select encode(token_hash, 'hex') as id, person_id as "personId", network as sealed from sessions
    where substring(network from 1 for 4) = any(${heads}::bytea[])
      and encode(token_hash, 'hex') > ${after} order by 1 limit ${limit} for update skip locked`.execute(trx);
  return rows;
}

export async function writeNetwork(trx: Transaction<Tables>, id: string, network: Buffer) {
  await trx
    .updateTable('sessions')
    .set({ network })
    .where('token_hash', '=', Buffer.from(id, 'hex'))
    .execute();
}

export function listSessions(
  db: Kysely<Tables>,
  personId: string,
  { usedAfter, createdAfter }: ValidSince,
  { current, atMost }: { current: string | undefined; atMost: number },
) {
  return db
    .selectFrom('sessions')
    .select(['id', 'device', 'network', 'created_at', 'used_at'])
    .select(sql<boolean>`id is not distinct from ${current ?? null}`.as('current'))
    .where('person_id', '=', personId)
    .where('used_at', '>', usedAfter)
    .where('created_at', '>', createdAfter)
    .orderBy('current', 'desc')
    .orderBy('used_at', 'desc')
    .orderBy('id')
    .limit(atMost)
    .execute();
}

/** Deletes one session and the unused export tickets of its person. Returns whether the session existed. */
export async function deleteSession(db: Kysely<Tables>, personId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('sessions')
    .where('person_id', '=', personId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (result.numDeletedRows === 0n) return false;
  await deleteTicketsOf(db, personId);
  return true;
}

/** Deletes all sessions of a person except one, or those that an issuer opened, with their unused export tickets. */
export async function deleteSessionsBut(
  db: Kysely<Tables>,
  personId: string,
  keptId: string,
  issuer?: string,
) {
  let sessions = db.deleteFrom('sessions').where('person_id', '=', personId).where('id', '<>', keptId);
  if (issuer !== undefined) sessions = sessions.where('issuer', '=', issuer);
  await sessions.execute();
  await deleteTicketsOf(db, personId);
}

/**
 * Deletes this session, or all sessions of its person, with their unused export tickets. Returns the OIDC issuer that
 * opened the session, if any.
 */
export async function deleteSessionBy(db: Kysely<Tables>, tokenHash: Buffer, everywhere: boolean) {
  const session = await db
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .returning(['person_id', 'issuer'])
    .executeTakeFirst();
  if (session) await (everywhere ? deleteSessionsOf : deleteTicketsOf)(db, session.person_id);
  return session?.issuer ?? undefined;
}

export async function setFactorAt(
  db: Kysely<Tables>,
  { personId, sessionId }: { personId: string; sessionId: string },
  now: Date,
) {
  await db
    .updateTable('sessions')
    .set({ factor_at: now })
    .where('person_id', '=', personId)
    .where('id', '=', sessionId)
    .execute();
}

export async function clearFactorAt(db: Kysely<Tables>, personId: string) {
  await db.updateTable('sessions').set({ factor_at: null }).where('person_id', '=', personId).execute();
}

function deleteTicketsOf(db: Kysely<Tables>, personId: string) {
  return db
    .deleteFrom('export_tickets')
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .execute();
}

/** Reads the password hash of a person and locks the row. */
export function lockPassword(db: Kysely<Tables>, personId: string) {
  return db
    .selectFrom('people')
    .select('password_hash')
    .where('id', '=', personId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Stores that the password was reset by a link. */
export async function noteReset(db: Kysely<Tables>, personId: string, now: Date) {
  await db.updateTable('people').set({ password_reset_at: now }).where('id', '=', personId).execute();
}

export async function setPassword(db: Kysely<Tables>, personId: string, passwordHash: string) {
  await db.updateTable('people').set({ password_hash: passwordHash }).where('id', '=', personId).execute();
}

/** Deletes all sessions and unused export tickets of everybody. */
export async function deleteAllSessions(db: Kysely<Tables>) {
  await db.deleteFrom('sessions').execute();
  await db.deleteFrom('export_tickets').where('used_at', 'is', null).execute();
}

/** Deletes all sessions of a person, and their unused export tickets. */
export async function deleteSessionsOf(db: Kysely<Tables>, personId: string) {
  await db.deleteFrom('sessions').where('person_id', '=', personId).execute();
  await deleteTicketsOf(db, personId);
}

/** The address of a person, whose row is locked for a change. */
export function lockAddress(db: Kysely<Tables>, personId: string) {
  return db
    .selectFrom('people')
    .select(['email', 'email_key', 'email_verified_at'])
    .where('id', '=', personId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function setVerified(db: Kysely<Tables>, personId: string, now: Date) {
  await db.updateTable('people').set({ email_verified_at: now }).where('id', '=', personId).execute();
}

/** The public data of a person. */
export async function isWithoutPassword(db: Kysely<Tables>, personId: string): Promise<boolean> {
  const person = db.selectFrom('people').select('id').where('id', '=', personId);
  return (await person.where('password_hash', 'is', null).executeTakeFirst()) !== undefined;
}

export function findOwner(db: Kysely<Tables>, personId: string) {
  return db
    .selectFrom('people')
    .select(['name', 'username', 'email', 'email_key'])
    .where('id', '=', personId)
    .executeTakeFirst();
}

export function findAddress(db: Kysely<Tables>, personId: string) {
  return db
    .selectFrom('people')
    .select(['email', 'email_verified_at'])
    .where('id', '=', personId)
    .executeTakeFirst();
}

/** Sets a new, verified address. */
export async function setAddress(
  db: Kysely<Tables>,
  personId: string,
  address: { email: string; email_key: string },
  now: Date,
) {
  await db
    .updateTable('people')
    .set({ ...address, email_verified_at: now })
    .where('id', '=', personId)
    .execute();
}

/** Marks the address as verified if it is still the person's and not yet verified. */
export async function setVerifiedIf(
  db: Kysely<Tables>,
  personId: string,
  emailKey: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('people')
    .set({ email_verified_at: now })
    .where('id', '=', personId)
    .where('email_key', '=', emailKey)
    .where('email_verified_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
