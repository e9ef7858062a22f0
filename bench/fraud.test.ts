import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { attackers } from './fraud/attackers.ts';
import { type CellResult, measureCell } from './fraud/cell.ts';
import { groups } from './fraud/groups.ts';

/*
 * A share of `npm run bench -- fraud`, so that the benchmark follows the rules: some groups and attackers in the first month of a
 * small site.
 */
const someGroups = ['household of 5', 'two devices'];
const someAttackers = ['flood', 'sleeper', 'account mill', 'shared and replayed leases', 'liker'];

let found: CellResult;
beforeAll(async () => {
  const database = await freshDatabase();
  const db = await openDatabase(database.url, 4);
  found = await measureCell(
    db,
    { isNew: true, creators: 5, people: 60, signedIn: 0.05, hasMail: true },
    {
      groups: groups.filter(({ what }) => someGroups.includes(what)),
      attackers: attackers.filter(({ what }) => someAttackers.includes(what)),
      ...{ settings: 2, rings: 0, seed: 1 },
    },
    () => undefined,
  );
  return async () => {
    await db.destroy();
    await database.drop();
  };
});

describe('in the first month of a small site', () => {
  it('honest groups lose at most their allowed share of what they watched', () => {
    expect(found.groups.map(({ group }) => group.what).sort()).toEqual(someGroups.toSorted());
    for (const { group, truth, counted } of found.groups) {
      expect(truth, group.what).toBeGreaterThan(500);
      expect(counted, group.what).toBeGreaterThanOrEqual(truth * (1 - group.mostLost));
    }
  });

  it('attackers get no more than the rules say, and a flood nothing', () => {
    expect(found.attacks.map(({ best }) => best.what).sort()).toEqual(someAttackers.toSorted());
    for (const { best, worstOver } of found.attacks) expect(worstOver, best.settings).toBeLessThanOrEqual(0);
    const paiseOf = (what: string) => found.attacks.find(({ best }) => best.what === what)?.best.paise;
    expect(paiseOf('flood')).toBe(0);
    // To test the bound: views that wait here would be paid without it.
    expect(paiseOf('sleeper')).toBe(20);
  });

  it('a saboteur does not reduce a rival’s earnings', () => {
    expect(found.sabotage.coins).toBeGreaterThan(0);
    expect(found.sabotage.mostCopies).toBeGreaterThan(0);
    expect(found.sabotage.coinsAfter).toBeGreaterThanOrEqual(found.sabotage.coins);
  });
});
