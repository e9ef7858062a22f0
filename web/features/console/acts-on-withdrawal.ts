import { makeBatch } from '#contract/batches.ts';
import {
  completeWithdrawal,
  reasonAtMost,
  rejectWithdrawal,
  releaseMonth,
  voidMonth,
} from '#contract/operators.ts';
import type { WithdrawalCase } from '#contract/withdrawal-case.ts';
import { call } from '#web/api.ts';
import type { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import type { CaseAct } from './case-frame.tsx';

type Confirmed = ReturnType<typeof useConfirmedCall>['confirmed'];

const reason = { label: 'console.reasonForCreator', most: reasonAtMost } as const;
/** Views are declared void on their own, since a second operator approves that. */
const inRejection = ['', 'release'] as const;
const whichViews = ['waiting', 'paid'] as const;

/** What can be done with a withdrawal as it is. Each needs a fresh confirmation by the second factor. */
export function actsOnWithdrawal(data: WithdrawalCase, confirmed: Confirmed): CaseAct[] {
  const { _id: id, userId, status, payout, waitingViews, month, carried } = data;
  if (status !== 'pending') return [];
  const params = { id };
  const complete: CaseAct = {
    id: 'complete',
    label: 'console.act.complete',
    key: 'm',
    decides: true,
    form: {
      title: 'console.act.complete',
      says: 'console.act.complete.says',
      reason: { label: 'console.reference', most: 100 },
      run: ({ reason: reference }) => {
        const body = { reference };
        return confirmed('complete_withdrawal', { ...params, ...body }, (options) =>
          call(completeWithdrawal, { params, body }, options),
        );
      },
    },
  };
  const batch: CaseAct = {
    id: 'batch',
    label: 'console.act.batchOne',
    key: 'b',
    kind: 'primary',
    form: {
      title: 'console.act.batchOne',
      says: 'console.act.batchOne.says',
      run: () => {
        const body = { withdrawals: [id] };
        return confirmed('make_batch', body, (options) => call(makeBatch, { body }, options));
      },
    },
  };
  const reject: CaseAct = {
    id: 'reject',
    label: 'console.act.reject',
    key: 'x',
    kind: 'danger',
    decides: true,
    form: {
      title: 'console.act.reject',
      says: 'console.act.reject.says',
      reason,
      isDangerous: true,
      choices: {
        label: 'console.waitingBecome',
        options: inRejection.map((value) => ({
          value,
          label: `console.waitingBecome.${value || 'nothing'}` as const,
        })),
      },
      run: ({ reason, choice }) => {
        const waiting = inRejection.find((one) => one === choice) || undefined;
        const body = { reason, ...(waiting ? { waiting } : {}) };
        return confirmed('reject_withdrawal', { ...params, ...body }, (options) =>
          call(rejectWithdrawal, { params, body }, options),
        );
      },
    },
  };
  const months = [...carried.map((paid) => paid.month), month];
  const release: CaseAct = {
    id: 'release',
    label: 'console.act.releaseViews',
    key: 'r',
    form: {
      title: 'console.act.releaseViews',
      says: 'console.act.releaseViews.says',
      reason,
      run: async ({ reason }) => {
        for (const one of months) {
          const body = { month: one, userId, reason };
          await confirmed('release_month', body, (options) => call(releaseMonth, { body }, options));
        }
      },
    },
  };
  const voiding: CaseAct = {
    id: 'void',
    label: 'console.act.voidViews',
    key: 'v',
    kind: 'danger',
    form: {
      title: 'console.act.voidViews',
      says: 'console.act.voidViews.says',
      reason,
      isDangerous: true,
      choices: {
        label: 'console.fact.views',
        options: whichViews.map((value) => ({ value, label: `console.proposal.${value}` as const })),
      },
      run: async ({ reason, choice }) => {
        const what = whichViews.find((one) => one === choice) ?? 'waiting';
        let answer: unknown;
        for (const one of months) {
          const body = { month: one, userId, what, reason } as const;
          answer = await confirmed('void_month', body, (options) => call(voidMonth, { body }, options));
        }
        return answer;
      },
    },
  };
  const isWithPayer = payout === 'approved' || payout === 'sent';
  return [...(isWithPayer ? [] : [batch, complete]), reject, ...(waitingViews > 0 ? [release] : []), voiding];
}
