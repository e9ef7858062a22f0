import type { Kysely } from 'kysely';
import { postStep } from '#server/features/earnings/ledger.ts';
import { makePublic } from '#server/features/reels/processing.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId, newKey } from '#server/platform/ids.ts';
import { contextAt } from './context.ts';

/** What earns, without its pictures and films: counting needs none. */

/** A person who never signs in. */
export async function personIn(db: Kysely<Tables>, joinedAt: Date): Promise<string> {
  const id = newId(joinedAt);
  await db
    .insertInto('people')
    .values({
      id,
      name: 'Somebody',
      username: id,
      username_key: id,
      email: `${id}@people.example`,
      email_key: `${id}@people.example`,
      password_hash: '',
      created_at: joinedAt,
    })
    .execute();
  return id;
}

/** A photo that has been uploaded and waits to be published; the same `bytes` are the same file. */
export async function uploadedPhoto(
  db: Kysely<Tables>,
  ownerId: string,
  now: Date,
  bytes = newKey(),
): Promise<string> {
  const key = newKey();
  await db
    .insertInto('uploads')
    .values({
      key,
      owner_id: ownerId,
      kind: 'photo',
      bytes: 1,
      sha256: Buffer.from(bytes),
      facts: JSON.stringify({ placeholder: '', width: 1, height: 1, widths: [1] }),
      created_at: now,
    })
    .execute();
  return key;
}

/** A reel, published by the rule that publishes every reel; the same `bytes` are the same file. */
export async function publishedReel(
  db: Kysely<Tables>,
  creatorId: string,
  now: Date,
  timeZone: string,
  bytes = newKey(),
): Promise<string> {
  const id = newId(now);
  await db
    .insertInto('reels')
    .values({
      id,
      creator_id: creatorId,
      media_key: newKey(),
      caption: '',
      credit: '',
      categories: [],
      state: 'processing',
      sha256: Buffer.from(bytes),
      uploaded_at: now,
    })
    .execute();
  const made = { placeholder: '', width: 1, height: 1, seconds: 1, renditions: [] };
  await makePublic(contextAt(db, now, timeZone), id, made);
  return id;
}

/** A withdrawal of a rupee that waits to be decided, of a month that earned it. */
export async function askedWithdrawal(
  db: Kysely<Tables>,
  creatorId: string,
  month: string,
): Promise<{ id: string }> {
  const now = new Date();
  const id = newId(now);
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('creator_months')
      .values({ creator_id: creatorId, month, reels: 100, settled_at: now })
      .execute();
    await trx
      .insertInto('withdrawals')
      .values({
        id,
        creator_id: creatorId,
        month,
        coins: 500,
        paise: 100,
        state: 'pending',
        requested_at: now,
      })
      .execute();
    await postStep(trx, { id, paise: 100 }, { step: 'requested', operatorId: null }, now);
  });
  return { id };
}
