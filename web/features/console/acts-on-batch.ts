import { ApiError } from '#contract/api-error.ts';
import {
  approveBatch,
  cancelBatch,
  type PaymentOutcome,
  recordPayments,
  sendBatch,
  type WholeBatch,
} from '#contract/batches.ts';
import { reasonAtMost } from '#contract/operators.ts';
import { call } from '#web/api.ts';
import type { MessageId } from '#web/messages/catalogues.ts';
import type { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import type { ActForm } from './act-dialog.tsx';
import type { CaseAct } from './case-frame.tsx';
import { saveCsv } from './save-csv.ts';

type Confirmed = ReturnType<typeof useConfirmedCall>['confirmed'];

/** What can be done with a batch as it is. Each needs a fresh confirmation by the second factor. */
export function actsOnBatch({ _id: id, state, payer }: WholeBatch, confirmed: Confirmed): CaseAct[] {
  const params = { id };
  const send = async (again: boolean) => {
    const body = { again };
    const { file } = await confirmed('send_batch', { ...params, ...body }, (options) =>
      call(sendBatch, { params, body }, options),
    );
    if (file) saveCsv(`batch-${id}.csv`, file);
  };
  const approve: CaseAct = {
    id: 'approve',
    label: 'console.act.approveBatch',
    key: 'a',
    kind: 'primary',
    form: {
      title: 'console.act.approveBatch',
      says: 'console.act.approveBatch.says',
      run: () =>
        confirmed('approve_batch', params, (options) => call(approveBatch, { params, body: {} }, options)),
    },
  };
  const sending = (again: boolean): CaseAct => ({
    id: 'send',
    label: again ? 'console.act.sendAgain' : 'console.act.sendBatch',
    key: 's',
    kind: again ? 'secondary' : 'primary',
    form: {
      title: again ? 'console.act.sendAgain' : 'console.act.sendBatch',
      says: payer === 'file' ? 'console.act.sendBatch.file' : 'console.act.sendBatch.api',
      run: () => send(again),
    },
  });
  const cancel: CaseAct = {
    id: 'cancel',
    label: 'console.act.cancelBatch',
    key: 'x',
    kind: 'danger',
    form: {
      title: 'console.act.cancelBatch',
      says: 'console.act.cancelBatch.says',
      isDangerous: true,
      run: () => confirmed('cancel_batch', params, (options) => call(cancelBatch, { params }, options)),
    },
  };
  if (state === 'proposed') return [approve, cancel];
  if (state === 'approved') return [sending(false), cancel];
  return state === 'sent' ? [sending(true)] : [];
}

/** What an operator can record of a payment that was sent: what the bank reports. */
export function recordsOf(
  { _id: id, state }: WholeBatch['payments'][number],
  confirmed: Confirmed,
): { label: MessageId; form: ActForm }[] {
  const record = async (payment: PaymentOutcome) => {
    const body = { payments: [payment] };
    const { data } = await confirmed('record_payments', body, (options) =>
      call(recordPayments, { body }, options),
    );
    const error = data[0]?.error;
    if (error) throw new ApiError(409, 'refused', error);
  };
  const reason = { label: 'console.reasonForCreator', most: reasonAtMost } as const;
  const paid: ActForm = {
    title: 'console.act.paymentPaid',
    says: 'console.act.paymentPaid.says',
    reason: { label: 'console.reference', most: 100 },
    run: ({ reason: reference }) => record({ id, state: 'paid', reference }),
  };
  const failed: ActForm = {
    title: 'console.act.paymentFailed',
    says: 'console.act.paymentFailed.says',
    reason,
    isDangerous: true,
    run: ({ reason }) => record({ id, state: 'failed', reason }),
  };
  const returned: ActForm = {
    title: 'console.act.paymentReturned',
    says: 'console.act.paymentReturned.says',
    reason,
    isDangerous: true,
    run: ({ reason }) => record({ id, state: 'returned', reason }),
  };
  const forms =
    state === 'paid'
      ? [returned]
      : state === 'exported' || state === 'sent' || state === 'unknown'
        ? [paid, failed]
        : [];
  return forms.map((form) => ({ label: form.title, form }));
}
