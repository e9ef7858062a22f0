import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/** Whether there are rows whose viewer is not hashed with the key of the month. */
export async function hasUnkeyedRows(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from view_events where not by_month)
      or exists (select from view_windows where not by_month) as found`.execute(db);
  return rows[0]?.found ?? false;
}

/** The physical location of a row, which stays valid until this transaction ends. */
type RowLocation = string;

export async function lockUnkeyedEvents(trx: Transaction<Tables>, limit: number) {
  const { rows } = await sql<{ place: RowLocation; viewer: Buffer; address: Buffer | null; seen_at: Date }>`
    select ctid::text as place, viewer, address, seen_at from view_events
    where not by_month limit ${limit} for update skip locked`.execute(trx);
  return rows;
}

export async function writeEventHashes(
  trx: Transaction<Tables>,
  keyed: readonly { place: RowLocation; viewer: Buffer; address: Buffer | null }[],
): Promise<void> {
  await sql`
    update view_events e set viewer = keyed.viewer, address = keyed.address, by_month = true
    from unnest(
      ${keyed.map(({ place }) => place)}::tid[], ${keyed.map(({ viewer }) => viewer)}::bytea[],
      ${keyed.map(({ address }) => address)}::bytea[]) as keyed (place, viewer, address)
    where e.ctid = keyed.place`.execute(trx);
}

export async function takeUnkeyedWindows(trx: Transaction<Tables>, limit: number) {
  const { rows } = await sql<{ reel_id: string; viewer: Buffer; counted_at: Date }>`
    delete from view_windows where (viewer, reel_id) in (
      select viewer, reel_id from view_windows where not by_month limit ${limit} for update skip locked
    ) returning reel_id, viewer, counted_at`.execute(trx);
  return rows;
}

/** If the viewer has been seen again since, the later time counts. */
export async function putWindows(
  trx: Transaction<Tables>,
  windows: readonly { reel_id: string; viewer: Buffer; counted_at: Date }[],
): Promise<void> {
  await sql`
    insert into view_windows as w (reel_id, viewer, counted_at, by_month)
    select *, true from unnest(
      ${windows.map((one) => one.reel_id)}::uuid[], ${windows.map(({ viewer }) => viewer)}::bytea[],
      ${windows.map((one) => one.counted_at)}::timestamptz[])
    on conflict (reel_id, viewer) do update set counted_at = greatest(w.counted_at, excluded.counted_at)`.execute(
    trx,
  );
}
