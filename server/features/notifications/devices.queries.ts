import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/** Of two registrations of one token the later one counts. */
export async function putDevice(trx: Transaction<Tables>, device: Insertable<Tables['push_devices']>) {
  const { person_id, platform, token, registered_at } = device;
  await trx
    .insertInto('push_devices')
    .values(device)
    .onConflict((conflict) =>
      conflict
        .column('fingerprint')
        .doUpdateSet({ person_id, platform, token, registered_at })
        .where('push_devices.registered_at', '<=', registered_at),
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

/** Rows of a version before, which are deleted. */
export async function takePlain(trx: Transaction<Tables>, limit: number) {
  return await trx
    .deleteFrom('devices')
    .where('token', 'in', (some) =>
      some.selectFrom('devices').select('token').limit(limit).forUpdate().skipLocked(),
    )
    .returningAll()
    .execute();
}

/** Deletes a row of a version before: of this person, or of whomever. */
export async function deletePlain(trx: Transaction<Tables>, token: string, personId?: string) {
  await trx
    .deleteFrom('devices')
    .where('token', '=', token)
    .$if(personId !== undefined, (rows) => rows.where('person_id', '=', personId ?? ''))
    .execute();
}

/** Tokens that were encrypted with one of these versions of the key. */
export async function lockTokens(trx: Transaction<Tables>, heads: readonly Buffer[], limit: number) {
  const { rows } = await sql<{ id: string; personId: string; sealed: Buffer }>`
    select id, person_id as "personId", token as sealed from push_devices
    where substring(token from 1 for 4) = any(${heads}::bytea[])
    limit ${limit} for update skip locked`.execute(trx);
  return rows;
}

export async function writeToken(trx: Transaction<Tables>, id: string, token: Buffer) {
  await trx.updateTable('push_devices').set({ token }).where('id', '=', id).execute();
}
