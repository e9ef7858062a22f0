import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isApiError } from '#contract/api-error.ts';
import { type HistoryRecord, requestWithdrawal } from '#contract/earnings.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import { historyOptions } from './earnings.ts';

/**
 * Requests a withdrawal, once however often the button is pressed, and then reloads history and states (specification
 * §4).
 */
export function useWithdraw(record: HistoryRecord, userName: string) {
  const text = useText();
  const queries = useQueryClient();
  const underWay = useRef(false);
  const [busy, setBusy] = useState(false);
  const [requested, setRequested] = useState(false);
  // The server's message about a refused request.
  const [refusal, setRefusal] = useState<string>();
  const { queryKey } = historyOptions(record.userId);

  async function withdraw() {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    setRefusal(undefined);
    try {
      const { userId, monthKey: month, payableRupees: totalRupee } = record;
      await call(requestWithdrawal, { body: { month, totalRupee, userId, userName } });
      setRequested(true);
      notify('success', text('history.submitted'));
    } catch (error) {
      console.error('The withdrawal request failed.', error);
      notify('error', text('history.requestFailed'));
      if (isApiError(error)) setRefusal(error.sentence);
    }
    // Also after a failure, since the displayed data may be older than the server's.
    await queries.refetchQueries({ queryKey });
    underWay.current = false;
    setBusy(false);
  }
  return { withdraw, busy, requested, refusal };
}
