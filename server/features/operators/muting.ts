import type { PersonForOperators } from '#contract/operators.ts';
import type { Context } from '#server/platform/context.ts';
import { logAct, type Operator } from '../audit-log/audit-log.ts';
import { dismissCasesBy } from '../moderation/cases-of-person.ts';
import { unmuteCases } from '../moderation/reports.ts';
import * as queries from './operators.queries.ts';
import { change } from './people.ts';

const day = 24 * 60 * 60 * 1000;

/**
 * Mutes the reports of a person for some days; nothing is written when the mute ends. With `dismiss`, cases that only this person has reported are
 * closed in the same transaction; if the person is muted already, the mute does not change. The person is not told.
 */
export async function muteReports(
  context: Context<'db' | 'clock'>,
  operator: Operator,
  id: string,
  { days, reason, dismiss }: { days: number; reason: string; dismiss: boolean },
): Promise<PersonForOperators> {
  const now = context.clock();
  const { changed: _, ...person } = await change(context.db, id, async (trx, row) => {
    const isMuted = row.reports_muted_until !== null && row.reports_muted_until > now;
    if (!isMuted) await queries.setReportsMuted(trx, id, new Date(now.getTime() + days * day));
    const dismissed = dismiss ? await dismissCasesBy(trx, operator, { personId: id, reason }, now) : 0;
    if (isMuted && dismissed === 0) return false;
    const target = { kind: 'person', id };
    const details = { ...(isMuted ? {} : { days }), reason, ...(dismiss ? { dismissed } : {}) };
    await logAct(trx, operator, { act: 'person.mute', target, details }, now);
    return true;
  });
  return person;
}

/** Ends the mute before its time. Somebody found it wrong, so the cases that it kept out of the queue are in it again. */
export async function unmuteReports(
  context: Context<'db' | 'clock'>,
  operator: Operator,
  id: string,
): Promise<PersonForOperators> {
  const now = context.clock();
  const { changed: _, ...person } = await change(context.db, id, async (trx, row) => {
    if (!row.reports_muted_until || row.reports_muted_until <= now) return false;
    await queries.setReportsMuted(trx, id, null);
    await unmuteCases(trx, id);
    await logAct(trx, operator, { act: 'person.unmute', target: { kind: 'person', id } }, now);
    return true;
  });
  return person;
}
