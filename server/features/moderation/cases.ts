import type { Kysely, Transaction } from 'kysely';
import { addressOf } from '#contract/address.ts';
import {
  type CaseCounts,
  type CaseKind,
  type CaseLanguage,
  type CaseState,
  claimMinutes,
  type ListedCase,
  type ShownCase,
  showEvidence as showEvidenceCall,
  shownOfCase,
} from '#contract/cases.ts';
import { mayShowChild } from '#contract/child-safety.ts';
import type { OutgoingFile } from '#contract/endpoint.ts';
import type { Page } from '#contract/fields.ts';
import { mergedAtMost } from '#contract/operators.ts';
import { type ReportKind, type ReportOutcome, reportKinds } from '#contract/reports.ts';
import { countedTo } from '#contract/today.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { type Act, listActsOn, logAct, type Operator, type OperatorAccount } from '../audit-log/audit-log.ts';
import { mustSeeChildren, seesChildren } from '../people/child-safety.ts';
import { fileToShow } from '../stored-files/fetch-file.ts';
import { countVersions } from '../versions/versions.ts';
import * as queries from './cases.queries.ts';
import { findByAppeal } from './decisions.queries.ts';
import { decidersOf, decisionOfCase, isAlone } from './decisions.ts';

const minute = 60_000;

interface Asked extends Page {
  state: CaseState;
  kind?: CaseKind | undefined;
  language?: CaseLanguage | undefined;
}

/** Cases, those that must be decided first at the head; decided ones the last first. Each with the current state of what was reported. */
export async function listCases(
  { db, clock }: Context<'db' | 'clock'>,
  operatorId: string | null,
  { limit, cursor, ...filters }: Asked,
): Promise<{ data: ListedCase[]; nextCursor: string | null }> {
  const now = clock();
  const which = { ...filters, operatorId, now };
  const rows = await queries.listCases(db, which, limit + 1, readCursor(cursor));
  const edits = await countVersions(
    db,
    rows.map((row) => row.about_id),
  );
  const position = (row: queries.CaseRow) => ({ at: row.closed_at ?? row.due_at, id: row.id });
  const reader = { operatorId, seesChildren: await seesChildren(db, operatorId) };
  return pageOf(rows, limit, position, (row) => asListed(row, { ...reader, now, edits }));
}

/** How many undecided cases each filter of the list has, counted up to `countedTo` and one more. */
export async function countCases(
  { db, clock }: Context<'db' | 'clock'>,
  operatorId: string | null,
  filters: Pick<Asked, 'kind' | 'language'>,
): Promise<CaseCounts> {
  const rows = await queries.countByFilter(db, { ...filters, operatorId, now: clock() }, countedTo + 1);
  const of = (filter: string) =>
    Object.fromEntries(rows.flatMap((row) => (row.filter === filter ? [[row.value, row.count]] : [])));
  return { state: of('state'), kind: of('kind'), language: of('language') } as CaseCounts;
}

type EvidenceOfCase = Pick<ShownCase, 'words' | 'more' | 'picture' | 'video' | 'page'>;
const veiled: EvidenceOfCase = { words: '', more: '', picture: '', video: '', page: '' };

/**
 * A case with its evidence, its newest reports and the newest acts on it and on what it is about. What may show a child is without evidence:
 * each look is a call of its own.
 */
export async function showCase(
  { db, clock }: Context<'db' | 'clock'>,
  operatorId: string | null,
  id: string,
): Promise<ShownCase> {
  const row = await queries.findCase(db, id);
  if (!row) throw notFound('report');
  await mustSee(db, row, operatorId);
  const reader = { operatorId, seesChildren: await seesChildren(db, operatorId) };
  const { about_id: targetId, evidence } = row;
  // Who has reported one's own works, and what is noted about that, is not for oneself.
  const merged = (await queries.listMerged(db, id, mergedAtMost)).filter(
    (one) => one.evidence.ownerId !== operatorId,
  );
  const cases = [row, ...merged];
  const [edits, reported, decision, history] = await Promise.all([
    countVersions(
      db,
      cases.map((one) => one.about_id),
    ),
    queries.listReportsOf(db, id, shownOfCase),
    decisionOfCase(db, id),
    listActsOn(
      db,
      cases.flatMap((one) => [
        { kind: 'report', id: one.id },
        { kind: one.about_kind, id: one.about_id },
      ]),
      shownOfCase,
      reader.seesChildren,
    ),
  ]);
  const shown = { ...reader, now: clock(), edits };
  return {
    ...asListed(row, shown),
    ...(mayShowChild(row) ? veiled : evidenceIn(row)),
    targetId,
    ownerId: evidence.ownerId,
    merged: merged.map((one) => asListed(one, shown)),
    decision,
    reported: reported.map((report) => ({
      _id: report.id,
      reason: report.reason,
      text: report.text,
      contact: report.contact,
      reporter: report.username ?? '',
      reporterId: report.reporter_id,
      createdAt: report.created_at.toISOString(),
    })),
    history,
  };
}

