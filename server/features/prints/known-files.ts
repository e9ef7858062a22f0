import { type Kysely, sql } from 'kysely';
import type { Compared, Tables, WorkKind } from '#server/platform/database/tables.ts';

/** An earlier work with which one is compared. */
export interface Earlier {
  work_id: string;
  kind: WorkKind;
  compared: Compared;
}

export const earlier = sql.raw('work_id, kind, compared');
/** Works with which those of this person are compared. */
export const isComparedFor = (creatorId: string) =>
  sql<boolean>`(compared in ('everybody', 'banned') or compared = 'creator' and creator_id = ${creatorId})`;
export const bannedFirst = sql.raw("compared = 'banned' desc");

/** A file by the hash of its bytes, which the server computed, and by the hash of its original, which a client claims. */
export interface Hashes {
  sha256: Buffer;
  original_sha256?: Buffer | null;
}

/**
 * The work with which this file is compared by its bytes. A claimed hash is compared only with the same creator's works: copies by the same
 * person are found even if the browser compressed them again, and nobody can claim a file that they do not have.
 */
export async function findSameFile(
  db: Kysely<Tables>,
  { sha256, original_sha256: original }: Hashes,
  creatorId: string,
): Promise<Earlier | undefined> {
  const hashes = sql`array[${sha256}, ${original ?? sha256}]::bytea[]`;
  const { rows } = await sql<Earlier>`
    select * from (
      select ${earlier} from prints
      where compared is not null and sha256 = any(${hashes}) and (sha256 = ${sha256} or creator_id = ${creatorId})
        and ${isComparedFor(creatorId)}
      union all
      select ${earlier} from prints
      where compared is not null and original_sha256 = any(${hashes}) and creator_id = ${creatorId}
    ) same order by ${bannedFirst}, work_id limit 1`.execute(db);
  return rows[0];
}

/** Whether a file would be a copy by its bytes. */
export async function isKnownFile(db: Kysely<Tables>, file: Hashes, creatorId: string): Promise<boolean> {
  return (await findSameFile(db, file, creatorId)) !== undefined;
}
