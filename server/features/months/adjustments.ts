import {
  type Insertable,
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
  type Transaction,
} from 'kysely';
import { rules } from '#contract/earning-rules.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { type AdjustmentRow, type MonthViews, viewsOf } from './money.ts';
import { asResult } from './month-rows.ts';

/** All adjustments of a creator, in the order in which they were decided. */
export function listAdjustments(db: Kysely<Tables>, creatorId: string): Promise<AdjustmentRow[]> {
  return db
    .selectFrom('adjustments')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

export async function insertAdjustment(
  trx: Transaction<Tables>,
  row: Insertable<Tables['adjustments']>,
): Promise<void> {
  await trx.insertInto('adjustments').values(row).execute();
}

/** Views of works that were found to be their creator's own after the month `m` was closed. */
const ofOwnWorks = sql`(
  select coalesce(sum(o.views), 0)::bigint from adjustments o
  where o.creator_id = m.creator_id and o.month = m.month and o.kind = 'own')`;

/** Whether views wait only with those of such works. */
const waitsByOwnWorks = sql`(m.views = m.paid_views
  and m.views + ${ofOwnWorks} > ${sql.lit(rules.vouching.views)} + m.account_views)`;

/** Whether nothing was decided about the waiting views of the month `m`. */
const isOpen = sql`not exists (
  select from adjustments a where a.creator_id = m.creator_id and a.month = m.month and a.kind in ('released', 'void_waiting'))`;

const isUndecided = sql`((m.views > m.paid_views or ${waitsByOwnWorks}) and ${isOpen})`;

type WaitingRow = Selectable<Tables['month_results']> & { of_own_works: number };

const waitingIn = (row: WaitingRow) => viewsOf(asResult(row), row.of_own_works);

/** Ids of the creators who have waiting views in a month, in order. */
export async function listCreatorsWaiting(db: Kysely<Tables>, month: string): Promise<string[]> {
  const { rows } = await sql<{ creator_id: string }>`
    select creator_id from month_results m where month = ${month} and ${isUndecided} order by creator_id`.execute(
    db,
  );
  return rows.map(({ creator_id }) => creator_id);
}

/** Of these months, those in which views wait, by creator and month. */
export async function listUndecidedOf<Asked extends { creatorId: string; month: string }>(
  db: Kysely<Tables>,
  asked: readonly Asked[],
): Promise<(Asked & { waiting: MonthViews })[]> {
  const { rows } = await sql<WaitingRow & { position: number }>`
    select position::int, m.*, ${ofOwnWorks} as of_own_works
    from unnest(${asked.map(({ creatorId }) => creatorId)}::uuid[], ${asked.map(({ month }) => month)}::text[])
      with ordinality asked(creator_id, month, position)
    join month_results m on m.creator_id = asked.creator_id and m.month = asked.month
    where ${isUndecided} order by m.creator_id, m.month, position`.execute(db);
  return rows.flatMap(({ position, ...row }) => {
    const month = asked[position - 1];
    return month ? [{ ...month, waiting: waitingIn(row) }] : [];
  });
}

interface UndecidedRow {
  creator_id: string;
  month: string;
  accounts: number;
  account_views: number;
  /** Null once the account is deleted. */
  name: string | null;
  username: string | null;
  look_asked_at: Date | null;
}

/** A page of months in which views wait, newest first. */
export async function listUndecided(
  db: Kysely<Tables>,
  limit: number,
  after: { month: string; id: string } | undefined,
): Promise<(UndecidedRow & MonthViews)[]> {
  // Two parts, so that each is read in the order of an index.
  const part = (from: RawBuilder<unknown>) => sql`(
    select m.*, ${ofOwnWorks} as of_own_works from ${from} and ${isOpen}
      and (${after?.month ?? null}::text is null or (m.month, m.creator_id) < (${after?.month ?? null}, ${after?.id ?? null}::uuid))
    order by m.month desc, m.creator_id desc limit ${limit})`;
  const { rows } = await sql<WaitingRow & UndecidedRow>`
    with page as materialized (
      select * from (
        ${part(sql`month_results m where m.views > m.paid_views`)}
        union all
        ${part(sql`month_results m where (m.creator_id, m.month) in (
          select creator_id, month from adjustments where kind = 'own') and ${waitsByOwnWorks}`)}
      ) parts order by month desc, creator_id desc limit ${limit}
    )
    select m.*, p.name, p.username,
      (select max(asked_at) from month_looks l where l.creator_id = m.creator_id and l.month > m.month) as look_asked_at
    from page m left join people p on p.id = m.creator_id
    order by m.month desc, m.creator_id desc`.execute(db);
  return rows.map((row) => ({ ...row, ...waitingIn(row) }));
}
