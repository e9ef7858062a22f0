import {
  listDifferences as listDifferencesCall,
  showDifference as showDifferenceCall,
} from '#contract/audit-differences.ts';
import * as batches from '#contract/batches.ts';
import * as cases from '#contract/cases.ts';
import * as copiesContract from '#contract/copies.ts';
import * as copyCase from '#contract/copy-case.ts';
import { getFigures } from '#contract/figures.ts';
import * as ledger from '#contract/ledger-entries.ts';
import * as media from '#contract/media.ts';
import * as contract from '#contract/operators.ts';
import * as personCase from '#contract/person-case.ts';
import * as proposals from '#contract/proposals.ts';
import * as sinceRestore from '#contract/since-restore.ts';
import { getToday } from '#contract/today.ts';
import { showWithdrawal as showWithdrawalCall } from '#contract/withdrawal-case.ts';
import type { Context } from '#server/platform/context.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { type Caller, on, type Route } from '#server/platform/route.ts';
import { listActsOn, type Operator } from '../audit-log/audit-log.ts';
import { recountCategories } from '../categories/categories.ts';
import { listMessages } from '../contact/contact.ts';
import { listCopies, showCopy } from '../copies/decisions.ts';
import { auditLedger, lastAudit } from '../earnings/audit.ts';
import { listDifferences, showDifference } from '../earnings/differences.ts';
import {
  closeCase,
  countCases,
  listCases,
  lookAtCase,
  noteOnCase,
  releaseCase,
  showCase,
  showEvidence,
  takeUpCase,
} from '../moderation/cases.ts';
import { mustSeeEdits } from '../moderation/decisions.ts';
import { labelContent, unlabelContent } from '../moderation/labels.ts';
import { decideCases } from '../moderation/many.ts';
import { mergeCases, unmergeCase } from '../moderation/merges.ts';
import { enterOrder } from '../moderation/orders.ts';
import { restoreContent, takeDown } from '../moderation/take-down.ts';
import { readMonth } from '../months/month-worth.ts';
import {
  approveBatch,
  cancelBatch,
  listBatches,
  makeBatch,
  sendBatch,
  showBatch,
} from '../payers/batches.ts';
import { recordPayments } from '../payers/record.ts';
import { identifyPayment, reconcileSinceRestore, showLock } from '../payers/since-restore.ts';
import { seesChildren } from '../people/child-safety.ts';
import { listUnfinished, showUnfinished } from '../reels/unfinished.ts';
import { figuresOfSite } from '../site/days.ts';
import { auditMedia } from '../stored-files/audit.ts';
import { listVersions } from '../versions/versions.ts';
import { exportLedger, listLedger, showLedgerEntry } from '../withdrawals/ledger-entries.ts';
import { listWithdrawals, listYearlyTotals } from '../withdrawals/review.ts';
import { listWaitingMonths } from '../withdrawals/waiting-views.ts';
import { answerAppeal } from './appeals.ts';
import { decideCopy, showCopyPicture } from './copies.ts';
import { listLog, showAct } from './log.ts';
import { retryReel } from './media.ts';
import { muteReports, unmuteReports } from './muting.ts';
import { accountOf, operatorOf } from './operators.ts';
import {
  findPeople,
  findPerson,
  idOf,
  makeResetLinkOf,
  restorePerson,
  setRole,
  suspendPerson,
} from './people.ts';
import { showPerson } from './person-case.ts';
import { approveProposal, declineProposal, listProposals, propose } from './proposals.ts';
import { releaseMonth, voidMonth } from './releases.ts';
import { today } from './today.ts';
import { showWithdrawal } from './withdrawal-case.ts';
import { completeWithdrawal, rejectWithdrawal } from './withdrawals.ts';

/** How many acts of operators on a batch are shown at most, the newest. */
const shownOfBatch = 24;

/** The id of a person, if one is named. */
const idOfSome = async ({ db }: Context<'db'>, about: string | undefined) =>
  about ? await idOf(db, about) : undefined;

