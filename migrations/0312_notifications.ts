import { type Kysely, sql } from 'kysely';

/** Notifications, and their ways to people: push messages and mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- One row for each fact, however often it is undone and repeated.
    create table notifications (
      id uuid primary key,
      person_id uuid not null references people on delete cascade,
      -- The contract defines the kinds: a list here would have to be replaced with each new one.
      kind text not null check (kind ~ '^[a-z_]{1,40}$'),
      -- none for a notification of the site
      sender_id uuid references people on delete cascade,
      -- the reel or post concerned; none for a follow
      about_id uuid,
      -- identifies the fact: the comment, else the content, else the sender
      fact_id uuid not null,
      created_at timestamptz not null,
      read_at timestamptz,
      unique (person_id, kind, sender_id, fact_id)
    );
    create index notifications_newest on notifications (person_id, created_at desc, id desc);
    create index notifications_unread on notifications (person_id) where read_at is null;
    create index notifications_about on notifications (about_id) where about_id is not null;
    create index notifications_by_sender_id on notifications (sender_id);

    -- Where push messages are sent; a device belongs to one person at a time (docs/decisions/0063-push.md).
    create table push_devices (
      id uuid primary key,
      person_id uuid not null references people on delete cascade,
      -- with which it is removed
      session_id uuid not null,
      platform text not null,
      -- of its push service
      host text not null,
      -- encrypted by the keyring
      token bytea not null,
      -- a keyed hash: the same for the same token, also of other people
      fingerprint bytea not null unique,
      -- no other message before this time
      not_before timestamptz,
      registered_at timestamptz not null
    );
    create index push_devices_of on push_devices (person_id);

    create table pushes (
      id uuid primary key,
      device_id uuid not null references push_devices on delete cascade,
      notification_id uuid not null references notifications on delete cascade,
      tries integer not null default 0,
      created_at timestamptz not null,
      next_try_at timestamptz not null
    );
    create index pushes_due on pushes (next_try_at);
    create index pushes_of_device on pushes (device_id);
    create index pushes_of_notification on pushes (notification_id);

    create table push_settings (
      person_id uuid primary key references people on delete cascade,
      -- groups of notifications that are not pushed
      off text[] not null
    );

    -- docs/decisions/0042-mail.md
    create table mails (
      id uuid primary key,
      -- null: the owner of the address, looked up when the mail is sent
      person_id uuid references people on delete cascade,
      recipient text not null,
      recipient_key text not null,
      template text not null,
      -- encrypted by the keyring; null: none, or already sent
      parameters bytea,
      -- reports a finished action: never dropped, and bundled with others
      is_notice boolean not null,
      -- the requested language, if the person is not known yet
      language text,
      -- the first of those that are bundled into one mail
      bundle_id uuid,
      tries integer not null default 0,
      created_at timestamptz not null,
      next_try_at timestamptz not null,
      done_at timestamptz,
      outcome text check (outcome in ('sent', 'dropped', 'given_up'))
    );
    create index mails_due on mails (next_try_at, id) where done_at is null;
    create index mails_to on mails (recipient_key, created_at);
    create index mails_of on mails (person_id);
    create index mails_done on mails (done_at)`.execute(db);
}
