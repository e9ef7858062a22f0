import { type Kysely, sql } from 'kysely';
import type { Group } from '#server/platform/database/among-works.ts';
import { isCluster } from '#server/platform/database/spread.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { groupOf, type Work } from './works.ts';

/**
 * On a cluster: the shards of `views` that have the rows of these creators; those of other tables have the same creators. None if the table was
 * brought back to the coordinator.
 */
export async function findShards(
  db: Kysely<Tables>,
  creatorIds: readonly string[],
): Promise<{ creatorId: string; shard: string }[]> {
  const { rows } = await sql<{ creatorId: string; shard: string }>`
    select id as "creatorId", get_shard_id_for_distribution_column('views', id)::text as shard
    from unnest(${creatorIds}::uuid[]) id
    where exists (select from pg_dist_partition where logicalrelid = 'views'::regclass and partmethod = 'h')`.execute(
    db,
  );
  return rows;
}

/**
 * Groups these works by shard, in a fixed order: on a cluster, a statement can lock rows of one shard only. On one PostgreSQL they are one group. Whoever locks
 * works of many creators takes one group after the other, and the works of each by their ids, to avoid deadlocks. `onCluster` where the caller knows it.
 */
export async function byShard(
  db: Kysely<Tables>,
  works: readonly Work[],
  onCluster?: boolean,
): Promise<Group[]> {
  if (!(onCluster ?? (await isCluster(db)))) return [groupOf(works)];
  const shards = new Map(
    (await findShards(db, groupOf(works).creatorIds)).map(({ creatorId, shard }) => [
      creatorId,
      Number(shard),
    ]),
  );
  const groups = Map.groupBy(works, ({ creator_id }) => shards.get(creator_id) ?? 0);
  return [...groups].sort(([shard], [other]) => shard - other).map(([, group]) => groupOf(group));
}
