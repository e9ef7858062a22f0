import type { Kysely, Transaction } from 'kysely';
import type { Page } from '#contract/fields.ts';
import type { EarlierVersion } from '#contract/operators.ts';
import { retention } from '#contract/retention.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables, WorkWords } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import { Refusal } from '#server/platform/refusal.ts';
import * as queries from './versions.queries.ts';

const day = 24 * 3_600_000;

interface EditedWork {
  kind: 'reel' | 'post';
  id: string;
  creatorId: string;
}

/** Refuses to edit a work while a report about it is undecided: operators decide about what was reported (decisions §3). */
export async function refuseReported(
  db: Kysely<Tables>,
  kind: EditedWork['kind'],
  id: string,
): Promise<void> {
  if (await queries.hasOpenReport(db, kind, id)) throw new Refusal('reported');
}

/** Stores what a work is for operators, in the transaction that has locked it and edits it. */
export async function storeVersion(
  trx: Transaction<Tables>,
  { kind, id, creatorId }: EditedWork,
  words: WorkWords,
  now: Date,
): Promise<void> {
  await queries.insertVersion(trx, {
    id: newId(now),
    kind,
    work_id: id,
    creator_id: creatorId,
    words: JSON.stringify(words),
    replaced_at: now,
  });
}

/** What a work said before its edits, newest first. */
export async function listVersions(
  db: Kysely<Tables>,
  workId: string,
  { limit, cursor }: Page,
): Promise<{ data: EarlierVersion[]; nextCursor: string | null }> {
  const rows = await queries.listVersions(db, workId, limit + 1, readCursor(cursor));
  const position = (row: queries.VersionRow) => ({ at: row.replaced_at, id: row.id });
  return pageOf(rows, limit, position, ({ id, kind, words, replaced_at }) => ({
    _id: id,
    kind,
    caption: words.caption,
    description: words.description ?? '',
    creadit: words.credit ?? '',
    category: words.categories ?? [],
    coverSecond: words.coverSecond ?? null,
    replacedAt: replaced_at.toISOString(),
  }));
}

/** How many earlier versions these works have, by their ids. */
export async function countVersions(
  db: Kysely<Tables>,
  workIds: string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await queries.countVersions(db, workIds);
  return new Map(rows.map(({ work_id, versions }) => [work_id, Number(versions)]));
}

/** Deletes what is too old, of deleted works too; those of an account are deleted with its row (decisions §3). */
export async function deleteOldVersions({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  await queries.deleteVersions(db, new Date(clock().getTime() - retention.versionDays * day));
}
