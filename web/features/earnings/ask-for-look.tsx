import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isApiError } from '#contract/api-error.ts';
import { askForLook } from '#contract/earnings.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { historyOptions } from './earnings.ts';

/** Requests a review of the views that wait, once a month; then shows when it was requested. */
export function AskForLook({ userId, askedAt }: { userId: string; askedAt: string | null }) {
  const text = useText();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  async function request() {
    setBusy(true);
    setRefusal(undefined);
    try {
      await call(askForLook, { body: { userId } });
    } catch (error) {
      setRefusal(isApiError(error) ? error.sentence : text('look.failed'));
    }
    // Also after a failure, since the displayed data may be older than the server's.
    await queries.refetchQueries({ queryKey: historyOptions(userId).queryKey });
    setBusy(false);
  }

  if (askedAt !== null)
    return (
      <p role="status" className="mt-2 text-[0.9375rem] leading-snug text-soft">
        {text('look.asked', { at: new Date(askedAt) })}
      </p>
    );
  return (
    <div className="mt-2">
      <Button busy={busy} onClick={() => void request()}>
        {text('look.ask')}
      </Button>
      {refusal && (
        <p role="alert" className="mt-2 text-[0.9375rem]">
          {refusal}
        </p>
      )}
    </div>
  );
}
