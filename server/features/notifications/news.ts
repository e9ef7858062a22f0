import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import type { JobKind, Jobs } from '#server/platform/jobs.ts';
import * as queries from './notifications.queries.ts';

type NewsKind = 'new_reel' | 'new_post' | 'new_story';

/** Somebody published something: what the job that tells their followers carries. */
export interface News {
  kind: NewsKind;
  senderId: string;
  /** The reel, post or story. */
  aboutId: string;
  /** ISO 8601. */
  at: string;
}

/** Tells the followers of who published something, however many they are, outside the request's time. */
export const newsJob: JobKind<News> = { name: 'news', retries: 24, seconds: 30 * 60 };

/** Orders that followers be told; part of the transaction that publishes. */
export async function announce(
  trx: Transaction<Tables>,
  jobs: Pick<Jobs, 'send'>,
  news: Omit<News, 'at'>,
  now: Date,
): Promise<void> {
  await jobs.send(trx, newsJob, { ...news, at: now.toISOString() });
}

const atOnce = 1000;

/**
 * Tells every follower, some at a time; a try that was cut off is simply made again, since a fact is told once.
 * `holds` locks the thing against deletion for the transaction and says whether it is still there to be told of: who
 * deletes it afterwards finds all that was told, and forgets it.
 */
export async function tellFollowers(
  db: Kysely<Tables>,
  news: News,
  holds: (db: Kysely<Tables>, aboutId: string) => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const at = new Date(news.at);
  let after: string | undefined;
  do {
    signal.throwIfAborted();
    after = await inTransaction(db, async (trx) => {
      if (!(await holds(trx, news.aboutId))) return undefined;
      const followers = await queries.listFollowerIds(trx, news.senderId, atOnce, after);
      await queries.insertAll(
        trx,
        followers.map((personId) => ({
          id: newId(at),
          person_id: personId,
          kind: news.kind,
          sender_id: news.senderId,
          about_id: news.aboutId,
          fact_id: news.aboutId,
          created_at: at,
        })),
      );
      return followers.length < atOnce ? undefined : followers.at(-1);
    });
  } while (after);
}
