import { mayCall, type Role } from '#contract/roles.ts';
import { type Due, type DueKind, roleOfDue } from '#contract/today.ts';
import type { Context } from '#server/platform/context.ts';
import type { Waiting } from '#server/platform/database/waiting.ts';
import { lastBackup } from '../audit-log/audit-log.ts';
import { countReviewRequests } from '../copies/decisions.ts';
import { lastAudit } from '../earnings/audit.ts';
import { countOpenCases } from '../moderation/cases.ts';
import { countUnsentBatches } from '../payers/batches.ts';
import { countFailedReels } from '../reels/reels.ts';
import { countPendingWithdrawals } from '../withdrawals/review.ts';
import { countProposals } from './proposals.ts';

const hour = 3_600_000;
/** An audit runs every night, and a backup should (docs/operating.md): one that is older is due. */
const nightly = 25 * hour;

/** What waits for operators of a role: what has a deadline first, then the oldest. */
export async function today(context: Context<'db' | 'clock'>, role: Role): Promise<Due[]> {
  const { db, clock } = context;
  const [reports, { held, copies }, withdrawals, batches, media, audit, backup, suspensions, voids] =
    await Promise.all([
      countOpenCases(db),
      countReviewRequests(db),
      countPendingWithdrawals(db),
      countUnsentBatches(db),
      countFailedReels(db),
      lastAudit(context),
      lastBackup(db),
      countProposals(context, 'suspend'),
      countProposals(context, 'void'),
    ]);
  const before = new Date(clock().getTime() - nightly);
  const lists: [DueKind, Waiting][] = [
    ['reports', reports],
    ['held', held],
    ['copies', copies],
    ['suspensions', suspensions],
    ['voids', voids],
    ['withdrawals', withdrawals],
    ['batches', batches],
    ['media', media],
    ['audit', { count: audit?.differences ?? 0, at: audit && new Date(audit.at) }],
    ['backup', { count: 0, at: backup ?? null }],
  ];
  const isOld = (what: DueKind, at: Date | null) =>
    (what === 'audit' || what === 'backup') && (at === null || at < before);
  return lists
    .filter(([what, { count, at }]) => mayCall(role, roleOfDue[what]) && (count > 0 || isOld(what, at)))
    .map(([what, { count, at }]) => ({
      what,
      count,
      at: at?.toISOString() ?? null,
      hasDeadline: what === 'reports',
    }))
    .sort(
      (one, other) =>
        Number(other.hasDeadline) - Number(one.hasDeadline) || (one.at ?? '').localeCompare(other.at ?? ''),
    );
}