function evidenceIn({ id, state, evidence, about_kind: kind, about_id: targetId }: queries.CaseRow) {
  const address = (part: 'picture' | 'video') =>
    state && evidence[part] ? addressOf(showEvidenceCall, { params: { id, part } }) : '';
  return {
    words: evidence.words,
    more: evidence.more,
    picture: address('picture'),
    video: address('video'),
    page: state === 'public' ? pageOfThing(kind, targetId, evidence.reelId) : '',
  };
}

/** The evidence of a case, which also what may show a child has here. Each look is a row of the operators' log. */
export async function lookAtCase(
  { db, clock }: Context<'db' | 'clock'>,
  operator: Operator,
  id: string,
): Promise<EvidenceOfCase> {
  return await inTransaction(db, async (trx) => {
    const row = await queries.findCase(trx, id);
    if (!row) throw notFound('report');
    await mustSee(trx, row, operator.id);
    await logOnCase(trx, operator, { act: 'report.look', about: row }, clock());
    return evidenceIn(row);
  });
}

/** Returns a file of the evidence, even if the content is hidden. If it may show a child, each request is logged as a look. */
export async function showEvidence(
  { db, clock, storage }: Context<'db' | 'clock' | 'storage'>,
  operator: Operator,
  { id, part }: { id: string; part: 'picture' | 'video' },
): Promise<OutgoingFile> {
  return await inTransaction(db, async (trx) => {
    const row = await queries.findCase(trx, id);
    if (!row) throw notFound('report');
    await mustSee(trx, row, operator.id);
    const file = await fileToShow(storage, row.evidence[part]);
    const details = { part };
    if (mayShowChild(row))
      await logOnCase(trx, operator, { act: 'report.look', about: row, details }, clock());
    return file;
  });
}

function pageOfThing(kind: ReportKind, id: string, reelId: string | null): string {
  if (kind === 'person') return `/user/${id}`;
  if (kind === 'post') return `/post/${id}`;
  // A story has a page only with the others of its person.
  if (kind === 'story') return '';
  return `/videoplayer?reel=${reelId ?? id}`;
}

export function asListed(
  row: queries.CaseRow,
  {
    operatorId,
    seesChildren: sees,
    now,
    edits,
  }: queries.Reader & { now: Date; edits: ReadonlyMap<string, number> },
): ListedCase {
  const { closed_at } = row;
  const isChild = mayShowChild(row);
  const isSeen = !isChild || sees;
  return {
    _id: row.id,
    kind: row.kind,
    about: row.about_kind,
    targetId: isSeen ? row.about_id : null,
    language: row.language,
    reasons: row.reasons,
    reports: row.report_count,
    owner: isSeen ? row.evidence.owner : '',
    words: isChild ? '' : row.evidence.words,
    state: row.state ?? 'gone',
    label: row.label,
    edits: edits.get(row.about_id) ?? 0,
    openedAt: row.opened_at.toISOString(),
    dueAt: row.due_at.toISOString(),
    takenUpAt: row.taken_up_at?.toISOString() ?? null,
    claim: isClaimed(row, now)
      ? {
          by: row.claimed_name ?? '',
          mine: row.claimed_by === operatorId,
          until: row.claimed_until.toISOString(),
        }
      : null,
    closedAt: closed_at?.toISOString() ?? null,
    closedBy: row.closed_by,
    mergedInto: row.merged_into,
  };
}

