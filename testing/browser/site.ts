import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import { report as reportIn } from '#server/features/moderation/reports.ts';
import { closingJob } from '#server/features/months/closing.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { type Client, clientAt, signUpAt } from '../clients/api-client.ts';
import { contextOn } from '../context.ts';
import { makeClip } from '../fixtures/clips.ts';
import { decidedAgainst } from '../fixtures/decisions.ts';
import { follow } from '../fixtures/follows.ts';
import { publishPicture } from '../fixtures/posts.ts';
import { freshDatabase, oncePerRun } from '../servers/postgres.ts';
import { dataFolder, startProgram } from '../servers/program.ts';
import { unschedule } from '../servers/queues.ts';
import { sharedBrowser } from './browser.ts';
import { closeTabs, openVisitor, type Visitor, type VisitorOptions } from './visitor.ts';

export interface Site {
  origin: string;
  /** Its data folder. */
  data: string;
  db: Kysely<Tables>;
  browser: Browser;
  /** A visitor with a separate browser context. */
  open(options?: VisitorOptions): Promise<Visitor>;
}

/** Starts the real program, empty, with a browser, for the tests of a file; before their own `beforeAll`. */
export function emptySite(settings: Record<string, string> = {}): Site {
  return ofThisFile(() => openSite(settings));
}

export interface FurnishedSite extends Site {
  creator: Client;
  fan: Client;
  /** The ids of the creator's reel and newer photo. */
  reel: string;
  photo: string;
  /** The number of a visitor's report of that photo. */
  reportNumber: string;
  /** A decision against the fan, by the id that its owner has. */
  decisionId: string;
}

/** A site with content: zoya has published a reel and two photos, and farid follows her. */
export function furnishedSite(settings: Record<string, string> = {}): FurnishedSite {
  return ofThisFile(() => openFurnished(undefined, settings));
}

let shared: Promise<FurnishedSite> | undefined;

/**
 * A furnished site that the test files of this process share, since starting the program takes as long as several tests. A file signs its
 * own people up, under names that no other file uses and that do not contain zoya or farid, changes nothing of these two or of the site,
 * and publishes nothing without its files, since others see it in the feed, nor in a month that is over, which would wait to be counted.
 * What lists show depends on the files before. It ends with the process.
 */
export function sharedSite(): FurnishedSite {
  return ofThisFile(async () => {
    shared ??= openFurnished(join(inject('runFolder'), `site-${process.pid}`));
    // The browser may be another one, if that of the files before has crashed.
    const [site, browser] = await Promise.all([shared, sharedBrowser()]);
    return { ...site, ...visitedWith(browser, site.origin), close: () => closeTabs(browser, site.origin, 2) };
  });
}

type Closing<T> = T & { close(): Promise<unknown> };

/** What a file opens before its tests, and closes after them. */
function ofThisFile<T extends Site>(open: () => Promise<Closing<T>>): T {
  const site = {} as Closing<T>;
  beforeAll(async () => {
    Object.assign(site, await open());
  });
  afterAll(() => site.close?.());
  return site;
}

/** The initial content of a site: a database without connections, and a data folder. */
interface Content {
  database: string;
  data: string;
}

/** `folder`: of a site that lasts as long as this process; others have one of their own and remove it. */
async function openSite(
  settings: Record<string, string>,
  { content, folder }: { content?: Content; folder?: string | undefined } = {},
): Promise<Closing<Site>> {
  const [data, database] = await Promise.all([
    folder ? { path: folder, remove: async () => undefined } : dataFolder(),
    freshDatabase(content?.database),
  ]);
  if (content) await cp(content.data, data.path, { recursive: true });
  const [program, browser, db] = await Promise.all([
    startProgram({ DATA_DIR: data.path, DATABASE_URL: database.url, ...settings }),
    sharedBrowser(),
    openDatabase(database.url, 2),
  ]);
  const { origin } = program;
  await unschedule(db, closingJob.name);
  return {
    origin,
    data: data.path,
    db,
    ...visitedWith(browser, origin),
    async close() {
      await Promise.all([db.destroy(), closeTabs(browser, origin, 0), program.stop()]);
      await Promise.all([database.drop(), data.remove()]);
    },
  };
}

const visitedWith = (browser: Browser, origin: string) => ({
  browser,
  open: (options: VisitorOptions = {}) => openVisitor(browser, origin, options),
});

async function openFurnished(
  folder?: string,
  settings: Record<string, string> = {},
): Promise<Closing<FurnishedSite>> {
  const { creator, fan, reel, photo, reportNumber, decisionId, ...content } = await oncePerRun(
    'furnished',
    furnish,
  );
  const opened = await openSite(settings, { content, folder });
  return {
    ...opened,
    creator: clientAt(opened.origin, creator.token, creator.user),
    fan: clientAt(opened.origin, fan.token, fan.user),
    reel,
    photo,
    reportNumber,
    decisionId,
  };
}

/** Creates the template of all furnished sites in a folder: copying a reel is faster than publishing it. */
async function furnish(data: string) {
  const { name: database, url } = await freshDatabase();
  const db = await openDatabase(url, 2);
  const program = await startProgram({ DATA_DIR: data, DATABASE_URL: url });
  const creator = await signUpAt(program.origin, 'zoya');
  const fan = await signUpAt(program.origin, 'farid');
  const now = Date.now();
  await publishPicture(db, data, creator.id, 'The older photo', new Date(now));
  const photo = await publishPicture(db, data, creator.id, 'The newer photo', new Date(now + 1000));
  const clip = join(data, 'clip.mp4');
  await makeClip(clip, { seconds: 2, source: 'testsrc2=size=270x480:rate=25' });
  const reel = await creator.publish(clip, 'A glimpse of zoya');
  await follow(contextOn(db), fan.id, creator.id);
  const reportNumber = await reportIn(contextOn(db), undefined, {
    kind: 'post',
    id: photo,
    reason: 'spam',
    text: '',
    contact: '',
  });
  const decisionId = await decidedAgainst(db, { id: fan.id, username: 'farid' }, crypto.randomUUID());
  await Promise.all([program.stop(), db.destroy()]);
  const signedIn = ({ token, user }: Client) => ({ token, user });
  const people = { creator: signedIn(creator), fan: signedIn(fan) };
  return { database, data, ...people, reel, photo, reportNumber, decisionId };
}
