import { type Kysely, sql } from 'kysely';

/** Push messages to be sent, and the settings of each person (docs/decisions/0063-push.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table push_devices
      -- the session with which it is removed; null if it was registered before
      add column session_id uuid,
      -- the host of its push service
      add column host text not null default 'fcm.googleapis.com',
      -- no other message before this time
      add column not_before timestamptz`.execute(db);
  await sql`
    create table pushes (
      id uuid primary key,
      device_id uuid not null references push_devices (id) on delete cascade,
      notification_id uuid not null references notifications (id) on delete cascade,
      tries integer not null default 0,
      created_at timestamptz not null,
      next_try_at timestamptz not null
    )`.execute(db);
  await sql`create index pushes_due on pushes (next_try_at)`.execute(db);
  await sql`create index pushes_of_device on pushes (device_id)`.execute(db);
  await sql`create index pushes_of_notification on pushes (notification_id)`.execute(db);
  await sql`
    create table push_settings (
      person_id uuid primary key references people (id) on delete cascade,
      -- groups of notifications that are not pushed
      off text[] not null
    )`.execute(db);
}