/** Claims a case for `claimMinutes`: no other operator can decide it in that time, and its reporters see the state `in_work` from now on. */
export async function takeUpCase(
  { db, clock }: Context<'db' | 'clock'>,
  operator: OperatorAccount,
  id: string,
): Promise<{ _id: string; takenUpAt: string; claim: NonNullable<ListedCase['claim']> }> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const found = await lock(trx, id);
    await mustDecide(trx, found, operator.id);
    await refuseFirst(trx, found, operator.id);
    await refuseOthers(trx, found, operator, now);
    if (found.closed_at) throw new Refusal('case_decided', { username: found.closed_by ?? '' });
    const [takenUpAt, until] = [found.taken_up_at ?? now, new Date(now.getTime() + claimMinutes * minute)];
    const isAgain = isClaimed(found, now);
    await queries.update(trx, id, { taken_up_at: takenUpAt, claimed_by: operator.id, claimed_until: until });
    if (!isAgain) await logOnCase(trx, operator, { act: 'report.take-up', about: found }, now);
    const claim = { by: operator.name, mine: true, until: until.toISOString() };
    return { _id: id, takenUpAt: takenUpAt.toISOString(), claim };
  });
}

/** Ends the operator's claim on a case; has no effect without one. */
export async function releaseCase(
  { db, clock }: Context<'db' | 'clock'>,
  operator: OperatorAccount,
  id: string,
): Promise<{ _id: string }> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const found = await lock(trx, id);
    if (isClaimed(found, now) && found.claimed_by === operator.id) {
      await queries.update(trx, id, { claimed_by: null, claimed_until: null });
      await logOnCase(trx, operator, { act: 'report.release', about: found }, now);
    }
    return { _id: id };
  });
}

/** Ends the operator's claim on the open case about a thing, if there is one. */
export async function releaseClaimOn(
  trx: Transaction<Tables>,
  { id: operatorId }: OperatorAccount,
  { kind, id }: { kind: ReportKind; id: string },
): Promise<void> {
  const found = await queries.lockCase(trx, { kind, targetId: id });
  if (found?.claimed_by === operatorId)
    await queries.update(trx, found.id, { claimed_by: null, claimed_until: null });
}

/** Writes a note on a case, a row of the operators' log. */
export async function noteOnCase(
  { db, clock }: Context<'db' | 'clock'>,
  operator: Operator,
  { id, text }: { id: string; text: string },
): Promise<{ _id: string }> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const about = await lock(trx, id);
    if (mayShowChild(about)) await mustSeeChildren(trx, operator.id);
    await logOnCase(trx, operator, { act: 'report.note', about, details: { text } }, now);
    return { _id: id };
  });
}

/** Decides a case without a take-down. Sent again by the same operator it has no effect. */
export async function closeCase(
  { db, clock }: Context<'db' | 'clock'>,
  operator: Operator,
  { id, reason }: { id: string; reason: string },
): Promise<{ _id: string; closedAt: string }> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const found = await lock(trx, id);
    if (found.kind === 'appeal') throw new Refusal('invalid_input', { what: 'answer_instead' });
    await mustDecide(trx, found, operator.id);
    if (found.closed_at) {
      refuseDecided(found, operator);
      return { _id: id, closedAt: found.closed_at.toISOString() };
    }
    await refuseOthers(trx, found, operator, now);
    await queries.decide(trx, id, decided(operator, 'none', now));
    await logOnCase(trx, operator, { act: 'report.close', about: found, details: { reason } }, now);
    return { _id: id, closedAt: now.toISOString() };
  });
}

/**
 * Closes the case of an appeal that is answered; for a decision that is reversed, the reporters of `decidedCase` read that no rule is broken.
 * False if the same operator has closed it before.
 */
export async function closeAppeal(
  trx: Transaction<Tables>,
  operator: Operator,
  {
    caseId,
    decidedCase,
    details,
  }: { caseId: string; decidedCase: string | null; details: Record<string, string> },
  now: Date,
): Promise<boolean> {
  const found = await lock(trx, caseId);
  await mustSee(trx, found, operator.id);
  await refuseFirst(trx, found, operator.id);
  if (found.closed_at) {
    refuseDecided(found, operator);
    return false;
  }
  await refuseOthers(trx, found, operator, now);
  await queries.decide(trx, caseId, decided(operator, null, now));
  if (decidedCase) await queries.setOutcome(trx, decidedCase, 'none');
  await logOnCase(trx, operator, { act: 'report.answer', about: found, details }, now);
  return true;
}

