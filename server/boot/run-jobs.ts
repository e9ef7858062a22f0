import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { deleteOldGuesses } from '../features/accounts/guesses.ts';
import { deleteExpiredLinks } from '../features/accounts/links.ts';
import { deleteExpiredSessions } from '../features/accounts/sessions.ts';
import { deleteExpiredConfirmations } from '../features/confirmation/confirmation.ts';
import { deleteOldMessages } from '../features/contact/contact.ts';
import { auditJob, runAudit } from '../features/earnings/audit.ts';
import { deleteOldMails } from '../features/mail/outbox.ts';
import { lateCasesJob, notifyLateCases } from '../features/moderation/late-cases.ts';
import { deleteOldReports } from '../features/moderation/reports.ts';
import { closeMonths, closingJob } from '../features/months/closing.ts';
import { deleteSingleViews } from '../features/months/single-view-deletion.ts';
import { deleteEndedDevices } from '../features/notifications/devices.ts';
import { fanOutJob, notifyFollowers } from '../features/notifications/fan-out.ts';
import { endSuspensions } from '../features/operators/people.ts';
import { deleteOldProposals } from '../features/operators/proposals.ts';
import { deleteExpiredChallenges } from '../features/passkeys/passkeys.ts';
import { deleteOldEvents } from '../features/payers/webhook.ts';
import { lockPostAgainstDeletion } from '../features/posts-and-stories/posts.ts';
import { deleteSeenStories } from '../features/posts-and-stories/seen-stories.ts';
import { lockStoryAgainstDeletion } from '../features/posts-and-stories/stories.ts';
import { deleteDonePurges, purge } from '../features/purging/purges.ts';
import { giveUpReel, longReelJob, reelJob, tryReel } from '../features/reels/processing.ts';
import { lockReelAgainstDeletion } from '../features/reels/reels.ts';
import { rankingJob, rankResults } from '../features/search/ranking.ts';
import { countSiteDays } from '../features/site/days.ts';
import { extraFilesJob, giveUpExtraFiles, makeExtraFiles } from '../features/stored-files/extra-files.ts';
import { removalJob, removeFiles } from '../features/stored-files/removal.ts';
import { sweep, sweepJob } from '../features/stored-files/sweeper.ts';
import { countTopReels, learnNextReels, nextReelsJob, topReelsJob } from '../features/taste/learning.ts';
import { deleteOldTaste } from '../features/taste/taste.ts';
import { deleteExpiredUploads } from '../features/uploads/expiry.ts';
import { deleteOldVersions } from '../features/versions/versions.ts';
import { deleteOldWatching } from '../features/views/views.ts';
import { checkDestinations } from '../features/withdrawals/destination-check.ts';
import { notifyReady, readyJob } from '../features/withdrawals/payout-notices.ts';
import type { ResponseCache } from '../http/cache/response-cache.ts';
import type { Context } from '../platform/context.ts';
import { deleteExpiredCounts } from '../platform/distributed-rate-limit.ts';
import type { JobKind, Jobs } from '../platform/jobs.ts';
import { reencrypt } from '../platform/keyring/reencryption.ts';
import { deleteExpiredLeases } from '../platform/leases.ts';
import type { Storage } from '../platform/storage.ts';
import { runEach } from './run-each.ts';
import { sealedColumns } from './sealed-columns.ts';

export const reencryptJob: JobKind<object> = {
  name: 'reencrypt',
  retries: 0,
  seconds: 10 * 60,
  isPatient: true,
};

/** Every kind of job. */
export const jobKinds = [
  reelJob,
  longReelJob,
  extraFilesJob,
  fanOutJob,
  removalJob,
  sweepJob,
  auditJob,
  readyJob,
  closingJob,
  lateCasesJob,
  rankingJob,
  topReelsJob,
  nextReelsJob,
  reencryptJob,
];

interface JobContext extends Context {
  config: Config;
  jobs: Jobs;
  /** The storage itself: if `storage` cannot delete something, a job deletes it here. */
  store: Storage;
  logger: FastifyBaseLogger;
  cache: Pick<ResponseCache, 'expireAll'>;
  /** Whether repeated jobs run by themselves. */
  schedules: boolean;
}

