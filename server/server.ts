import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { ServerBuild } from 'react-router';
import type { Config } from './config.ts';
import { accountsRoutes } from './features/accounts/accounts.routes.ts';
import { callerOf } from './features/accounts/sessions.ts';
import { categoriesRoutes } from './features/categories/categories.routes.ts';
import { sweep, sweepJob } from './features/media/sweeper.ts';
import { messagesRoutes } from './features/messages/messages.routes.ts';
import { notificationsRoutes } from './features/notifications/notifications.routes.ts';
import { peopleRoutes } from './features/people/people.routes.ts';
import { postsRoutes } from './features/posts/posts.routes.ts';
import { giveUpReel, processReel, reelJob } from './features/reels/processing.ts';
import { reelsRoutes } from './features/reels/reels.routes.ts';
import { siteRoutes } from './features/site/site.routes.ts';
import { storiesRoutes } from './features/stories/stories.routes.ts';
import { createViewRecorder } from './features/views/recorder.ts';
import { viewsRoutes } from './features/views/views.routes.ts';
import { createApp } from './http/app.ts';
import { registerAssets } from './http/assets.ts';
import { registerCrawlers } from './http/crawlers.ts';
import { createCaller } from './http/in-process.ts';
import { registerPages } from './http/pages.ts';
import type { Clock } from './platform/clock.ts';
import { migrate, openDatabase } from './platform/database/database.ts';
import type { Tables } from './platform/database/tables.ts';
import { type Jobs, openJobs } from './platform/jobs.ts';
import { sharedSecret } from './platform/secrets.ts';
import { type DiskStorage, openDiskStorage } from './platform/storage.ts';

export interface Server {
  app: FastifyInstance;
  db: Kysely<Tables>;
  storage: DiskStorage;
  jobs: Jobs;
  close(): Promise<void>;
}

/**
 * Builds every part of the server on a database that answers at `databaseUrl`; nothing listens yet. Without the built
 * `site` it serves the API alone.
 */
export async function createServer(
  config: Config,
  databaseUrl: string,
  clock: Clock,
  logger: FastifyBaseLogger,
  site?: ServerBuild,
): Promise<Server> {
  const storage = await openDiskStorage(config.dataDir);
  const db = await openDatabase(databaseUrl);
  await migrate(db);
  const jobs = await openJobs(databaseUrl, [reelJob, sweepJob], (error) => logger.error(error, 'jobs'));
  const secret = await sharedSecret(db, 'viewers');
  const { mediaOrigin, timeZone } = config;

  const routes = [
    ...siteRoutes(clock, config),
    ...accountsRoutes(db, clock, mediaOrigin),
    ...peopleRoutes(db, mediaOrigin),
    ...reelsRoutes(db, storage, jobs, clock, { mediaOrigin, timeZone }),
    ...postsRoutes(db, mediaOrigin),
    ...storiesRoutes(db, clock, mediaOrigin),
    ...viewsRoutes(createViewRecorder(db, timeZone), secret, clock),
    ...categoriesRoutes(db),
    ...messagesRoutes(db, clock),
    ...notificationsRoutes(db, clock, mediaOrigin),
  ];
  const app = await createApp({
    logger,
    routes,
    storage,
    findCaller: (token) => callerOf(db, token, clock()),
    isReady: () => answers(db),
    trustProxy: config.trustProxy,
    isHttps: config.origin?.startsWith('https:') ?? false,
  });
  registerCrawlers(app, db, { origin: config.origin, mediaOrigin });
  if (site) {
    await registerAssets(app);
    registerPages(app, site, createCaller(routes), { origin: config.origin, mediaOrigin });
  }

  await jobs.work(
    reelJob,
    config.mediaWorkers,
    ({ data, signal }) => processReel(db, storage, clock, timeZone, data.reelId, signal),
    ({ reelId }) => giveUpReel(db, storage, reelId),
  );
  await jobs.work(sweepJob, 1, async () => {
    const removed = await sweep(db, storage, clock());
    if (removed > 0) logger.info({ removed }, 'swept files nobody refers to');
  });
  await jobs.repeat(sweepJob, '17 * * * *');

  return {
    app,
    db,
    storage,
    jobs,
    async close() {
      await app.close();
      await jobs.stop();
      await db.destroy();
    },
  };
}

async function answers(db: Kysely<Tables>): Promise<boolean> {
  try {
    await sql`select 1`.execute(db);
    return true;
  } catch {
    return false;
  }
}

export const databaseFolder = (dataDir: string) => join(dataDir, 'postgres');
