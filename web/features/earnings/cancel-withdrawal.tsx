import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { cancelWithdrawal, type Withdrawal } from '#contract/earnings.ts';
import { call } from '#web/api.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { notify } from '#web/ui/notices.ts';
import { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import { historyOptions } from './earnings.ts';

/** Whether the withdrawal can be cancelled, as far as the site knows: no payment of it was sent. */
export const canBeCancelled = ({ status, steps }: Withdrawal) =>
  status === 'pending' && steps.every(({ step }) => step === 'approved');

interface CancelWithdrawalProps {
  withdrawal: Withdrawal;
  /** Called before the button disappears. */
  onCancelled: () => void;
}

/** Cancels a withdrawal, after a question and a confirmation. */
export function CancelWithdrawal({ withdrawal: { userId, month }, onCancelled }: CancelWithdrawalProps) {
  const text = useText();
  const queries = useQueryClient();
  const { confirmed, dialog } = useConfirmedCall();
  const [asks, setAsks] = useState(false);
  const cancel = useMutation({
    mutationFn: () =>
      confirmed('cancel_withdrawal', { month }, (options) =>
        call(cancelWithdrawal, { body: { month } }, options),
      ),
    onSuccess: () => {
      onCancelled();
      notify('success', text('cancel.done'));
    },
    // As a notice: if it was sent in the meantime, the button disappears.
    onError: (error) => notify('error', failureText(error, text)),
    onSettled: () => queries.refetchQueries({ queryKey: historyOptions(userId).queryKey }),
  });
  return (
    <>
      <Button busy={cancel.isPending} onClick={() => setAsks(true)} className="mt-3">
        {text('cancel.button')}
      </Button>
      <Dialog
        open={asks}
        onClose={() => setAsks(false)}
        title={text('cancel.title')}
        closeLabel={text('dialog.close')}
      >
        <p className="mb-5 text-pretty text-soft">{text('cancel.text')}</p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={() => setAsks(false)}>{text('cancel.keep')}</Button>
          <Button
            kind="danger"
            onClick={() => {
              // Before the dialog that may ask for a confirmation.
              setAsks(false);
              cancel.mutate();
            }}
          >
            {text('cancel.button')}
          </Button>
        </div>
      </Dialog>
      {dialog}
    </>
  );
}
