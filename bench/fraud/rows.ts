import { rupeesOf } from '#contract/rates.ts';
import type { Row } from '../harness.ts';
import { type CellResult, nameOf, shareOf } from './cell.ts';
import type { GroupResult } from './groups.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const row = (what: string, ours: string, reach = '', holds?: boolean): Row => ({
  ...{ what, ours, against: '', ratio: '', reach },
  ...(holds !== undefined && { holds }),
});

/** The table: the worst site of each group and attacker, and whether the criteria are met. */
export function rowsOf(results: readonly CellResult[]): Row[] {
  return [
    ...waitingRows(results),
    ...groupRows(results),
    ...attackRows(results),
    ...ringRows(results),
    ...results.map(({ cell, sabotage }) =>
      row(
        `saboteur: coins of the rival, ${nameOf(cell)}`,
        `${sabotage.coins}, then ${sabotage.coinsAfter}`,
        'not fewer',
        sabotage.coinsAfter >= sabotage.coins,
      ),
    ),
  ];
}

/** The criterion applies to all sites where one of twenty is signed in; the other rows show the sites. */
function waitingRows(results: readonly CellResult[]): Row[] {
  const what = 'months with more than 10 % of their views waiting';
  const of = (some: readonly CellResult[], count: (months: CellResult['months']) => number) =>
    sum(some.map(({ months }) => count(months)));
  const usual = results.filter(({ cell }) => cell.signedIn === 0.05 && cell.hasMail);
  const [waiting, all] = [of(usual, (months) => months.waiting), of(usual, (months) => months.all)];
  const released = of(results, (months) => months.waitingReleased);
  return [
    row(`${what}, all sites, 5 % signed in`, `${waiting} of ${all}`, '≤ 10 %', waiting <= all / 10),
    ...results.map(({ cell, months }) =>
      row(`${what}, ${nameOf(cell)}`, `${months.waiting} of ${months.all}`),
    ),
    row(
      'months with waiting views after the operator released the whole month, all sites',
      `${released} of ${of(results, (months) => months.all)}`,
      'none',
      released === 0,
    ),
  ];
}

function groupRows(results: readonly CellResult[]): Row[] {
  const all = results.flatMap(({ cell, groups }) => groups.map((found) => ({ cell, ...found })));
  return [...Map.groupBy(all, ({ group }) => group).entries()].flatMap(([group, sites]) => {
    const lostOf = (one: (typeof sites)[number]) => (one.truth - one.counted) / Math.max(1, one.truth);
    const [worst] = sites.toSorted((one, other) => lostOf(other) - lostOf(one));
    if (!worst) return [];
    const ours = `${shareOf(worst.truth - worst.counted, worst.truth)} of ${worst.truth} (${[nameOf(worst.cell), ...worst.reasons].join('; ')})`;
    return [
      row(`lost: ${group.what}`, ours, `≤ ${group.mostLost * 100} %`, lostOf(worst) <= group.mostLost),
      ...unknownRows(group.what, sites),
    ];
  });
}

/** What people watched and the server cannot detect, by reason. */
function unknownRows(group: string, sites: readonly GroupResult[]): Row[] {
  const watchedIn = ({ truth, unknown }: GroupResult) => truth + unknown.length;
  const shareIn = (one: GroupResult) => one.unknown.length / watchedIn(one);
  const [worst] = sites.toSorted((one, other) => shareIn(other) - shareIn(one));
  if (!worst) return [];
  return [...Map.groupBy(worst.unknown, (why) => why)].map(([why, { length }]) =>
    row(`excluded: ${why}, ${group}`, `${shareOf(length, watchedIn(worst))} of ${watchedIn(worst)}`),
  );
}

function attackRows(results: readonly CellResult[]): Row[] {
  const all = results.flatMap(({ cell, attacks }) => attacks.map((found) => ({ cell, ...found })));
  return [...Map.groupBy(all, ({ best }) => best.what).entries()].flatMap(([what, sites]) => {
    const [worst] = sites.toSorted((one, other) => other.best.paise - one.best.paise);
    if (!worst) return [];
    const { paise, mostPaise, payees, accounts, established, cost, waiting, marked } = worst.best;
    const ours = [
      `₹${rupeesOf(paise)}, at most ₹${rupeesOf(mostPaise)} per payee`,
      `${accounts} accounts, N = ${established}, ₹${cost.toFixed(0)} spent`,
      `${waiting} views waiting, ${marked} of ${payees} marked`,
    ].join('; ');
    const isBound = sites.every(({ worstOver }) => worstOver <= 0);
    return [row(`attack: ${what}`, ours, '≤ ₹0.93 + N × K × ₹0.0002 + likes per payee', isBound)];
  });
}

function ringRows(results: readonly CellResult[]): Row[] {
  const rings = results.flatMap((result) => result.rings);
  const [before, after] = [sum(rings.map((one) => one.before)), sum(rings.map((one) => one.after))];
  return [
    ...results.map(({ cell, rings: found }) => {
      const [members, marked] = [sum(found.map((one) => one.members)), sum(found.map((one) => one.marked))];
      const what = `marked months of rings of 20 or more, ${nameOf(cell)}`;
      return row(what, `${marked} of ${members}`, '≥ 95 %', marked >= members * 0.95);
    }),
    honestMarksRow(results),
    row(
      "pay of rings after an operator's review",
      `₹${rupeesOf(after)} of ₹${rupeesOf(before)}`,
      '≤ 10 %',
      after <= before / 10,
    ),
  ];
}

/** The months of the site's creators, and those of the favourite creators of the groups. */
function honestMarksRow(results: readonly CellResult[]): Row {
  const groups = results.flatMap((result) => result.groups);
  const ofGroups = groups.filter(({ marks }) => marks.length > 0);
  const honest = sum(results.map(({ months }) => months.all)) + groups.length;
  const marked = sum(results.map(({ months }) => months.marked)) + ofGroups.length;
  const which = [...new Set(ofGroups.map(({ group }) => group.what))].join(', ');
  return row(
    'marked months of honest creators',
    `${marked} of ${honest} (${which || 'of no group'})`,
    '≤ 1 %',
    marked <= honest / 100,
  );
}
