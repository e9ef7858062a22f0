import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { follow } from '#server/features/people/follows.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { type Client, clientAt, signUpAt } from '../clients/api-client.ts';
import { contextOn } from '../context.ts';
import { makeClip } from '../fixtures/clips.ts';
import { publishPicture } from '../fixtures/posts.ts';
import { freshDatabase, oncePerRun } from '../servers/postgres.ts';
import { dataFolder, startProgram } from '../servers/program.ts';
import { sharedBrowser } from './browser.ts';
import { openVisitor, type Visitor, type VisitorOptions } from './visitor.ts';

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
  const site = {} as Site & { close(): Promise<void> };
  beforeAll(async () => {
    Object.assign(site, await openSite(settings));
  });
  afterAll(() => site.close?.());
  return site;
}

/** The initial content of a site: a database without connections, and a data folder. */
interface Content {
  database: string;
  data: string;
}

async function openSite(settings: Record<string, string>, content?: Content) {
  const [data, database] = await Promise.all([dataFolder(), freshDatabase(content?.database)]);
  if (content) await cp(content.data, data.path, { recursive: true });
  const [program, browser, db] = await Promise.all([
    startProgram({ DATA_DIR: data.path, DATABASE_URL: database.url, ...settings }),
    sharedBrowser(),
    openDatabase(database.url, 2),
  ]);
  const { origin } = program;
  return {
    origin,
    data: data.path,
    db,
    browser,
    open: (options: VisitorOptions = {}) => openVisitor(browser, origin, options),
    async close() {
      const leave = browser.contexts().map((context) => context.close());
      await Promise.all([db.destroy(), ...leave, program.stop()]);
      await Promise.all([database.drop(), data.remove()]);
    },
  };
}

/** A site with content: zoya has published a reel and two photos, and farid follows her. */
export function furnishedSite(): Site & { creator: Client; fan: Client } {
  const site = {} as ReturnType<typeof furnishedSite> & { close(): Promise<void> };
  beforeAll(async () => {
    const { creator, fan, ...content } = await oncePerRun('furnished', furnish);
    const opened = await openSite({}, content);
    Object.assign(site, opened, {
      creator: clientAt(opened.origin, creator.token, creator.user),
      fan: clientAt(opened.origin, fan.token, fan.user),
    });
  });
  afterAll(() => site.close?.());
  return site;
}

/** Creates the template of all furnished sites in a folder: copying a reel is faster than publishing it. */
async function furnish(data: string) {
  const { name: database, url } = await freshDatabase();
  const db = await openDatabase(url, 2);
  const program = await startProgram({ DATA_DIR: data, DATABASE_URL: url });
  const creator = await signUpAt(program.origin, 'zoya');
  const fan = await signUpAt(program.origin, 'farid');
  const now = Date.now();
  for (const [place, caption] of ['The older photo', 'The newer photo'].entries())
    await publishPicture(db, data, creator.id, caption, new Date(now + place * 1000));
  const clip = join(data, 'clip.mp4');
  await makeClip(clip, { seconds: 2, source: 'testsrc2=size=270x480:rate=25' });
  await creator.publish(clip, 'A glimpse of zoya');
  await follow(contextOn(db), fan.id, creator.id);
  await Promise.all([program.stop(), db.destroy()]);
  const signedIn = ({ token, user }: Client) => ({ token, user });
  return { database, data, creator: signedIn(creator), fan: signedIn(fan) };
}
