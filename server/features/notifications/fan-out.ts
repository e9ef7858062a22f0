import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import type { JobKind, Jobs } from '#server/platform/jobs.ts';
import * as queries from './notifications.queries.ts';
import { queuePushes } from './push/queue.ts';

type PublicationKind = 'new_reel' | 'new_post' | 'new_story';

/** Payload of the job that notifies the followers of a creator about something published. */
export interface Publication {
  kind: PublicationKind;
  senderId: string;
  /** The reel, post or story. */
  aboutId: string;
  /** ISO 8601. */
  at: string;
}

/** Notifies all followers of a creator in the background. */
export const fanOutJob: JobKind<Publication> = { name: 'news', retries: 24, seconds: 30 * 60 };

/** Schedules the job, in the transaction that publishes. */
export async function scheduleFanOut(
  trx: Transaction<Tables>,
  jobs: Pick<Jobs, 'send'>,
  publication: Omit<Publication, 'at'>,
  now: Date,
): Promise<void> {
  await jobs.send(trx, fanOutJob, { ...publication, at: now.toISOString() });
}

const batchSize = 1000;

/**
 * Notifies every follower, in batches. The job can be retried safely, since each notification is stored once.
 * `lockContent` locks the content against deletion for one transaction and returns whether it still exists; a later
 * deletion then also deletes these notifications.
 */
export async function notifyFollowers(
  db: Kysely<Tables>,
  publication: Publication,
  lockContent: (db: Kysely<Tables>, aboutId: string) => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const at = new Date(publication.at);
  let after: string | undefined;
  do {
    signal.throwIfAborted();
    after = await inTransaction(db, async (trx) => {
      if (!(await lockContent(trx, publication.aboutId))) return undefined;
      const followers = await queries.listFollowerIds(trx, publication.senderId, batchSize, after);
      const stored = await queries.insert(
        trx,
        followers.map((personId) => ({
          id: newId(at),
          person_id: personId,
          kind: publication.kind,
          sender_id: publication.senderId,
          about_id: publication.aboutId,
          fact_id: publication.aboutId,
          created_at: at,
        })),
      );
      await queuePushes(trx, { stored, kind: publication.kind }, at);
      return followers.length < batchSize ? undefined : followers.at(-1);
    });
  } while (after);
}
