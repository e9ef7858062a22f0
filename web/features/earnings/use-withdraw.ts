import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isApiError } from '#contract/api-error.ts';
import { type HistoryRecord, requestWithdrawal } from '#contract/earnings.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import { historyOptions } from './earnings.ts';

/** Asks for a month's money, once however often it is pressed; then history and statuses load again (specification §4). */
export function useWithdraw(record: HistoryRecord, userName: string) {
  const text = useText();
  const queries = useQueryClient();
  const underWay = useRef(false);
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState(false);
  // What the server says of a request that it refused.
  const [refusal, setRefusal] = useState<string>();
  const { queryKey } = historyOptions(record.userId);

  async function withdraw() {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    setRefusal(undefined);
    try {
      const { userId, monthKey: month, rupees: totalRupee } = record;
      await call(requestWithdrawal, { body: { month, totalRupee, userId, userName } });
      setAsked(true);
      notify('success', text('history.submitted'));
    } catch (error) {
      console.error('The withdrawal was not asked for.', error);
      notify('error', text('history.requestFailed'));
      if (isApiError(error)) setRefusal(error.sentence);
    }
    // Also after a failure: what was shown may be older than what the server compared with.
    await queries.refetchQueries({ queryKey });
    underWay.current = false;
    setBusy(false);
  }
  return { withdraw, busy, asked, refusal };
}
