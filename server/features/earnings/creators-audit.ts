import type { Kysely } from 'kysely';
import type { MonthCounts } from '#contract/earning-rules.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { listAdjustments } from '../months/adjustments.ts';
import {
  type AdjustmentRow,
  earnedIn,
  nothing,
  type Result,
  resultOf,
  viewsAboveLimit,
  voidable,
} from '../months/money.ts';
import { asResult, findResults } from '../months/month-rows.ts';
import { coinsOfOwnWork, countsOfWorks } from '../months/own-works.ts';
import { likesByAccounts } from '../months/vouching.ts';
import { viewerOfPerson } from '../views/viewers.ts';
import { type Compared, monthsWithoutViews } from './audit.queries.ts';
import * as queries from './creators-audit.queries.ts';
import type { Difference } from './differences.ts';

/** What the audit reads with: it stores nothing, and so asks for no time. */
export type Inside<More extends keyof Context = never> = Context<'db' | 'config' | More>;

const creatorsAtOnce = 5000;

/** All creators, in ranges of five thousand with a month. */
export async function* creatorRanges(db: Kysely<Tables>): AsyncGenerator<queries.Creators> {
  for (let after: string | undefined; ; ) {
    const last = await queries.lastOfNext(db, after, creatorsAtOnce);
    yield queries.creatorsBetween(after, last);
    if (last === undefined) return;
    after = last;
  }
}

/** A difference, and the creator whose rows differ. */
export type OfCreator = Difference & { creator: string };

/** Derives the months of these creators from their events, what these months pay, and whether their views are founded. */
export async function auditCreators(
  context: Inside<'keyring'>,
  creators: queries.Creators,
): Promise<OfCreator[]> {
  const { db, config, keyring } = context;
  const asked: queries.Asked = {
    creators,
    timeZone: config.timeZone,
    withoutViews: await monthsWithoutViews(db),
    adjusted: await queries.listAdjustedWorks(db, creators),
  };
  const compared = {
    month: await queries.differingMonths(db, asked),
    reel: [
      ...(await queries.differingReels(db, asked)),
      ...(await queries.unfoundedViews(db, asked)),
      ...(await ownViews(db, asked, keyring)),
      ...(await queries.unshownViews(db, asked)),
    ],
    viewer: await queries.differingViewers(db, asked),
  };
  const differences = [...(await differingResults(db, asked))];
  for (const id of await queries.creatorsWithAdjustments(db, creators))
    differences.push(...(await differingAdjustments(context, id)));
  return [
    ...(['month', 'reel', 'viewer'] as const).flatMap((what) =>
      compared[what].map((row) => ({ ...asDifference(what)(row), creator: row.creator })),
    ),
    ...differences.map((difference) => ({ ...difference, creator: difference.id })),
  ];
}

/** Counted views of creators who watched their own reels signed in. */
async function ownViews(
  db: Kysely<Tables>,
  asked: queries.Asked,
  keyring: Secrets,
): Promise<queries.ComparedOf[]> {
  const watched = await queries.watchedSignedIn(db, asked);
  const hashed = hashedByMonth(keyring, watched, ({ creator_id }) => creator_id);
  const differences: queries.ComparedOf[] = [];
  for (const [month, creators] of hashed)
    differences.push(...(await queries.viewsByCreators(db, month, creators)));
  return differences;
}

/** Derives the results of all counted months again. */
async function differingResults(
  db: Kysely<Tables>,
  { creators, timeZone }: queries.Asked,
): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const month of await queries.countedMonths(db)) {
    const rows = await queries.listResults(db, month, creators);
    const ids = rows.map((row) => row.creator_id);
    const likes = await likesByAccounts(db, 'established_accounts', ids, { month, timeZone });
    for (const { result, ...row } of rows) {
      const recorded = figuresOf(result ? asResult(result) : undefined);
      const derived = figuresOf(resultOf(row, likes.get(row.creator_id)));
      differences.push(
        ...differing(
          { creatorId: row.creator_id, month },
          derived.map(([figure, value], index) => [`result: ${figure}`, recorded[index]?.[1] ?? '', value]),
        ),
      );
    }
  }
  return differences;
}