/**
 * Decides the open case about a thing by an act on that; returns the case, and what the log says of it beside the act.
 * Refuses while another operator has claimed it, and if the operator acts on this case, which another one has decided in the meantime.
 */
export async function decideCaseOf(
  trx: Transaction<Tables>,
  operator: Operator,
  { kind, id, caseId }: { kind: ReportKind; id: string; caseId?: string | undefined },
  now: Date,
): Promise<{ caseId: string | null; logged: { reports: number; childCase?: true } }> {
  const found = await queries.lockCase(trx, caseId ? { id: caseId } : { kind, targetId: id });
  if (found?.closed_at) refuseDecided(found, operator);
  if (!found) return { caseId: null, logged: { reports: 0 } };
  if (found.closed_at) return { caseId: found.id, logged: { reports: 0, ...childCaseOf(found) } };
  await mustDecide(trx, found, operator.id);
  await refuseOthers(trx, found, operator, now);
  await unmergePublic(trx, operator, found.id, now);
  await queries.decide(trx, found.id, decided(operator, 'acted', now));
  return { caseId: found.id, logged: { reports: found.report_count, ...childCaseOf(found) } };
}

/**
 * Brings merged cases back to the queue whose things stay public after an act on the case with which they would be decided: their reporters
 * would read that something was done.
 */
async function unmergePublic(
  trx: Transaction<Tables>,
  operator: Operator,
  from: string,
  now: Date,
): Promise<void> {
  for (const about of await queries.listMergedOpen(trx, from)) {
    if (about.state !== 'public') continue;
    await queries.update(trx, about.id, { merged_into: null });
    await logOnCase(trx, operator, { act: 'report.unmerge', about, details: { from } }, now);
  }
}

/**
 * The works and comments of the undecided cases that are merged into one, without those that are taken down already: an act on that case is
 * for them, too. Locks merges until the end of the transaction.
 */
export async function listMergedWorks(
  trx: Transaction<Tables>,
  id: string,
): Promise<{ caseId: string; kind: Exclude<ReportKind, 'person'>; id: string }[]> {
  await queries.lockMerges(trx);
  return (await queries.listMergedOpen(trx, id)).flatMap(
    ({ id: caseId, about_kind: kind, about_id, state }) =>
      kind === 'person' || state === null || state === 'taken_down' ? [] : [{ caseId, kind, id: about_id }],
  );
}

/**
 * The things that an act of this operator is for: those of these kinds in the merged cases, and last the named one. Refuses a decided case, and
 * merged cases that are not in the list of those which the operator was shown, if there is such a list.
 */
export async function thingsOf(
  trx: Transaction<Tables>,
  operator: Operator,
  { target, merged: shown }: { target: string; merged?: readonly string[] | undefined },
  kinds: readonly ReportKind[] = reportKinds,
): Promise<{ kind: ReportKind; id: string; caseId: string | undefined }[]> {
  const { about, kind, id } = await targetOf(trx, target);
  if (!about) return [{ kind, id, caseId: undefined }];
  refuseDecided(about, operator);
  const { caseId } = about;
  const merged = (await listMergedWorks(trx, caseId)).filter((one) => kinds.includes(one.kind));
  if (shown && merged.some((one) => !shown.includes(one.caseId)))
    throw new Refusal('invalid_input', { what: 'merged_meanwhile' }, 'merged');
  return [...merged, { kind, id, caseId }];
}

/** What operators name as `kind:id`, or by the id of a case about it or of a report of that case; then with the case. */
export async function targetOf(
  db: Kysely<Tables>,
  named: string,
): Promise<{ kind: ReportKind; id: string; about?: { caseId: string } & Decided }> {
  const [kind, id] = named.split(':');
  if (id) return { kind: kind as ReportKind, id };
  const found = await queries.findTarget(db, named);
  if (!found) throw notFound('report');
  const { closed_at, closed_by } = found;
  if (found.kind === 'appeal') throw new Refusal('invalid_input', { what: 'answer_instead' }, 'target');
  return { kind: found.kind, id: found.target_id, about: { caseId: found.id, closed_at, closed_by } };
}

