import { type RawBuilder, sql } from 'kysely';
import type { Cursor } from '../cursor.ts';
import { notBlocked } from './not-blocked.ts';

/** The condition of a row of reels or posts that it is on a page of the public ones, newest first, after the cursor. */
export const publicPage = (
  kind: 'reel' | 'post',
  viewerId: string | undefined,
  limit: number,
  after: Cursor | undefined,
): RawBuilder<boolean> => sql`(creator_id, id) in (
  select w.creator_id, w.id from works w join people p on p.id = w.creator_id
  where w.kind = ${sql.lit(kind)} and w.published_at is not null and p.suspended_at is null and ${notBlocked(viewerId, 'p.id')}
    and ${after ? sql`(w.published_at, w.id) < (${after.at}, ${after.id})` : sql`true`}
  order by w.published_at desc, w.id desc limit ${limit})`;

/** The same, that it is a public one of these. */
export const publicOnes = (ids: readonly string[]): RawBuilder<boolean> => sql`(creator_id, id) in (
  select creator_id, id from works where id = any(${ids}::uuid[]) and published_at is not null)`;
