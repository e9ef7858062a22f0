import type { NightlyMark } from '#contract/operators.ts';
import { markRules } from '#contract/rates.ts';
import { monthBefore, monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import { viewerOfPerson } from '../views/viewers.ts';
import { circlesOf } from './circles.ts';
import { firstUncounted } from './closing.ts';
import * as queries from './marks.queries.ts';

/*
 * Signs that a creator's month was forged (docs/decisions/0067-marks.md), shown to operators beside the withdrawal with their evidence.
 * They do not change what a month pays, so that nobody can harm a creator by watching them.
 */

/** Searches the months for signs of fraud each night. */
export const marksJob: JobKind<object> = { name: 'mark-months', retries: 1, seconds: 60 * 60 };

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Marks the months of all creators: the month of a day ago, and the one before it if it has no final marks. A month's marks are final
 * once it is closed. Returns the number of marks of each month.
 */
export async function markMonths(
  context: Context<'db' | 'clock' | 'config' | 'keyring'>,
  signal?: AbortSignal,
): Promise<Map<string, number>> {
  const { db, clock, config } = context;
  const yesterday = monthOf(new Date(clock().getTime() - dayMs), config.timeZone);
  const counts = new Map<string, number>();
  for (const month of [monthBefore(yesterday), yesterday]) {
    signal?.throwIfAborted();
    if (await queries.isFinal(db, month)) continue;
    counts.set(month, await markMonth(context, month));
  }
  return counts;
}

/** Replaces the marks of a month, and returns their number; in a closed month they are final. */
export async function markMonth(
  context: Context<'db' | 'clock' | 'config' | 'keyring'>,
  month: string,
): Promise<number> {
  const { db, clock, config, keyring } = context;
  const viewerHashOf = (id: string) => viewerOfPerson(keyring.secret('viewers'), id).toString('hex');
  return await inTransaction(db, async (trx) => {
    const isOver = month < (await firstUncounted({ ...context, db: trx }));
    const of = { month, timeZone: config.timeZone };
    await queries.gatherAccounts(trx, { ...of, isOver }, viewerHashOf);
    await queries.gatherLikers(trx, { ...of, leastLikes: markRules.leastLikers }, viewerHashOf);
    const found = marksFrom(await queries.readEvidence(trx, of, markRules));
    await queries.replaceMarks(trx, month, found, clock());
    if (isOver) await queries.setFinal(trx, month);
    return found.length;
  });
}

/** The marks that follow from the evidence of all creators of a month. */
export function marksFrom(evidence: queries.Evidence): queries.CreatorMark[] {
  const { established } = evidence;
  const accounts = evidence.accounts.filter((one) => one.accounts >= markRules.leastAccounts);
  const views = evidence.views.filter((one) => one.views >= markRules.leastViews);
  const likers = evidence.likes.filter((one) => one.likers >= markRules.leastLikers);
  const members = new Map(
    [evidence.watchingOfAll, evidence.watchingOfEstablished].flatMap(({ creators, ...site }) =>
      circlesOf(creators, site)
        .flat()
        .map((member) => [member.creatorId, member] as const),
    ),
  );
  const marks: (queries.CreatorMark | false)[] = [
    ...[...members.values()].map((one) =>
      markOf(one.creatorId, 'mutual_viewers', one.byMembers, one.accounts),
    ),
    ...accounts.flatMap((one) => [
      isUnusual(one.ofOneDay, one.accounts, { found: one.ofThatDay, of: established }) &&
        markOf(one.creatorId, 'accounts_of_one_day', one.ofOneDay, one.accounts),
      one.ofOneNetwork >= one.accounts * markRules.commonShare &&
        one.ofOneNetwork >= one.ofThatNetwork * markRules.nothingElseShare &&
        markOf(one.creatorId, 'accounts_of_one_network', one.ofOneNetwork, one.accounts),
      one.sameCreators >= markRules.sameCreators &&
        markOf(one.creatorId, 'same_viewers', one.sameAccounts, one.accounts),
    ]),
    ...views.flatMap((one) => [
      one.ofFewViewers >= one.views * markRules.fewViewersShare &&
        markOf(one.creatorId, 'few_viewers', one.ofFewViewers, one.views),
      one.ofFewNetworks >= one.views * markRules.fewNetworksShare &&
        one.ofFewNetworks >= one.ofThoseNetworks * markRules.nothingElseShare &&
        markOf(one.creatorId, 'few_networks', one.ofFewNetworks, one.views),
      one.inQuietHours >= one.views * markRules.quietShare &&
        markOf(one.creatorId, 'flat_hours', one.inQuietHours, one.views),
    ]),
    ...evidence.likes.map(
      (one) =>
        one.ofFewLikers >= markRules.leastLikesOfFew &&
        one.ofFewLikers >= one.likes * markRules.fewLikersShare &&
        markOf(one.creatorId, 'few_likers', one.ofFewLikers, one.likes),
    ),
    ...likers.flatMap((one) => [
      isUnusual(one.ofOneDay, one.likers, { found: one.ofThatDay, of: evidence.people }) &&
        markOf(one.creatorId, 'likers_of_one_day', one.ofOneDay, one.likers),
      one.ofOneNetwork >= one.likers * markRules.commonShare &&
        one.ofOneNetwork >= one.ofThatNetwork * markRules.nothingElseShare &&
        isUnusual(one.ofOneNetwork, one.watching, {
          found: one.ofThatNetwork,
          of: evidence.accountsWatching,
        }) &&
        markOf(one.creatorId, 'likers_of_one_network', one.ofOneNetwork, one.likers),
    ]),
  ];
  return marks.filter((mark) => mark !== false);
}

const markOf = (creatorId: string, mark: NightlyMark, found: number, of: number): queries.CreatorMark => ({
  creatorId,
  mark,
  found,
  of,
});

interface OfSite {
  found: number;
  of: number;
}

/**
 * Whether most of these accounts have something in common that is rare among the others of the site: on its first day all accounts are new.
 * A forged group may be a large part of a small site, so it is compared with the others only, and not at all if there are too few others.
 */
function isUnusual(found: number, of: number, site: OfSite): boolean {
  const { commonShare, leastAccounts, timesUsual } = markRules;
  const others = { found: site.found - found, of: site.of - of };
  return (
    found >= of * commonShare &&
    others.of >= leastAccounts &&
    found * others.of >= of * others.found * timesUsual
  );
}
