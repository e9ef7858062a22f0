import { type Kysely, sql } from 'kysely';

/**
 * Devices that are registered for push messages, with encrypted tokens. The previous version writes plain ones into `devices`; a job moves
 * them here, since a migration has no keys (docs/decisions/0060-push-devices.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table push_devices (
      id uuid primary key,
      person_id uuid not null references people (id) on delete cascade,
      platform text not null,
      -- encrypted by the keyring
      token bytea not null,
      -- a keyed hash: the same for the same token, also of other people
      fingerprint bytea not null unique,
      registered_at timestamptz not null
    )`.execute(db);
  await sql`create index push_devices_of on push_devices (person_id)`.execute(db);
}
