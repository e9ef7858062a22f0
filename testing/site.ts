import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { follow } from '#server/features/people/follows.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { type Client, signUpAt } from './api-client.ts';
import { sharedBrowser } from './browser.ts';
import { makeClip } from './clips.ts';
import { contextOn } from './context.ts';
import { freshDatabase } from './postgres.ts';
import { dataFolder, startProgram } from './program.ts';
import { publishPicture } from './society.ts';
import { openVisitor, type Visitor, type VisitorOptions } from './visitor.ts';

export interface Site {
  origin: string;
  /** Its data folder. */
  data: string;
  db: Kysely<Tables>;
  browser: Browser;
  /** Somebody with a browser of their own. */
  open(options?: VisitorOptions): Promise<Visitor>;
}

/** The real program for the tests of a file, empty, with a browser to look at it; it stands before their own `beforeAll`. */
export function emptySite(settings: Record<string, string> = {}): Site {
  const site = {} as Site & { close(): Promise<void> };
  beforeAll(async () => {
    Object.assign(site, await openSite(settings));
  });
  afterAll(() => site.close?.());
  return site;
}

async function openSite(settings: Record<string, string>) {
  const [data, database] = await Promise.all([dataFolder(), freshDatabase()]);
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

/** A site with life on it: zoya has published a reel and two photos, and farid follows her. */
export function furnishedSite(): Site & { creator: Client; fan: Client } {
  const site = emptySite() as ReturnType<typeof furnishedSite>;
  beforeAll(async () => {
    const { origin, data, db } = site;
    const creator = await signUpAt(origin, 'zoya');
    const fan = await signUpAt(origin, 'farid');
    const now = Date.now();
    for (const [place, caption] of ['The older photo', 'The newer photo'].entries())
      await publishPicture(db, data, creator.id, caption, new Date(now + place * 1000));
    const clip = join(data, 'clip.mp4');
    await makeClip(clip, { seconds: 2, source: 'testsrc2=size=270x480:rate=25' });
    await creator.publish(clip, 'A glimpse of zoya');
    await follow(contextOn(db), fan.id, creator.id);
    Object.assign(site, { creator, fan });
  });
  return site;
}