export const operatorsRoutes = (context: Context): Route[] => [
  ...operatorActs(context, (caller) => operatorOf(context.db, caller), { isAlone: false }),
  on(copyCase.showCopyPicture, async ({ caller, params }) =>
    showCopyPicture(context, await operatorOf(context.db, caller), params),
  ),
  on(cases.showEvidence, async ({ caller, params }) =>
    showEvidence(context, await operatorOf(context.db, caller), params),
  ),
  on(proposals.listProposals, async ({ caller }) => ({ data: await listProposals(context, caller) })),
  on(proposals.approveProposal, async ({ caller, params }) => {
    const operator = { ...(await operatorOf(context.db, caller)), role: caller.role };
    const changed = await approveProposal(context, operator, params.id);
    return { answer: { data: { _id: params.id } }, changed };
  }),
  on(proposals.declineProposal, async ({ caller, params, body }) => {
    const operator = { ...(await operatorOf(context.db, caller)), role: caller.role };
    await declineProposal(context, operator, { ...params, ...body });
    return { data: { _id: params.id } };
  }),
  on(contract.getAudit, async () => ({ data: await auditLedger(context) })),
  on(getFigures, ({ query }) => figuresOfSite(context, query.period)),
  on(getToday, async ({ caller }) => ({ data: await today(context, caller.role) })),
  on(contract.getLastAudit, async () => ({ data: await lastAudit(context) })),
  on(listDifferencesCall, ({ query }) => listDifferences(context, query)),
  on(showDifferenceCall, async ({ params }) => ({ data: await showDifference(context, params.id) })),
  on(ledger.listLedger, async ({ query: { about, ...asked } }) =>
    listLedger(context, { ...asked, creatorId: await idOfSome(context, about) }),
  ),
  on(ledger.showLedgerEntry, async ({ params }) => ({ data: await showLedgerEntry(context, params.id) })),
  on(ledger.exportLedger, async ({ params, query: { about, ...asked } }) =>
    exportLedger(context, { ...params, ...asked, creatorId: await idOfSome(context, about) }),
  ),
  on(media.listUnfinished, ({ query }) => listUnfinished(context, query)),
  on(media.showUnfinished, async ({ params: { id } }) => {
    const history = await listActsOn(context.db, [{ kind: 'reel', id }], media.shownOfReel);
    return { data: { ...(await showUnfinished(context, id)), history } };
  }),
  on(media.retryReel, async ({ caller, params, body }) => ({
    data: await retryReel(context, await operatorOf(context.db, caller), { ...params, ...body }),
  })),
  on(contract.getMediaAudit, async () => ({ data: await auditMedia(context) })),
];

/**
 * What operators do by calls, and by commands of the same names (`server/admin`); `by` says who acts. By a call nobody ends an account or
 * voids views alone (`isAlone`): a second operator approves it. Who owns the machine may.
 */
