import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely';
import { lockName } from '#server/platform/database/locks.ts';
import type { Compared, Tables } from '#server/platform/database/tables.ts';
import { bannedFirst, type Earlier, earlier, isComparedFor } from './known-files.ts';

/** The number of the newest work that is compared. */
export async function lastNumber(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectFrom('prints')
    .select((eb) => eb.fn.max('number').as('last'))
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** Serializes transactions that change what is compared, until they end. */
export async function lockPrints(trx: Transaction<Tables>): Promise<void> {
  await lockName(trx, 'prints');
}

/** Maximum number of works found by one key: the earliest ones that are compared, if a song or a template is used by many. */
const worksOfKey = 64;

/**
 * Works that share a key of a search: this many for each search, those with the most keys first. Works that are not
 * compared with this person's are left out. One query, so that a print, which is large, is read only once for all searches.
 */
export async function findCandidates(
  db: Kysely<Tables>,
  { searches, creatorId }: { searches: readonly (readonly number[])[]; creatorId: string },
  limit: number,
): Promise<(Earlier & { print: Buffer })[]> {
  const positions = searches.flatMap((keys, position) => keys.map(() => position));
  const { rows } = await sql<Earlier & { print: Buffer }>`
    with shared as (
      select search, number, count(*) as keys
      from unnest(${searches.flat()}::bigint[], ${positions}::int[]) wanted (key, search) cross join lateral (
        select number from print_keys
        where key = wanted.key and (select ${isComparedFor(creatorId)} from prints where number = print_keys.number)
        order by number limit ${worksOfKey}
      ) work group by search, number
    ), ranked as (
      select number, search, row_number() over (partition by search order by keys desc, number) as rank from shared
    ), candidates as (
      select distinct on (number) number, search, rank from ranked where rank <= ${limit} order by number, search
    )
    select ${earlier}, print from candidates join prints using (number) order by ${bannedFirst}, search, rank`.execute(
    db,
  );
  return rows;
}

/** What is stored of a work to recognize others by. */
export interface PrintRow extends Omit<Earlier, 'compared'> {
  creator_id: string;
  compared: Compared | null;
  number: number | null;
  print: Buffer | null;
}

/** All works of a creator by which something is recognized. */
export async function listWorksWithPrint(trx: Transaction<Tables>, creatorId: string): Promise<string[]> {
  const rows = await trx.selectFrom('prints').select('work_id').where('creator_id', '=', creatorId).execute();
  return rows.map((row) => row.work_id);
}

export function listPrints(trx: Transaction<Tables>, workIds: readonly string[]): Promise<PrintRow[]> {
  return trx
    .selectFrom('prints')
    .select(['work_id', 'creator_id', 'kind', 'compared', 'number', 'print'])
    .where(sql<boolean>`work_id = any(${workIds}::uuid[])`)
    .execute();
}

/** Whose works are compared with this one; null for nobody's. */
export async function findCompared(trx: Transaction<Tables>, workId: string): Promise<Compared | null> {
  const row = await trx
    .selectFrom('prints')
    .select('compared')
    .where('work_id', '=', workId)
    .executeTakeFirst();
  return row?.compared ?? null;
}

/** An earlier work as it is now; undefined if those of this person are not compared with it any more. */
export async function findStillCompared(
  trx: Transaction<Tables>,
  workId: string,
  creatorId: string,
): Promise<Earlier | undefined> {
  const { rows } = await sql<Earlier>`
    select ${earlier} from prints where work_id = ${workId} and ${isComparedFor(creatorId)}`.execute(trx);
  return rows[0];
}

/** Whether a work after this number shares a key. */
export async function hasNewer(
  trx: Transaction<Tables>,
  keys: readonly number[],
  after: number,
): Promise<boolean> {
  const { rows } = await sql<{ newer: boolean }>`
    select exists (select from print_keys where number > ${after} and key = any(${keys}::bigint[])) as newer`.execute(
    trx,
  );
  return rows[0]?.newer ?? false;
}

export async function insertPrint(
  trx: Transaction<Tables>,
  print: Insertable<Tables['prints']>,
): Promise<void> {
  await trx.insertInto('prints').values(print).execute();
}

export async function insertKeys(
  trx: Transaction<Tables>,
  number: number,
  keys: readonly number[],
): Promise<void> {
  await sql`
    insert into print_keys (key, number) select key, ${number}::bigint from unnest(${keys}::bigint[]) key`.execute(
    trx,
  );
}

export async function deleteKeys(
  trx: Transaction<Tables>,
  number: number,
  keys: readonly number[],
): Promise<void> {
  await sql`delete from print_keys where key = any(${keys}::bigint[]) and number = ${number}`.execute(trx);
}

export async function setPrint(
  trx: Transaction<Tables>,
  workId: string,
  values: Updateable<Tables['prints']>,
): Promise<void> {
  await trx.updateTable('prints').set(values).where('work_id', '=', workId).execute();
}

export async function deletePrint(trx: Transaction<Tables>, workId: string): Promise<void> {
  await trx.deleteFrom('prints').where('work_id', '=', workId).execute();
}
