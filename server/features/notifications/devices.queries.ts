import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Batch } from '#server/platform/keyring/reencryption.ts';

/** If a token is registered twice the later registration counts. Messages that wait for a former owner are deleted. */
export async function putDevice(trx: Transaction<Tables>, device: Insertable<Tables['push_devices']>) {
  const { id: _, fingerprint, ...rest } = device;
  await trx
    .deleteFrom('push_devices')
    .where('fingerprint', '=', fingerprint)
    .where('person_id', '!=', device.person_id)
    .where('registered_at', '<=', device.registered_at)
    .execute();
  await trx
    .insertInto('push_devices')
    .values(device)
    .onConflict((conflict) =>
      conflict
        .column('fingerprint')
        .doUpdateSet(rest)
        .where('push_devices.registered_at', '<=', device.registered_at),
    )
    .execute();
}

/** How many other devices a person has, and how many of them in this session. Registrations of one person are serialized. */
export async function countOthers(
  trx: Transaction<Tables>,
  device: Pick<Insertable<Tables['push_devices']>, 'person_id' | 'session_id' | 'fingerprint'>,
) {
  await trx
    .selectFrom('people')
    .select('id')
    .where('id', '=', device.person_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return await trx
    .selectFrom('push_devices')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('session_id', '=', device.session_id).as('inSession'),
    ])
    .where('person_id', '=', device.person_id)
    .where('fingerprint', '!=', device.fingerprint)
    .executeTakeFirstOrThrow();
}

/** Deletes devices whose sessions have ended: of one person, or of all. */
export async function deleteEnded(db: Kysely<Tables>, personId?: string): Promise<void> {
  await db
    .deleteFrom('push_devices as device')
    .$if(personId !== undefined, (rows) => rows.where('device.person_id', '=', personId ?? ''))
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('sessions')
            .select('sessions.id')
            .whereRef('sessions.person_id', '=', 'device.person_id')
            .whereRef('sessions.id', '=', 'device.session_id'),
        ),
      ),
    )
    .execute();
}

export async function deleteDevice(trx: Transaction<Tables>, personId: string, fingerprint: Buffer) {
  await trx
    .deleteFrom('push_devices')
    .where('fingerprint', '=', fingerprint)
    .where('person_id', '=', personId)
    .execute();
}

export function listDevices(db: Kysely<Tables>, personId: string) {
  return db
    .selectFrom('push_devices')
    .select(['token', 'platform', 'registered_at'])
    .where('person_id', '=', personId)
    .orderBy('registered_at')
    .orderBy('id')
    .execute();
}

/** Tokens that were encrypted with one of these key versions. */
export async function lockTokens(trx: Transaction<Tables>, { heads, after, limit }: Batch) {
  const { rows } = await sql<{ id: string; personId: string; sealed: Buffer }>`
    select id::text as id, person_id as "personId", token as sealed from push_devices
    where substring(token from 1 for 4) = any(${heads}::bytea[])
      and id::text > ${after} order by 1 limit ${limit} for update skip locked`.execute(trx);
  return rows;
}

export async function writeToken(trx: Transaction<Tables>, id: string, token: Buffer) {
  await trx.updateTable('push_devices').set({ token }).where('id', '=', id).execute();
}