const decided = ({ name }: Operator, outcome: ReportOutcome | null, now: Date) => ({
  ...{ closed_at: now, closed_by: name, outcome },
  ...{ claimed_by: null, claimed_until: null },
});

type Decided = Pick<queries.LockedCase, 'closed_at' | 'closed_by'>;

/** Who decides the same again has no effect; anybody else reads who was first. */
export function refuseDecided({ closed_at, closed_by }: Decided, { name }: Operator): void {
  if (closed_at && closed_by !== name) throw new Refusal('case_decided', { username: closed_by ?? '' });
}

/**
 * An operator may neither decide a case about their own content or account, nor see who reported it; nor may they see or decide what may show
 * a child without that right.
 */
export async function mustSee(
  db: Kysely<Tables>,
  found: Pick<queries.LockedCase, 'evidence' | 'reasons'>,
  operatorId: string | null,
): Promise<void> {
  if (found.evidence.ownerId === operatorId) throw new Refusal('own_work');
  if (mayShowChild(found)) await mustSeeChildren(db, operatorId);
}

/** The same for who decides a case, with which those are decided that are merged into it. */
async function mustDecide(
  trx: Transaction<Tables>,
  found: Pick<queries.LockedCase, 'id' | 'evidence' | 'reasons'>,
  operatorId: string | null,
): Promise<void> {
  await mustSee(trx, found, operatorId);
  if (await queries.hasMergedAbout(trx, found.id, operatorId)) throw new Refusal('own_work');
}

/** Who decided first, or proposed that, does not judge the appeal against it, if there is another operator. */
async function refuseFirst(
  trx: Transaction<Tables>,
  { kind, id }: Pick<queries.LockedCase, 'kind' | 'id'>,
  operatorId: string | null,
): Promise<void> {
  if (kind !== 'appeal') return;
  const decision = await findByAppeal(trx, id);
  if (!decision || !operatorId || !(await decidersOf(trx, decision)).includes(operatorId)) return;
  if (!(await isAlone(trx, decision))) throw new Refusal('own_decision');
}

/** Whether an operator has a claim that has not ended. A decision ends it. */
function isClaimed<Row extends Pick<queries.LockedCase, 'claimed_by' | 'claimed_until'>>(
  row: Row,
  now: Date,
): row is Row & { claimed_by: string; claimed_until: Date } {
  return row.claimed_by !== null && row.claimed_until !== null && row.claimed_until > now;
}

/** Two people are never on one case. */
export async function refuseOthers(
  trx: Transaction<Tables>,
  found: queries.LockedCase,
  operator: Operator,
  now: Date,
): Promise<void> {
  if (isClaimed(found, now) && found.claimed_by !== operator.id)
    throw new Refusal('case_claimed', { username: await queries.findUsername(trx, found.claimed_by) });
}

/** A case, locked; refuses if there is none. */
export async function lock(trx: Transaction<Tables>, id: string): Promise<queries.LockedCase> {
  const found = await queries.lockCase(trx, { id });
  if (!found) throw notFound('report');
  return found;
}

/** By this the log has the details of an act only for operators who may see what shows a child. */
const childCaseOf = (about: Pick<queries.LockedCase, 'reasons'>): { childCase?: true } =>
  mayShowChild(about) ? { childCase: true } : {};

interface ActOnCase {
  act: Act;
  about: Pick<queries.LockedCase, 'id' | 'kind' | 'target_id' | 'reasons'>;
  details?: Record<string, string>;
}

/** Logs an act on a case, with what the case is about. */
export async function logOnCase(
  trx: Transaction<Tables>,
  operator: Operator,
  { act, about, details }: ActOnCase,
  now: Date,
): Promise<void> {
  const said = { about: `${about.kind}:${about.target_id}`, ...childCaseOf(about), ...details };
  await logAct(trx, operator, { act, target: { kind: 'report', id: about.id }, details: said }, now);
}

/** The undecided cases about these accounts themselves, by account. */
export const openCasesAbout = async (db: Kysely<Tables>, ids: readonly string[]) =>
  new Map((await queries.listOpenAbout(db, ids)).map((row) => [row.target_id, row.id]));

export const countOpenCases = queries.countOpenCases;