export function operatorActs(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  by: (caller: Caller) => Promise<Operator>,
  { isAlone }: { isAlone: boolean },
): Route[] {
  const { db } = context;
  const account = async (caller: Caller) => accountOf(await by(caller));
  const mustNotVoid = ({ waiting }: { waiting?: 'release' | 'void' | 'void_paid' | undefined }) => {
    if (!isAlone && waiting && waiting !== 'release') throw new Refusal('second_operator', { what: 'void' });
  };
  return [
    on(contract.listWithdrawals, ({ query }) => listWithdrawals(context, query)),
    on(showWithdrawalCall, async ({ params }) => ({ data: await showWithdrawal(context, params.id) })),
    on(batches.listBatches, ({ query }) => listBatches(db, query)),
    on(batches.showBatch, async ({ params: { id } }) => {
      const history = await listActsOn(db, [{ kind: 'batch', id }], shownOfBatch);
      return { data: { ...(await showBatch(context, id)), history } };
    }),
    on(batches.makeBatch, async ({ caller, body }) => {
      mustNotVoid(body);
      return { data: await makeBatch(context, await account(caller), body) };
    }),
    on(batches.approveBatch, async ({ caller, params, body }) => {
      mustNotVoid(body);
      return { data: await approveBatch(context, await account(caller), params.id, body) };
    }),
    on(batches.sendBatch, async ({ caller, params, body }) =>
      sendBatch(context, await account(caller), { ...params, ...body }),
    ),
    on(batches.cancelBatch, async ({ caller, params }) => ({
      data: await cancelBatch(context, await account(caller), params.id),
    })),
    on(batches.recordPayments, async ({ caller, body }) => ({
      data: await recordPayments(context, await account(caller), body.payments),
    })),
    on(sinceRestore.getPayoutLock, () => showLock(context)),
    on(sinceRestore.namePayment, async ({ caller, body }) =>
      identifyPayment(context, await account(caller), body),
    ),
    on(sinceRestore.reconcileSinceRestore, async ({ caller, body }) =>
      reconcileSinceRestore(context, await account(caller), body),
    ),
    on(contract.listYearlyTotals, ({ params, query }) => listYearlyTotals(context, params.year, query)),
    on(contract.completeWithdrawal, async ({ caller, params, body }) => {
      mustNotVoid(body);
      const operator = await by(caller);
      return { data: await completeWithdrawal(context, operator, params.id, body) };
    }),
    on(contract.rejectWithdrawal, async ({ caller, params, body }) => {
      mustNotVoid(body);
      const operator = await by(caller);
      return { data: await rejectWithdrawal(context, operator, params.id, body) };
    }),
    on(copiesContract.listCopies, ({ query }) => listCopies(context, query)),
    on(copyCase.showCopy, async ({ caller, params: { id } }) => {
      const copy = await showCopy(context, id);
      const sees = await seesChildren(db, caller?.id ?? null);
      const target = { kind: copy.kind, id };
      return { data: { ...copy, history: await listActsOn(db, [target], copyCase.shownOfCopy, sees) } };
    }),
    on(copiesContract.decideCopy, async ({ caller, params, body }) => {
      const operator = await by(caller);
      return { answer: { data: await decideCopy(context, operator, params.id, body) }, changed: true };
    }),
    on(contract.listWaitingMonths, ({ query }) => listWaitingMonths(context, query)),
    on(contract.releaseMonth, async ({ caller, body: { month, userId, reason } }) => {
      const which = { month: readMonth(month), creatorId: userId, reason };
      return { data: await releaseMonth(context, await by(caller), which) };
    }),
    on(contract.voidMonth, async ({ caller, body: { userId, ...body } }) => {
      const said = { ...body, month: readMonth(body.month) };
      if (!isAlone) {
        const proposed = { act: 'void', personId: userId, said } as const;
        return { data: null, proposal: await propose(context, await account(caller), proposed) };
      }
      const data = await voidMonth(context, await by(caller), { creatorId: userId, ...said });
      return { data: data ?? null, proposal: null };
    }),
    on(cases.listCases, ({ caller, query }) => listCases(context, caller?.id ?? null, query)),
    on(cases.countCases, async ({ caller, query }) => ({
      data: await countCases(context, caller?.id ?? null, query),
    })),
    on(cases.showCase, async ({ caller, params }) => ({
      data: await showCase(context, caller?.id ?? null, params.id),
    })),
    on(contract.listVersions, async ({ caller, params, query }) => {
      await mustSeeEdits(db, caller?.id ?? null, params.id);
      return await listVersions(db, params.id, query);
    }),
    on(contract.takeDown, async ({ caller, body }) => {
      const operator = await by(caller);
      const { changed, ...data } = await takeDown(context, operator, body);
      return { answer: { data }, changed };
    }),
    on(contract.restoreContent, async ({ caller, body }) => {
      const operator = await by(caller);
      const { changed, ...data } = await restoreContent(context, operator, body.target);
      return { answer: { data }, changed };
    }),
    on(contract.labelContent, async ({ caller, body }) => {
      const { changed, ...data } = await labelContent(context, await by(caller), body);
      return { answer: { data }, changed };
    }),
    on(contract.unlabelContent, async ({ caller, body }) => {
      const { changed, ...data } = await unlabelContent(context, await by(caller), body.target);
      return { answer: { data }, changed };
    }),
    on(cases.takeUpCase, async ({ caller, params }) => ({
      data: await takeUpCase(context, await account(caller), params.id),
    })),
    on(cases.lookAtCase, async ({ caller, params }) => ({
      data: await lookAtCase(context, await by(caller), params.id),
    })),
    on(cases.releaseCase, async ({ caller, params }) => ({
      data: await releaseCase(context, await account(caller), params.id),
    })),
    on(cases.noteOnCase, async ({ caller, params, body }) => ({
      data: await noteOnCase(context, await by(caller), { ...params, ...body }),
    })),
    on(cases.closeCase, async ({ caller, params, body }) => ({
      data: await closeCase(context, await by(caller), { ...params, ...body }),
    })),
    on(cases.decideCases, async ({ caller, body }) => {
      const { changed, data } = await decideCases(context, await by(caller), body);
      return { answer: { data }, changed };
    }),
    on(cases.mergeCases, async ({ caller, params, body }) => ({
      data: await mergeCases(context, await by(caller), { ...params, ...body }),
    })),
    on(cases.unmergeCase, async ({ caller, params }) => ({
      data: await unmergeCase(context, await by(caller), params.id),
    })),
    on(cases.answerAppeal, async ({ caller, params, body }) => {
      const operator = await by(caller);
      const { changed, ...data } = await answerAppeal(context, operator, { ...params, ...body });
      return { answer: { data }, changed };
    }),
    on(cases.enterOrder, async ({ caller, body }) => ({
      data: await enterOrder(context, await by(caller), body),
    })),
    on(contract.findPeople, ({ query }) => findPeople(db, query)),
    on(personCase.showPerson, async ({ caller, params }) => ({
      data: await showPerson(context, caller, params.id),
    })),
    on(personCase.makeResetLink, async ({ caller, params }) => ({
      link: `/ResetPassword#${await makeResetLinkOf(context, await by(caller), params.id)}`,
    })),
    on(contract.suspendPerson, async ({ caller, params, body }) => {
      if (!isAlone && body.days === undefined) {
        const { rule, reason } = body;
        const proposed = { act: 'suspend', personId: params.id, said: { rule, reason } } as const;
        const proposal = await propose(context, await account(caller), proposed);
        return { answer: { data: await findPerson(db, params.id), proposal }, changed: false };
      }
      const operator = await by(caller);
      const { changed, ...data } = await suspendPerson(context, operator, params.id, body);
      return { answer: { data, proposal: null }, changed };
    }),
    on(contract.restorePerson, async ({ caller, params }) => {
      const operator = await by(caller);
      const { changed, ...data } = await restorePerson(context, operator, params.id);
      return { answer: { data }, changed };
    }),
    on(contract.muteReports, async ({ caller, params, body }) => ({
      data: await muteReports(context, await by(caller), params.id, body),
    })),
    on(contract.unmuteReports, async ({ caller, params }) => ({
      data: await unmuteReports(context, await by(caller), params.id),
    })),
    on(contract.setRole, async ({ caller, params, body }) => {
      const operator = await by(caller);
      const { enrolment, ...data } = await setRole(context, operator, params.id, {
        ...body,
        byCommand: isAlone,
      });
      return { data, enrolment };
    }),
    on(contract.listMessages, ({ query }) => listMessages(db, query)),
    on(contract.listCategories, async () => ({ data: await recountCategories(db) })),
    on(contract.listLog, ({ caller, query }) => listLog(context, query, caller)),
    on(contract.showAct, async ({ caller, params }) => ({
      data: await showAct(db, params.id, caller),
    })),
  ];
}
