import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditLedger } from '#server/features/earnings/audit.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { openDiskStorage } from '#server/platform/storage/disk.ts';
import { paiseOver } from '#testing/models/established-model.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { howMany, seedOr } from '#testing/share.ts';
import { month } from './fraud/calendar.ts';
import { RandomAttackers } from './fraud/random-attackers.ts';
import { Site } from './fraud/site.ts';

/*
 * Attackers who act at random (`fraud/random-attackers.ts`), up to 100 on a site, each with an own payee. What their accounts let pay is
 * counted from their acts by a model and not by the server.
 */
const attackers = howMany('ATTACKERS', { share: 25, whole: 10_000 });
const perSite = Math.min(100, attackers);
const seeds = Array.from({ length: Math.ceil(attackers / perSite) }, (_, place) => seedOr(0) * 1000 + place);

describe.concurrent(`before any release, ${attackers} random attackers`, () => {
  it.each(seeds)(
    'get ₹0.93 at most, and what their established accounts let pay: the site %i',
    { timeout: 600_000 },
    async (seed) => {
      const found = await attackSite(seed);
      expect(found.over).toEqual([]);
      expect(found.differences).toEqual([]);
      // The first site must cover every case; otherwise the limits prove nothing.
      const never = Object.entries(found.cases).filter(([, times]) => times === 0);
      if (seed === 0) expect(never).toEqual([]);
    },
  );
});

async function attackSite(seed: number) {
  const [database, folder] = await Promise.all([
    freshDatabase(),
    mkdtemp(join(tmpdir(), 'jhalak-attackers-')),
  ]);
  const db = await openDatabase(database.url, 4);
  try {
    const site = await Site.open(db, { isNew: true, hasMail: seed % 3 < 2 });
    const attack = new RandomAttackers(site, seed, await openDiskStorage(folder));
    const payees = await attack.attack(perSite);
    const cases = {
      ...attack.happened,
      waiting: 0,
      withEstablished: 0,
      unpaidReels: 0,
      unpaidLikes: 0,
      atMost: 0,
    };
    const over: unknown[] = [];
    for (const payee of payees) {
      const pay = await site.pay(payee);
      const { counts, paid, coins, paise, mayBeCarried, waitingViews } = pay;
      const vouching = site.acts.vouching(payee);
      const isAlone = vouching.accounts + vouching.likes === 0;
      // Such months do not add up to a rupee either.
      const isTooMuch = isAlone && (coins > 465 || paise > 93 || mayBeCarried);
      const isInvented = counts.views > site.acts.possibleViews(payee);
      if (isTooMuch || isInvented || paiseOver(pay, vouching) > 0)
        over.push({
          payee,
          vouching,
          counts,
          paid,
          coins,
          mayBeCarried,
          possible: site.acts.possibleViews(payee),
        });
      if (waitingViews > 0) cases.waiting += 1;
      if (vouching.accounts > 0) cases.withEstablished += 1;
      if (counts.reels > paid.reels) cases.unpaidReels += 1;
      if (counts.likes > paid.likes) cases.unpaidLikes += 1;
      if (isAlone && coins === 465) cases.atMost += 1;
    }
    const { differences } = await auditLedger(site.context);
    // The reels from before the month are stored without their months.
    return { over, cases, differences: differences.filter(({ month: of }) => of === null || of >= month) };
  } finally {
    await db.destroy();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}
