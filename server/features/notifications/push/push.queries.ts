import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { PushGroup } from '#contract/push-groups.ts';
import type { Tables } from '#server/platform/database/tables.ts';

interface Pushed {
  notifications: readonly { id: string; person_id: string }[];
  group: PushGroup | 'account';
  /** Maximum of messages that wait for one device. */
  waitingAtMost: number;
}

/** Queues a message for each device of the recipients, unless they have switched off this group. */
export async function queue(trx: Transaction<Tables>, pushed: Pushed, now: Date): Promise<void> {
  const { notifications, group, waitingAtMost } = pushed;
  const [ids, personIds] = [
    notifications.map(({ id }) => id),
    notifications.map(({ person_id }) => person_id),
  ];
  await sql`
    insert into pushes (id, device_id, notification_id, created_at, next_try_at)
    select gen_random_uuid(), device.id, notification.id, ${now}::timestamptz,
      greatest(${now}::timestamptz, device.not_before)
    from unnest(${ids}::uuid[], ${personIds}::uuid[]) notification (id, person_id)
    join push_devices device on device.person_id = notification.person_id
    where not exists (
        select from push_settings chosen
        where chosen.person_id = notification.person_id and ${group} = any(chosen.off))
      and (select count(*) from pushes waiting where waiting.device_id = device.id) < ${waitingAtMost}`.execute(
    trx,
  );
}

export type Device = Selectable<Tables['push_devices']>;

/**
 * Locks all messages that wait for the device whose message has been due for longest, except at these push services. The device gets no
 * other message until `notBefore`.
 */
export async function lockDue(
  trx: Transaction<Tables>,
  now: Date,
  { notBefore, notAt }: { notBefore: Date; notAt: readonly string[] },
) {
  const lead = await trx
    .selectFrom('pushes')
    .innerJoin('push_devices as device', 'device.id', 'pushes.device_id')
    .select(['device_id', 'host', 'person_id'])
    .where('next_try_at', '<=', now)
    .where((row) => row.or([row('not_before', 'is', null), row('not_before', '<=', now)]))
    .$if(notAt.length > 0, (rows) => rows.where('host', 'not in', notAt))
    .orderBy('next_try_at')
    .orderBy('pushes.id')
    .limit(1)
    // The device is locked, so that one worker gets all its messages.
    .forNoKeyUpdate('device')
    .skipLocked()
    .executeTakeFirst();
  if (!lead) return undefined;
  const rows = await trx
    .selectFrom('pushes')
    .selectAll()
    .where('device_id', '=', lead.device_id)
    .forUpdate()
    .skipLocked()
    .execute();
  // The messages are being deleted with their device.
  if (rows.length === 0) return undefined;
  await trx
    .updateTable('push_devices')
    .set({ not_before: notBefore })
    .where('id', '=', lead.device_id)
    .execute();
  return { ...lead, rows };
}
export type Due = NonNullable<Awaited<ReturnType<typeof lockDue>>>;

/** The device gets nothing before this time. */
export async function putNotBefore(db: Kysely<Tables>, deviceId: string, notBefore: Date): Promise<void> {
  await db
    .updateTable('push_devices')
    .set({ not_before: notBefore })
    .where('id', '=', deviceId)
    .where('not_before', '<', notBefore)
    .execute();
}

/** The device, and the language of its person; undefined if it or its session has ended. */
export function findDevice(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('push_devices as device')
    .innerJoin('people', 'people.id', 'device.person_id')
    .innerJoin('sessions', (join) =>
      join
        .onRef('sessions.person_id', '=', 'device.person_id')
        .onRef('sessions.id', '=', 'device.session_id'),
    )
    .select(['device.id', 'device.person_id', 'device.platform', 'device.token', 'people.language'])
    .where('device.id', '=', id)
    .where('people.suspended_at', 'is', null)
    .executeTakeFirst();
}

/** Deletes a device and its waiting messages, unless it has been registered again in the meantime. */
export async function deleteDevice(db: Kysely<Tables>, { id, token }: Pick<Device, 'id' | 'token'>) {
  await db.deleteFrom('push_devices').where('id', '=', id).where('token', '=', token).execute();
}

export async function deletePushes(db: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('pushes').where('id', 'in', ids).execute();
}

export async function findOff(db: Kysely<Tables>, personId: string): Promise<string[]> {
  const row = await db
    .selectFrom('push_settings')
    .select('off')
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return row?.off ?? [];
}

export async function putOff(db: Kysely<Tables>, personId: string, off: string[]): Promise<void> {
  await db
    .insertInto('push_settings')
    .values({ person_id: personId, off })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ off }))
    .execute();
}

export async function dropAll(db: Kysely<Tables>): Promise<void> {
  await db.deleteFrom('pushes').execute();
}
