import { rules } from '#contract/earning-rules.ts';
import { dayOf, monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import { viewerOfPerson } from '../views/viewers.ts';
import * as queries from './learning.queries.ts';

/** Learns every night what is watched next. */
export const nextReelsJob: JobKind<object> = {
  name: 'next-reels',
  retries: 1,
  seconds: 2 * 60 * 60,
  isPatient: true,
};
/** Counts the most watched reels. */
export const topReelsJob: JobKind<object> = {
  name: 'top-reels',
  retries: 0,
  seconds: 10 * 60,
  isPatient: true,
};

const dayMs = 24 * 60 * 60 * 1000;
const learnedDays = 60;
const topDays = 7;
const peopleAtOnce = 5000;
const reelsAtOnce = 500;

/** Chosen on the validation splits of `npm run bench -- taste` (docs/decisions/0096-for-you.md). */
const learningRules: queries.LearningRules = {
  distance: 20,
  before: 0.5,
  people: 5,
  share: 0.01,
  damping: 50,
  kept: 100,
  watched: 1000,
};

/**
 * Learns from the watched views of established accounts which reels are watched one after the other; returns how many pairs it knows. All of it
 * is one transaction: a run that is killed leaves what was learned before.
 */
export async function learnNextReels(
  { db, clock, config, keyring, outbox }: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  signal?: AbortSignal,
): Promise<number> {
  const now = clock();
  const since = new Date(now.getTime() - learnedDays * dayMs);
  const hasMail = outbox.isOn;
  const { days, daysWithoutMail } = rules.established;
  const joinedBefore = new Date(now.getTime() - (hasMail ? days : daysWithoutMail) * dayMs);
  const which = { month: monthOf(since, config.timeZone), joinedBefore, hasMail };
  const secret = keyring.secret('viewers');
  return await inTransaction(db, async (trx) => {
    await queries.beginLearning(trx);
    let people: string[];
    let after = '00000000-0000-0000-0000-000000000000';
    do {
      people = await queries.listEstablished(trx, which, after, peopleAtOnce);
      await queries.addViewers(
        trx,
        people.map((id) => viewerOfPerson(secret, id).toString('hex')),
      );
      after = people.at(-1) ?? after;
    } while (people.length === peopleAtOnce);
    const reels = await queries.readWatched(trx, dayOf(since, config.timeZone), learningRules);
    for (let from = 1; from <= reels; from += reelsAtOnce) {
      signal?.throwIfAborted();
      await queries.learnNext(trx, { from, to: from + reelsAtOnce - 1 }, learningRules);
    }
    return await queries.putLearned(trx);
  });
}

/** Counts again which reels were watched most in the last seven days. */
export async function countTopReels({
  db,
  clock,
  config,
}: Context<'db' | 'clock' | 'config'>): Promise<void> {
  const since = dayOf(new Date(clock().getTime() - topDays * dayMs), config.timeZone);
  await inTransaction(db, (trx) => queries.putTopReels(trx, since));
}