/** Starts workers for the jobs, and the scheduled jobs. */
export async function startWork(context: JobContext): Promise<void> {
  const { config, db, store, jobs, logger, cache } = context;
  const repeat = async (...job: Parameters<Jobs['repeat']>) => {
    if (context.schedules) await jobs.repeat(...job);
  };
  for (const kind of [reelJob, longReelJob])
    await jobs.work(
      kind,
      config.mediaWorkers,
      async (attempt) => {
        if (await tryReel(context, attempt)) cache.expireAll();
      },
      ({ reelId }) => giveUpReel(context, reelId),
    );
  const { backgroundWorkers } = config;
  await jobs.work(
    extraFilesJob,
    Math.max(1, backgroundWorkers),
    async (attempt) => {
      if (backgroundWorkers > 0) await makeExtraFiles(context, attempt);
    },
    (data) => giveUpExtraFiles(db, data),
  );
  const holds = {
    new_reel: lockReelAgainstDeletion,
    new_post: lockPostAgainstDeletion,
    new_story: lockStoryAgainstDeletion,
  };
  await jobs.work(fanOutJob, 2, ({ data, signal }) => notifyFollowers(db, data, holds[data.kind], signal));
  await jobs.work(removalJob, 1, async ({ data }) => {
    await removeFiles({ db, storage: store }, data.keys);
    // These files were never withheld: a copy whose hour is over, or files that the store could not delete. A CDN may have cached them
    // until now.
    if (config.purges.url) await purge(db, data, context.clock());
  });
  await jobs.work(sweepJob, 1, async ({ signal }) => {
    const steps = {
      deleteOldGuesses: () => deleteOldGuesses(context),
      deleteExpiredSessions: () => deleteExpiredSessions(context),
      deleteDonePurges: () => deleteDonePurges(context),
      deleteOldWatching: () => deleteOldWatching(context),
      deleteOldMails: () => deleteOldMails(context),
      deleteOldEvents: () => deleteOldEvents(context),
      deleteOldMessages: () => deleteOldMessages(context),
      deleteOldReports: () => deleteOldReports(context),
      deleteOldProposals: () => deleteOldProposals(context),
      endSuspensions: () => endSuspensions(context),
      deleteOldVersions: () => deleteOldVersions(context),
      deleteExpiredLinks: () => deleteExpiredLinks(context),
      deleteExpiredConfirmations: () => deleteExpiredConfirmations(context),
      deleteExpiredChallenges: () => deleteExpiredChallenges(context),
      deleteEndedDevices: () => deleteEndedDevices(context),
      deleteExpiredCounts: () => deleteExpiredCounts(db),
      deleteExpiredLeases: () => deleteExpiredLeases(db),
      deleteExpiredUploads: () => deleteExpiredUploads(context),
      deleteSeenStories: () => deleteSeenStories(context),
      deleteOldTaste: () => deleteOldTaste(context),
      deleteSingleViews: () => deleteSingleViews(context),
      countSiteDays: () => countSiteDays(context),
      async sweep() {
        const { removed, quarantined } = await sweep(context);
        if (removed > 0) logger.info({ removed }, 'deleted files that are no longer needed');
        if (quarantined > 0)
          logger.error(
            { quarantined },
            'files without a row are in quarantine for a week: npm run admin -- files quarantine',
          );
      },
    };
    await runEach(steps, { signal, logger });
  });
  await repeat(sweepJob, '17 * * * *');
  await jobs.work(reencryptJob, 1, async ({ signal }) => {
    const { values, unreadable } = await reencrypt(context, sealedColumns, signal);
    if (values > 0) logger.info({ values }, 'encrypted values with the newest key');
    for (const { count, kind, people } of unreadable)
      logger.warn({ kind, count, people }, 'values were left with an older key, which does not decrypt them');
  });
  await repeat(reencryptJob, '37 * * * *');
  await jobs.work(readyJob, 1, async () => {
    await checkDestinations(context);
    await notifyReady(context);
  });
  await repeat(readyJob, '*/5 * * * *');
  await jobs.work(lateCasesJob, 1, () => notifyLateCases(context));
  await repeat(lateCasesJob, '* * * * *');
  await jobs.work(closingJob, 1, async ({ signal }) => {
    for (const month of await closeMonths(context, signal))
      logger.info({ month }, 'closed and counted a month');
  });
  await repeat(closingJob, '* * * * *');
  await jobs.work(auditJob, 1, async () => {
    const { summary, differences, paidAgain } = await runAudit(context);
    for (const withdrawal of paidAgain)
      logger.warn(withdrawal, 'paid again after an operator recorded a payment as failed or returned');
    if (differences.length === 0) return logger.info(summary, 'the ledger agrees with its events');
    logger.error({ ...summary, first: differences.slice(0, 20) }, 'the ledger differs from its events');
  });
  await repeat(auditJob, '43 21 * * *');
  await jobs.work(rankingJob, 1, ({ signal }) => rankResults(context, { signal }));
  await repeat(rankingJob, '13 * * * *');
  await jobs.work(topReelsJob, 1, () => countTopReels(context));
  await repeat(topReelsJob, '*/10 * * * *');
  await jobs.work(nextReelsJob, 1, async ({ signal }) => {
    const pairs = await learnNextReels(context, signal);
    logger.info({ pairs }, 'learned which reels are watched one after the other');
  });
  // Night in India.
  await repeat(nextReelsJob, '23 20 * * *');
}
