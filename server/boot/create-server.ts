import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { withDemo } from '#demo/settings.ts';
import type { Config } from '../config.ts';
import { accountDeletionRoutes } from '../features/account-deletion/account-deletion.routes.ts';
import { accountsRoutes } from '../features/accounts/accounts.routes.ts';
import { placesWith } from '../features/accounts/places.ts';
import { callerOf } from '../features/accounts/sessions.ts';
import { categoriesRoutes } from '../features/categories/categories.routes.ts';
import { confirmationRoutes } from '../features/confirmation/confirmation.routes.ts';
import { requireConfirmation } from '../features/confirmation/confirmation.ts';
import { contactRoutes } from '../features/contact/contact.routes.ts';
import { copiesRoutes } from '../features/copies/copies.routes.ts';
import { measureAudit } from '../features/earnings/audit-metrics.ts';
import { earningsRoutes } from '../features/earnings/earnings.routes.ts';
import { exportRoutes } from '../features/export/export.routes.ts';
import { identityRoutes } from '../features/identity/identity.routes.ts';
import { forgetIdentitiesSince } from '../features/identity/unlink.ts';
import { importsRoutes } from '../features/imports/imports.routes.ts';
import { storeMail } from '../features/mail/is-on.ts';
import { openOutbox } from '../features/mail/outbox.ts';
import { mailDelivery } from '../features/mail/sending.ts';
import { openTransport } from '../features/mail/transport.ts';
import { moderationRoutes } from '../features/moderation/moderation.routes.ts';
import { watchWithheld } from '../features/moderation/withheld.ts';
import { measureClosing } from '../features/months/closing-metrics.ts';
import { notificationsRoutes } from '../features/notifications/notifications.routes.ts';
import { notify } from '../features/notifications/notifications.ts';
import { type PushWays, pushRoutes } from '../features/notifications/push/push.routes.ts';
import { pushDelivery } from '../features/notifications/push/sending.ts';
import { openServices } from '../features/notifications/push/services.ts';
import { operatorsRoutes } from '../features/operators/operators.routes.ts';
import { forgetPasskeysSince } from '../features/passkeys/forget.ts';
import { passkeysRoutes } from '../features/passkeys/passkeys.routes.ts';
import { apiPayerOf } from '../features/payer-services/payers.ts';
import { keepPaying, measurePayouts } from '../features/payers/keep-paying.ts';
import { payoutsRoutes } from '../features/payers/payouts.routes.ts';
import { findLock } from '../features/payers/shown-lock.ts';
import { hasBlocks } from '../features/people/blocks.ts';
import { peopleRoutes } from '../features/people/people.routes.ts';
import { playbackRoutes } from '../features/playback/playback.routes.ts';
import { measurePlayback } from '../features/playback/playback.ts';
import { postAndStoryRoutes } from '../features/posts-and-stories/routes.ts';
import { purge, purgeDelivery } from '../features/purging/purges.ts';
import { reelsRoutes } from '../features/reels/reels.routes.ts';
import { searchRoutes } from '../features/search/search.routes.ts';
import { secondFactorRoutes } from '../features/second-factor/second-factor.routes.ts';
import { siteRoutes } from '../features/site/site.routes.ts';
import { openCards } from '../features/stored-files/cards.ts';
import { removingLater } from '../features/stored-files/removal.ts';
import { keepWorkspacesSwept } from '../features/stored-files/sweep-workspaces.ts';
import { tasteRoutes } from '../features/taste/taste.routes.ts';
import { resumableRoutes } from '../features/uploads/resumable.routes.ts';
import { openResumable } from '../features/uploads/resumable.ts';
import { openUnpublished } from '../features/uploads/unpublished.ts';
import { measureBatches } from '../features/views/batch-metrics.ts';
import { browserOf } from '../features/views/lease.ts';
import { findOlderAppsUntil, storeOlderAppsUntil } from '../features/views/older-apps.ts';
import { rememberBrowsers } from '../features/views/own-browsers.ts';
import { viewsRoutes } from '../features/views/views.routes.ts';
import { locked } from '../features/withdrawals/payout-lock.ts';
import { createApp } from '../http/app.ts';
import { createResponseCache, type ResponseCache } from '../http/cache/response-cache.ts';
import { prepareShutdown } from '../http/connections/graceful-shutdown.ts';
import { createHealthApp, type Shutdown } from '../http/health.ts';
import { createInProcessCalls } from '../http/in-process.ts';
import { withDailyLimits } from '../http/limits/count-by-day.ts';
import { registerAppLinks } from '../http/pages/app-links.ts';
import { registerAssets } from '../http/pages/assets.ts';
import { registerCrawlers } from '../http/pages/crawlers.ts';
import { registerEmbed } from '../http/pages/embed.ts';
import type { Site } from '../http/pages/page-renderer.ts';
import { registerPages } from '../http/pages/pages.ts';
import { setMediaPriority } from '../media/children.ts';
import { checkAtOnce } from '../media/run-in-child.ts';
import { measureMedia } from '../media/task-metrics.ts';
import type { Clock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import { migrate, openDatabase } from '../platform/database/database.ts';
import { type HealthCheck, startHealthCheck } from '../platform/database/health-check.ts';
import type { Tables } from '../platform/database/tables.ts';
import { keepDelivering, measureDeliveries } from '../platform/deliveries.ts';
import { type DiskSpace, openDiskSpace } from '../platform/disk-space.ts';
import { openDistributedRateLimit } from '../platform/distributed-rate-limit.ts';
import { type Jobs, openJobs } from '../platform/jobs.ts';
import { type Keyring, openKeyring } from '../platform/keyring/keyring.ts';
import { releaseAll } from '../platform/leases.ts';
import { createMetrics, type Metrics } from '../platform/metrics.ts';
import { relyingPartyOf } from '../platform/relying-party.ts';
import { type AnyStorage, openStorage } from '../platform/storage/open.ts';
import { type Outside, theInternet } from './outside.ts';
import { jobKinds, startWork } from './run-jobs.ts';

export interface Server {
  app: FastifyInstance;
  /** What the rules use. */
  context: Context;
  db: Kysely<Tables>;
  storage: AnyStorage;
  jobs: Jobs;
  keyring: Keyring;
  metrics: Metrics;
  close(): Promise<void>;
}

/** How long responses that are the same for everybody are cached, in milliseconds (decision 0020). */
const keptFor = 1000;

export interface ServerOptions {
  config: Config;
  /** Of a database that answers. */
  databaseUrl: string;
  clock: Clock;
  logger: FastifyBaseLogger;
  /** The built pages; without them the server serves the API alone. */
  site?: Site | undefined;
  /** Whom the server asks on the internet. */
  outside?: Outside | undefined;
  metrics?: Metrics | undefined;
  /** Between two looks for mails, push messages and purges that are due, in milliseconds. */
  pause?: number | undefined;
  /** Whether scheduled jobs run. Tests with a fixed clock call them directly. */
  schedules?: boolean | undefined;
  /** The most connections of the queue of jobs. */
  jobConnections?: number | undefined;
  /** Prints a line for the operator who starts the program. */
  say?: (sentence: string) => void;
}

/** Builds every part of the server; nothing listens yet. What it does is by `config.role`. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { databaseUrl, logger } = options;
  const health = startHealthCheck(databaseUrl);
  health.onChange((failure) => {
    if (failure) logger.error(failure);
    else logger.warn('the database answers again');
  });
  try {
    const server = await build(options, health);
    health.endStart();
    return server;
  } catch (error) {
    // The database of this process is stopped next: that it does not answer then is no news.
    health.stop();
    throw error;
  }
}

async function build(
  {
    config: given,
    databaseUrl,
    clock,
    logger,
    site,
    outside = theInternet(given),
    metrics = createMetrics(),
    pause = 500,
    schedules = true,
    jobConnections,
    say = () => undefined,
  }: ServerOptions,
  health: HealthCheck,
): Promise<Server> {
  let config = given;
  const room = openDiskSpace(config.dataDir, config.diskReserveBytes);
  const warn = (error: Error) => logger.warn(error, 'the file store does not answer yet');
  const store = await openStorage(config.storage, config.dataDir, warn, room);
  const db = await openDatabase(databaseUrl, 12, { health, metrics });
  await migrate(db);
  config = await withDemo(db, given);
  await storeMail(db, config.mail !== undefined);
  await storeOlderAppsUntil({ db, clock });
  const keyring = await openKeyring({
    db,
    folder: config.keysDir,
    say,
    warn: (sentence) => logger.warn(sentence),
  });
  const jobs = await openJobs(databaseUrl, jobKinds, (error) => logger.error(error, 'jobs'), {
    metrics,
    tends: config.role !== 'web' && schedules,
    wakes: !config.databaseUrl,
    connections: jobConnections,
  });
  // Deleted files are purged from other caches too. A file that was never published is in none of them.
  const { url: purgeUrl } = config.purges;
  const storage = removingLater(
    { db, jobs },
    store,
    purgeUrl ? (key) => purge(db, { keys: [key] }, clock()) : undefined,
  );
  const endSweeping = keepWorkspacesSwept({ storage, clock }, (error) => logger.error(error, 'workspaces'));
  setMediaPriority(config.mediaPriority);
  const endMeasuring = measureMedia(metrics);
  const outbox = openOutbox(keyring, config.mail !== undefined);
  const context = { db, storage, jobs, clock, config, outbox, keyring };
  measureAudit(context, metrics);
  measureClosing(context, metrics);
  measureDeliveries(context, metrics, {
    table: 'purges',
    help: 'Calls of PURGE_URL that are due and not answered well yet',
  });
  measureDeliveries(context, metrics, { table: 'mails', help: 'Mails that are due and not sent yet' });
  const payer = apiPayerOf(config.payouts);
  if (payer) measurePayouts(context, metrics);
  const [shutdown, cache] = [{ begun: false }, createResponseCache({ freshFor: keptFor })];
  const push = openServices({ clock, keyring, config, fetch: outside.push?.fetch });
  const app =
    config.role === 'worker'
      ? createHealthApp(logger, () => answers(db), shutdown)
      : await createWeb(context, {
          room,
          keyring,
          logger,
          metrics,
          shutdown,
          cache,
          outside,
          site,
          push,
        });
  const leave = prepareShutdown(app, shutdown);
  if (config.role !== 'web') await startWork({ ...context, store, logger, cache, schedules });
  const { mail } = config;
  const transport = mail && openTransport(mail);
  const deliverer = { db, clock, keyring, logger, metrics, pause };
  const endDelivering =
    config.role === 'web'
      ? []
      : [
          keepDelivering(deliverer, purgeDelivery(deliverer, config.purges)),
          keepDelivering(deliverer, pushDelivery(deliverer, push.services)),
          ...(mail && transport
            ? [
                keepDelivering(
                  deliverer,
                  mailDelivery(
                    { ...deliverer, config: { timeZone: config.timeZone, origin: mail.origin } },
                    transport,
                  ),
                ),
              ]
            : []),
        ];
  const endPaying =
    config.role === 'web' || !payer ? undefined : keepPaying({ ...context, logger, metrics }, payer);
  if (await findLock(db)) {
    const { message } = locked();
    say(message);
    logger.warn(message);
  }

  if (given.payouts.razorpayx && !payer)
    say(
      'RazorpayX pays nothing: this site has the people of the demo. A site that pays begins with JHALAK_DEMO=off in an empty DATA_DIR.',
    );
  if (!mail)
    say(
      given.mail
        ? 'No mail is sent: this site has the people of the demo. With JHALAK_DEMO=off it sends mail.'
        : 'No mail is sent: SMTP_URL is not set. Nobody can reset a forgotten password, verify or change an address, or is told by mail of changes to their account. npm run admin -- people reset-link and verify-email do it for them.',
    );

  return {
    app,
    context,
    db,
    storage,
    jobs,
    keyring,
    metrics,
    async close() {
      // A worker serves no traffic, so it needs no drain.
      await leave(config.role === 'worker' ? 0 : config.drainSeconds);
      endMeasuring();
      // What is under way still needs the network.
      await Promise.all(endDelivering.map((end) => end()));
      transport?.close();
      await endPaying?.();
      await outside.push?.close();
      await outside.guard.close();
      await jobs.stop();
      endSweeping();
      await storage.close();
      await room.close();
      await keyring.close();
      health.stop();
      await db.destroy();
    },
  };
}

/** The context of rules, with what the server itself uses of its parts. */
interface ServerContext extends Context {
  storage: AnyStorage;
  jobs: Jobs;
  config: Config;
}

interface ServerParts {
  room: DiskSpace;
  keyring: Keyring;
  logger: FastifyBaseLogger;
  metrics: Metrics;
  shutdown: Shutdown;
  cache: ResponseCache;
  outside: Outside;
  site: Site | undefined;
  push: PushWays;
}

/** All that people are answered by. */
async function createWeb(
  context: ServerContext,
  { room, keyring, logger, metrics, shutdown, cache, outside, site, push }: ServerParts,
): Promise<FastifyInstance> {
  const { db, storage, clock, config } = context;
  // The embedded database belongs to one process.
  const isAlone = !config.databaseUrl;
  if (isAlone) await releaseAll(db);
  const counts = isAlone ? undefined : openDistributedRateLimit(db, keyring.secret('limits'));
  const places = placesWith(keyring.secret('places'));
  checkAtOnce(config.maxConcurrentProbes);
  const unpublished = openUnpublished(db, config.unpublished);
  const resumable = openResumable(context, unpublished);

  const party = relyingPartyOf(config.origin, config.appOrigins);
  const secrets = { viewers: keyring.secret('viewers'), showings: keyring.secret('showings') };
  const recordBrowser = rememberBrowsers(context);
  // It never moves, so the configuration is answered without the database.
  const olderAppsUntil = await findOlderAppsUntil(db);

  const rules = [
    ...siteRoutes(context, {
      ...config,
      linkImport: outside.extractor !== undefined,
      olderAppsUntil,
    }),
    ...accountsRoutes(context, places, {
      recordBrowser: (personId, viewer) => recordBrowser(personId, browserOf(secrets.showings, viewer)),
      forgetPasskeysSince,
      forgetIdentitiesSince,
    }),
    ...identityRoutes(context, { places, oidc: config.oidc }),
    ...confirmationRoutes(context, { places, oidc: config.oidc, party }),
    ...passkeysRoutes(context, { places, party }),
    ...secondFactorRoutes(context, places),
    ...peopleRoutes(context, notify),
    ...searchRoutes(context),
    ...reelsRoutes(context),
    ...tasteRoutes(context, config),
    ...importsRoutes(context, {
      fetch: outside.guard.fetch,
      extractor: outside.extractor,
      unpublished,
      logger,
      perDay: config.anonymousLinksPerDay,
      secret: keyring.secret('limits'),
    }),
    ...postAndStoryRoutes(context),
    ...resumableRoutes(resumable),
    ...viewsRoutes(context, { secrets, recordBrowser }, measureBatches(metrics)),
    ...playbackRoutes(measurePlayback(metrics)),
    ...categoriesRoutes(context),
    ...contactRoutes(context),
    ...notificationsRoutes(context),
    ...pushRoutes(context, push),
    ...accountDeletionRoutes(context),
    ...exportRoutes(context),
    ...earningsRoutes(context),
    ...copiesRoutes(context),
    ...payoutsRoutes(context, logger),
    ...moderationRoutes(context),
    ...operatorsRoutes(context),
  ];
  const routes = withDailyLimits(rules, { db, secret: keyring.secret('limits') });
  const withheld = watchWithheld(db, cache.evictAll);
  const { app, loadShedding } = await createApp({
    logger,
    metrics,
    routes,
    storage,
    resumable,
    clock,
    mediaDelivery: config.mediaDelivery,
    hasBlocks: (personId) => hasBlocks(db, personId),
    cards: openCards({ db, storage }),
    requireConfirmation: (caller, call, secret) => requireConfirmation(context, caller, call, secret),
    findCaller: (token, address) => callerOf(context, token, address),
    checkDiskSpace: room.check,
    unpublished,
    cache,
    isWithheld: withheld.has,
    answers: () => answers(db),
    shutdown,
    counts,
    trustProxy: config.trustProxy,
    maxConcurrentRequests: config.maxConcurrentRequests,
    connections: config.maxConnections,
    origin: config.origin,
  });
  app.addHook('onClose', async () => withheld.close());
  if (counts) app.addHook('onClose', async () => counts.close());
  registerCrawlers(app, context, { cache, origin: config.origin });
  registerAppLinks(app, config.appOrigins);
  const mediaOrigins = mediaOriginsOf(config, storage);
  registerEmbed(app, context, { cache, origin: config.origin, mediaOrigins });
  if (site) {
    await registerAssets(app);
    const options = {
      cache,
      origin: config.origin,
      mediaOrigins,
      enterPageQueue: loadShedding.enterPageQueue,
      isMeasured: config.analyticsId !== undefined,
    };
    registerPages(app, site, createInProcessCalls(routes), options);
  }
  return app;
}

/** The hosts besides ours that pages show files of. */
function mediaOriginsOf({ mediaOrigin, mediaDelivery }: Config, storage: AnyStorage): string[] {
  const own = mediaOrigin ? [new URL(mediaOrigin).origin] : [];
  return storage.kind === 's3' && mediaDelivery === 'redirect' ? [...own, storage.publicOrigin] : own;
}

async function answers(db: Kysely<Tables>): Promise<boolean> {
  try {
    await sql`select 1`.execute(db);
    return true;
  } catch {
    return false;
  }
}
