import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { Cursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';

export async function insertAct(db: Kysely<Tables>, act: Insertable<Tables['audit_log']>): Promise<void> {
  await db.insertInto('audit_log').values(act).execute();
}

export async function lastDetails(db: Kysely<Tables>, act: string, target: { kind: string; id: string }) {
  const row = await db
    .selectFrom('audit_log')
    .select('details')
    .where('act', '=', act)
    .where('target_kind', '=', target.kind)
    .where('target_id', '=', target.id)
    .orderBy('acted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.details;
}

/** When an operator last did this to the target with their account; undefined if none did. */
export async function lastByOperator(
  db: Kysely<Tables>,
  act: string,
  target: { kind: string; id: string },
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('audit_log')
    .select('acted_at')
    .where('act', '=', act)
    .where('target_kind', '=', target.kind)
    .where('target_id', '=', target.id)
    .where('operator_id', 'is not', null)
    .orderBy('acted_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.acted_at;
}

export type ActRow = Selectable<Tables['audit_log']>;

/** Which acts: all of them by default. Days are those of a time zone. */
export interface ActFilters {
  operator?: string | undefined;
  act?: string | undefined;
  /** What they are about; any kind of target with this id if it names none. */
  about?: { kind?: string; id: string } | undefined;
  from?: string | undefined;
  to?: string | undefined;
  timeZone: string;
}

export function listActs(
  db: Kysely<Tables>,
  { operator, act, about, from, to, timeZone }: ActFilters,
  limit: number,
  after: Cursor | undefined,
): Promise<ActRow[]> {
  const beginOf = (day: string, plus: number) =>
    sql<Date>`(${day}::date + ${plus}::int)::timestamp at time zone ${timeZone}`;
  let query = db
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('acted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (operator) query = query.where('operator', '=', operator);
  if (act) query = query.where('act', '=', act);
  if (about) query = query.where('target_id', '=', about.id);
  if (about?.kind) query = query.where('target_kind', '=', about.kind);
  if (from) query = query.where('acted_at', '>=', beginOf(from, 0));
  if (to) query = query.where('acted_at', '<', beginOf(to, 1));
  if (after) query = query.where(sql<boolean>`(acted_at, id) < (${after.at}, ${after.id})`);
  return query.execute();
}

export function findAct(db: Kysely<Tables>, id: string): Promise<ActRow | undefined> {
  return db.selectFrom('audit_log').selectAll().where('id', '=', id).executeTakeFirst();
}

export function listActsOn(
  db: Kysely<Tables>,
  targets: readonly { kind: string; id: string }[],
  limit: number,
): Promise<ActRow[]> {
  return db
    .selectFrom('audit_log')
    .selectAll()
    .where((is) => is.or(targets.map(({ kind, id }) => is.and({ target_kind: kind, target_id: id }))))
    .orderBy('acted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** When a backup was last made. */
export async function lastBackup(db: Kysely<Tables>): Promise<Date | undefined> {
  const row = await db
    .selectFrom('audit_log')
    .select('acted_at')
    .where('target_kind', '=', 'site')
    .where('act', '=', 'site.backup')
    .orderBy('acted_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.acted_at;
}