/** The figures of a result by name; empty values if there is none. */
function figuresOf(result: Result | undefined): [figure: string, value: string | number][] {
  const numbers = (name: string, counts: MonthCounts | undefined): [string, string | number][] =>
    (['reels', 'posts', 'stories', 'views', 'likes'] as const).map((figure) => [
      `${name}${figure}`,
      counts?.[figure] ?? '',
    ]);
  return [
    ...numbers('', result?.counts),
    ...numbers('paid ', result?.paid),
    ['coins', result?.coins ?? ''],
    ['paise', result?.paise ?? ''],
    ['may be carried', String(result?.mayBeCarried ?? '')],
  ];
}

export type Secrets = Pick<Context<'keyring'>['keyring'], 'secret'>;

/** People with their viewer hashes, by month. */
export function hashedByMonth<T extends { month: string }>(
  keyring: Secrets,
  rows: readonly T[],
  personOf: (row: T) => string,
): [month: string, people: queries.HashedPerson[]][] {
  const secret = keyring.secret('viewers');
  return [...Map.groupBy(rows, (row) => row.month)].map(([month, ofMonth]) => [
    month,
    ofMonth
      .map(personOf)
      .map((personId) => ({ personId, viewer: viewerOfPerson(secret, personId).toString('hex') })),
  ]);
}

export const asDifference =
  (what: Difference['what']) =>
  ({ owner, month, figure, recorded, derived }: Compared): Difference => ({
    what,
    id: owner,
    month,
    figure,
    recorded,
    derived,
  });

/** Derives each adjustment of a creator again, from the result of its month, the adjustments before it, and the counts of the work. */
async function differingAdjustments(context: Inside, creatorId: string): Promise<Difference[]> {
  const { db, config } = context;
  const rows = await listAdjustments(db, creatorId);
  const results = await findResults(
    db,
    creatorId,
    rows.map(({ month }) => month),
  );
  const differences: Difference[] = [];
  for (const [index, row] of rows.entries()) {
    const { month, kind } = row;
    const derived = await deriveAdjustment(context, row, {
      result: results.get(month),
      before: rows.slice(0, index),
    });
    const isIn = [derived.countsIn, monthOf(row.at, config.timeZone)].includes(row.counts_in);
    differences.push(
      ...differing({ creatorId, month }, [
        [`${kind}: views`, row.views, derived.views],
        [`${kind}: coins`, row.coins, derived.coins],
        [`${kind}: counts in`, row.counts_in, isIn ? row.counts_in : derived.countsIn],
      ]),
    );
  }
  return differences;
}

async function deriveAdjustment(
  { db, config }: Context<'db' | 'config'>,
  { creator_id: creatorId, month, kind, work_id: workId, at }: AdjustmentRow,
  { result, before }: { result: Result | undefined; before: readonly AdjustmentRow[] },
): Promise<{ views: number; coins: number; countsIn: string }> {
  const { timeZone } = config;
  const countsIn = monthOf(at, timeZone);
  if (workId) {
    const counts = await countsOfWorks(db, { creatorId, ids: [workId] }, timeZone);
    const { views } = counts.get(month) ?? nothing;
    const of = { creatorId, month, workId, adjustments: before };
    return { views, coins: await coinsOfOwnWork(db, timeZone, result, of), countsIn };
  }
  if (!result) return { views: 0, coins: 0, countsIn };
  const pay = earnedIn({ month, isCounted: true, result }, before);
  if (kind === 'released') return { ...viewsAboveLimit(pay.withOwnWorks), countsIn };
  return voidable(pay, kind === 'void_paid' ? 'paid' : 'waiting');
}

function differing(
  { creatorId: id, month }: { creatorId: string; month: string },
  compared: readonly [figure: string, recorded: string | number, derived: string | number][],
): Difference[] {
  return compared
    .filter(([, recorded, derived]) => recorded !== derived)
    .map(([figure, recorded, derived]) => ({ what: 'month', id, month, figure, recorded, derived }));
}
