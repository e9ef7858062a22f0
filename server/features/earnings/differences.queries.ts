import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { DifferenceKind } from '#contract/audit-differences.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';

export type StoredRow = Selectable<Tables['audit_differences']>;

/** Replaces what is stored by these; one that was stored already stays as old as it is. */
export async function replaceAll(trx: Transaction<Tables>, rows: readonly StoredRow[]): Promise<void> {
  const columns = ['id', 'what', 'about', 'month', 'figure', 'recorded', 'derived'] as const;
  const found = sql`unnest(${sql.join(
    columns.map(
      (column) => sql`${rows.map((row) => row[column])}::${sql.raw(column === 'id' ? 'uuid' : 'text')}[]`,
    ),
  )}) found(${sql.join(columns.map((column) => sql.ref(column)))})`;
  await sql`
    delete from audit_differences d where not exists (
      select from ${found} where (found.what, found.about, found.figure) = (d.what, d.about, d.figure)
        and found.month is not distinct from d.month)`.execute(trx);
  await sql`
    insert into audit_differences (id, what, about, month, figure, recorded, derived, found_at)
    select found.*, ${rows[0]?.found_at ?? null}::timestamptz from ${found}
    on conflict on constraint audit_differences_one do update set recorded = excluded.recorded, derived = excluded.derived`.execute(
    trx,
  );
}

export interface DifferenceRow extends StoredRow {
  /** Whom it concerns; null where that is nobody. */
  person_id: string | null;
  /** Null once the account is deleted. */
  username: string | null;
}

const anId = sql.lit('^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');

/** Adds whom each of these differences concerns. */
const withPeople = (differences: ReturnType<typeof sql>) => sql<DifferenceRow>`
  select d.*, p.username, whose.person_id from (${differences}) d
  left join works r on r.id = case when d.what = 'reel' then d.about::uuid end
  left join withdrawals w on w.id = case when d.what = 'withdrawal' then d.about::uuid end
  cross join lateral (select coalesce(r.creator_id, w.creator_id, case
    when d.what in ('month', 'activity', 'viewer') and d.about ~ ${anId} then d.about::uuid end) as person_id) whose
  left join people p on p.id = whose.person_id
  order by d.found_at desc, d.id desc`;

export async function list(
  db: Kysely<Tables>,
  what: DifferenceKind | undefined,
  limit: number,
  after: Cursor | undefined,
): Promise<DifferenceRow[]> {
  const { rows } = await withPeople(sql`
    select * from audit_differences where (${what ?? null}::text is null or what = ${what ?? null})
      and (${after?.at ?? null}::timestamptz is null
        or (found_at, id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by found_at desc, id desc limit ${limit}`).execute(db);
  return rows;
}

export async function find(db: Kysely<Tables>, id: string): Promise<DifferenceRow | undefined> {
  const { rows } = await withPeople(sql`select * from audit_differences where id = ${id}`).execute(db);
  return rows[0];
}
