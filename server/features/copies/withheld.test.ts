import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newKey } from '#server/platform/ids.ts';
import { contextAt } from '#testing/context.ts';
import { madeReel, personIn } from '#testing/fixtures/earnings.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { rootOf, takenDownRootOf } from './copies.queries.ts';

/* Whose publication of the bytes of a work waits for an operator, in each state of that work and of its original (0065). */

const now = new Date('2026-11-15T06:30:00Z');
let db: Kysely<Tables>;
let end: () => Promise<void>;
const people = { creator: '', copier: '', stranger: '' };
type Who = keyof typeof people;
beforeAll(async () => {
  const database = await freshDatabase();
  db = await openDatabase(database.url, 2);
  end = async () => {
    await db.destroy();
    await database.drop();
  };
  for (const who of Object.keys(people) as Who[]) people[who] = await personIn(db, now);
});
afterAll(() => end());

interface Case {
  by: Who;
  /** Undefined: taken down by an operator who did not look at it as a copy. */
  review?: 'waits' | 'copy' | 'own';
  isTakenDown?: boolean;
  /** The original, which is by `creator`; undefined if the work is none of its copies. */
  original?: 'public' | 'deleted' | 'taken down' | 'taken down, deleted';
}

async function workOf({ by, review, isTakenDown = true, original }: Case) {
  const made = async (who: Who, bytes: string) =>
    await madeReel(contextAt(db, now, 'Asia/Kolkata'), people[who], { bytes });
  const set = (id: string, values: { deleted_at?: Date; taken_down_at?: Date; taken_down_reason?: string }) =>
    db.updateTable('reels').set(values).where('id', '=', id).execute();
  const down = { taken_down_at: now, taken_down_reason: 'It breaks the rules' };
  const bytes = newKey();
  const originalId = original ? await made('creator', newKey()) : null;
  const id = await made(by, bytes);
  if (originalId && original?.startsWith('taken down')) await set(originalId, down);
  if (originalId && original?.endsWith('deleted')) await set(originalId, { deleted_at: now });
  if (isTakenDown) await set(id, down);
  const { sha256 } = await db
    .selectFrom('reels')
    .select('sha256')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (originalId)
    await db
      .insertInto('copies')
      .values({
        creator_id: people[by],
        work_id: id,
        kind: 'reel',
        original_creator_id: people.creator,
        original_id: originalId,
        original_kind: 'reel',
        found_at: now,
        asked_at: review === 'waits' ? now : null,
        ...(review === 'copy' || review === 'own' ? { verdict: review, decided_at: now, reason: 'x' } : {}),
      })
      .execute();
  return { id, creatorId: people[by], sha256: sha256 ?? Buffer.alloc(0), originalId };
}

const all: Who[] = ['creator', 'copier', 'stranger'];
it.each<[what: string, Case, withheldFrom: Who[]]>([
  ['a public work', { by: 'copier', isTakenDown: false }, []],
  ['a work that was taken down', { by: 'copier' }, all],
  ['a public copy', { by: 'copier', isTakenDown: false, original: 'public' }, []],
  ['a copy that was taken down', { by: 'copier', original: 'public' }, ['copier', 'stranger']],
  [
    'one that was decided to be a copy',
    { by: 'copier', review: 'copy', original: 'public' },
    ['copier', 'stranger'],
  ],
  ['a copy that the server hid', { by: 'copier', review: 'waits', original: 'public' }, []],
  ['a supposed copy that is an own work', { by: 'copier', review: 'own', original: 'public' }, all],
  ["a creator's copy of a work of the same creator", { by: 'creator', original: 'public' }, all],
  ['a copy of a work that was deleted', { by: 'copier', original: 'deleted' }, all],
  ['a hidden copy of a work that was deleted', { by: 'copier', review: 'waits', original: 'deleted' }, []],
  [
    'a public copy of a work that was taken down',
    { by: 'copier', isTakenDown: false, original: 'taken down' },
    all,
  ],
  [
    'a hidden copy of a work that was taken down',
    { by: 'copier', review: 'waits', original: 'taken down' },
    all,
  ],
  [
    'a copy of a work that was taken down and deleted',
    { by: 'copier', original: 'taken down, deleted' },
    all,
  ],
])('%s', async (_what, one, withheldFrom) => {
  const { sha256, originalId, ...which } = await workOf(one);
  const isRootGone = one.review === 'own' || one.original === 'deleted';
  for (const who of all) {
    const root = await inTransaction(db, (trx) =>
      rootOf(trx, { creatorId: which.creatorId, workId: which.id }, people[who]),
    );
    expect([who, root?.withheld]).toEqual([who, withheldFrom.includes(who)]);
    expect(root?.id).toBe(isRootGone ? which.id : (originalId ?? which.id));
    // By its bytes, only a work that is taken down itself is found.
    const byBytes = await takenDownRootOf(db, sha256, people[who]);
    expect([who, byBytes?.withheld ?? false]).toEqual([
      who,
      one.isTakenDown !== false && withheldFrom.includes(who),
    ]);
  }
});
