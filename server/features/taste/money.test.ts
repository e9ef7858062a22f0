import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextAt, keyringOfTests } from '#testing/context.ts';
import { closeAgain } from '#testing/fixtures/months.ts';
import { ago, now, people, ranked, reels } from '#testing/fixtures/taste.ts';
import { openTasteSite, type TasteSite } from '#testing/fixtures/taste-site.ts';
import { reopenMonths, showAndWatch } from '#testing/fixtures/watching.ts';
import { viewerOfPerson } from '../views/viewers.ts';
import { listFollowedReels } from './following.ts';
import { learnNextReels } from './learning.ts';
import { saveWatched, switchTaste } from './taste.ts';

/* What watching counts for money and what it counts for taste are separate (decisions §3). */

const sourcesIn = (folder: string) =>
  globSync(`server/features/${folder}/**/*.ts`, { exclude: (name) => name.endsWith('.test.ts') }).map(
    (path) => ({ path, source: readFileSync(path, 'utf8') }),
  );
const tables = /\b(?:taste_people|taste_watches|next_reels|top_reels)\b/;

describe('no rule of money', () => {
  it.each([
    ...['views', 'month-counts', 'months', 'withdrawals', 'payers'],
    ...['payer-services', 'destinations', 'earnings', 'activity'],
  ])('knows of anybody’s taste: %s', (folder) => {
    const found = sourcesIn(folder);
    expect(found.length).toBeGreaterThan(0);
    const knowing = found.filter(({ source }) => /\/taste\//.test(source) || tables.test(source));
    expect(knowing.map(({ path }) => path)).toEqual([]);
  });

  it('is asked by the ranking, which also writes to no table but its own', () => {
    for (const { path, source } of sourcesIn('taste')) {
      expect(source, path).not.toMatch(
        /\.\.\/(?:months|month-counts|withdrawals|payers|payer-services|destinations|earnings|activity)\//,
      );
      for (const [, table = ''] of source.matchAll(
        /\b(?:insert into|update|delete from|insertInto\('|updateTable\('|deleteFrom\(')\s*(\w+)/g,
      ))
        if (/_/.test(table)) expect(`${path} ${table}`).toMatch(/ (?:taste_|next_reels|top_reels|learn)/);
    }
  });
});

describe('the same views', () => {
  const afterTheMonth = new Date('2026-12-02T00:00:00Z');
  const secret = keyringOfTests.secret('viewers');
  let site: TasteSite;
  let db: Kysely<Tables>;
  let works: string[];
  let viewers: string[];
  beforeAll(async () => {
    site = await openTasteSite();
    db = site.db;
    const creators = await people(db, 4);
    works = await reels(
      db,
      Array.from({ length: 12 }, (_, n) => {
        return { creator_id: creators[n % 4] ?? '', at: ago(2), seconds: 10 };
      }),
    );
    viewers = await people(db, 5);
  });
  afterAll(() => site.close());

  interface Watching {
    viewer: number;
    work: number;
    minute: number;
  }

  /** What the month of these views is for the creators, if each was found in a list. */
  async function monthOf(watched: readonly Watching[], list: (viewer: string) => Promise<unknown>) {
    await reopenMonths(db);
    for (const table of [
      'active_people',
      'views',
      'reel_days',
      'creator_months',
      'viewer_months',
      'creator_viewers',
      'watch_clocks',
      'taste_people',
      'next_reels',
    ] as const)
      await db.deleteFrom(table).execute();
    for (const { viewer, work, minute } of watched) {
      const personId = viewers[viewer] ?? '';
      await list(personId);
      const at = new Date(now.getTime() + minute * 60_000);
      await showAndWatch(contextAt(db, at), [
        {
          ...{
            reelId: works[work] ?? '',
            viewer: viewerOfPerson(secret, personId),
            address: Buffer.alloc(8),
          },
          ...{ signedIn: true, personId, issuedAt: new Date(at.getTime() - 30_000), at, neededMs: 4000 },
        },
      ]);
      await saveWatched(contextAt(db, at), personId, [{ _id: works[work] ?? '', toEnd: true }]);
    }
    await learnNextReels(contextAt(db, now));
    await closeAgain(contextAt(db, afterTheMonth));
    const results = await db.selectFrom('month_results').selectAll().orderBy('creator_id').execute();
    const days = await db.selectFrom('reel_days').selectAll().orderBy('reel_id').orderBy('verdict').execute();
    return { results, days };
  }

  it('are worth the same, whichever list they came from and whoever has a taste', async () => {
    const watching = fc.record({
      viewer: fc.nat(4),
      work: fc.nat(11),
      minute: fc.nat(600),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(watching, { minLength: 1, maxLength: 25 }), async (some) => {
        const watched = some.toSorted((one, other) => one.minute - other.minute);
        const fromNewest = await monthOf(watched, async () => undefined);
        const fromForYou = await monthOf(watched, async (viewer) => {
          await switchTaste(contextAt(db, now), viewer, { on: true, adult: true });
          await ranked(db, viewer);
        });
        const fromFollowing = await monthOf(watched, (viewer) =>
          listFollowedReels(contextAt(db, now), { limit: 24 }, viewer),
        );
        expect(fromNewest.results.some(({ views }) => views > 0)).toBe(true);
        expect(fromForYou).toEqual(fromNewest);
        expect(fromFollowing).toEqual(fromNewest);
      }),
      { seed: 38, numRuns: 8 },
    );
  });
});
