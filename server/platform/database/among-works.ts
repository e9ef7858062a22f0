import { type RawBuilder, sql } from 'kysely';

/** Works that one statement reads or locks: their ids, and their creators, each once. */
export interface Group {
  ids: string[];
  creatorIds: string[];
}

/** The condition of a row of reels, posts or stories that it is one of these. The creators tell a cluster its nodes. */
export const isAmong = ({ ids, creatorIds }: Group): RawBuilder<boolean> =>
  sql`(creator_id = any(${creatorIds}::uuid[]) and id = any(${ids}::uuid[]))`;
