import { type Kysely, sql } from 'kysely';
import type { ReportForReview } from '#contract/operators.ts';
import type { ReportKind } from '#contract/reports.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';

export interface ReportRow {
  id: string;
  kind: ReportKind;
  target_id: string;
  reason: ReportForReview['reason'];
  text: string;
  contact: string;
  created_at: Date;
  taken_up_at: Date | null;
  closed_at: Date | null;
  reporter: string | null;
  owner: string | null;
  words: string | null;
  state: ReportForReview['state'] | null;
}

/**
 * Reports, newest first, after the cursor, each with the reported content: its owner, its text, whether it still
 * exists.
 */
export async function listReports(
  db: Kysely<Tables>,
  which: 'open' | 'all',
  limit: number,
  after: Cursor | undefined,
): Promise<ReportRow[]> {
  const hidden = (table: string) => sql`case
    when ${sql.ref(`${table}.taken_down_at`)} is not null then 'taken_down'
    when p.suspended_at is not null then 'hidden' else 'public' end`;
  const { rows } = await sql<ReportRow>`
    select r.id, r.kind, r.target_id, r.reason, r.text, r.contact, r.created_at, r.taken_up_at, r.closed_at,
      who.username as reporter, about.owner, about.words, about.state
    from (
      select * from reports
      where (${which} = 'all' or closed_at is null)
        and (${after?.at ?? null}::timestamptz is null
          or (created_at, id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
      order by created_at desc, id desc limit ${limit}
    ) r
    left join people who on who.id = r.reporter_id
    left join lateral (
      select p.username as owner, reels.caption as words,
        case when reels.state <> 'ready' then 'hidden' else ${hidden('reels')} end as state
      from reels join people p on p.id = creator_id
      where r.kind = 'reel' and reels.id = r.target_id and deleted_at is null
      union all
      select p.username, caption, ${hidden('posts')} from posts join people p on p.id = creator_id
      where r.kind = 'post' and posts.id = r.target_id and deleted_at is null
      union all
      select p.username, status_text, ${hidden('stories')} from stories join people p on p.id = creator_id
      where r.kind = 'story' and stories.id = r.target_id and deleted_at is null
      union all
      select p.username, c.text, 'public' from reel_comments c join people p on p.id = c.person_id
      where r.kind = 'comment' and c.id = r.target_id
      union all
      select p.username, p.name, case when p.suspended_at is null then 'public' else 'hidden' end from people p
      where r.kind = 'person' and p.id = r.target_id
    ) about on true
    order by r.created_at desc, r.id desc`.execute(db);
  return rows;
}

export function findReport(db: Kysely<Tables>, id: string) {
  return db.selectFrom('reports').select(['kind', 'target_id']).where('id', '=', id).executeTakeFirst();
}

/** The report; locks its row. */
export function lockReport(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('reports')
    .select(['kind', 'target_id', 'taken_up_at', 'closed_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function takeUpReport(db: Kysely<Tables>, id: string, now: Date): Promise<void> {
  await db.updateTable('reports').set({ taken_up_at: now }).where('id', '=', id).execute();
}

export async function closeReport(db: Kysely<Tables>, id: string, now: Date): Promise<void> {
  await db.updateTable('reports').set({ closed_at: now }).where('id', '=', id).execute();
}

/** Closes all open reports of one thing; returns how many. */
export async function closeReportsOf(
  db: Kysely<Tables>,
  kind: ReportKind,
  targetId: string,
  now: Date,
): Promise<number> {
  const result = await db
    .updateTable('reports')
    .set({ closed_at: now })
    .where('kind', '=', kind)
    .where('target_id', '=', targetId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

const tables = { reel: 'reels', post: 'posts', story: 'stories' } as const;

export function findTakeDown(db: Kysely<Tables>, kind: keyof typeof tables, id: string) {
  return db
    .selectFrom(tables[kind])
    .select(['taken_down_as', 'taken_down_reason'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}
