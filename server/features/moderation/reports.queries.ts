import type { Insertable, Kysely } from 'kysely';
import type { ReportKind } from '#contract/reports.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/** The owner of the reported content; undefined if it does not exist. */
export async function ownerOf(db: Kysely<Tables>, kind: ReportKind, id: string): Promise<string | undefined> {
  if (kind === 'person') {
    return (await db.selectFrom('people').select('id').where('id', '=', id).executeTakeFirst())?.id;
  }
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

export async function insertReport(db: Kysely<Tables>, report: Insertable<Tables['reports']>) {
  await db
    .insertInto('reports')
    .values(report)
    .onConflict((conflict) => conflict.columns(['reporter_id', 'kind', 'target_id']).doNothing())
    .execute();
}
