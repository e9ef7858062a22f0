import type { Insertable, Kysely, Selectable } from 'kysely';
import type { ReportKind } from '#contract/reports.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/** The owner of what is reported; undefined if nobody can see it. */
export async function ownerOf(db: Kysely<Tables>, kind: ReportKind, id: string): Promise<string | undefined> {
  const ownerId = await ownerOfAny(db, kind, id);
  if (!ownerId) return undefined;
  const row = await db
    .selectFrom('people')
    .select('id')
    .where('id', '=', ownerId)
    .where('suspended_at', 'is', null)
    .executeTakeFirst();
  return row?.id;
}

async function ownerOfAny(db: Kysely<Tables>, kind: ReportKind, id: string): Promise<string | undefined> {
  if (kind === 'person') return id;
  if (kind === 'comment') {
    const row = await db
      .selectFrom('reel_comments')
      .select('person_id')
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.person_id;
  }
  const table = ({ reel: 'reels', post: 'posts', story: 'stories' } as const)[kind];
  const row = await db
    .selectFrom(table)
    .select('creator_id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null)
    .executeTakeFirst();
  return row?.creator_id;
}

/** Stores a report, unless one has its number, or an open one of the same thing is by the same person. */
export async function insertReport(db: Kysely<Tables>, report: Insertable<Tables['reports']>): Promise<void> {
  await db
    .insertInto('reports')
    .values(report)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The number of a stored report of a thing: with this number, or an open one by the same person. */
export async function findNumber(
  db: Kysely<Tables>,
  {
    kind,
    target_id,
    reporter_id,
    number,
  }: Pick<Selectable<Tables['reports']>, 'kind' | 'target_id' | 'reporter_id' | 'number'>,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('reports')
    .select('number')
    .where('kind', '=', kind)
    .where('target_id', '=', target_id)
    .where((is) =>
      is.or([
        is('number', '=', number),
        is.and([is('reporter_id', '=', reporter_id), is('closed_at', 'is', null)]),
      ]),
    )
    .executeTakeFirst();
  return row?.number;
}

export function findByNumber(db: Kysely<Tables>, number: string) {
  return db
    .selectFrom('reports')
    .select(['taken_up_at', 'closed_at'])
    .where('number', '=', number)
    .executeTakeFirst();
}

export async function deleteReports(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('reports').where('created_at', '<', before).execute();
}
