import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { makeBatch } from '#contract/batches.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import { ActDialog } from './act-dialog.tsx';
import { useAddress } from './use-address.ts';

/** A button that makes a batch of everything that can be paid, and opens it. */
export function MakeBatch() {
  const text = useText();
  const { go } = useAddress();
  const queries = useQueryClient();
  const { confirmed, dialog } = useConfirmedCall({ byFactor: true });
  const [isAsked, setAsked] = useState(false);
  const run = async () => {
    const { data } = await confirmed('make_batch', {}, (options) => call(makeBatch, { body: {} }, options));
    go({ part: 'batches', state: undefined, month: undefined, case: data._id });
    void queries.invalidateQueries({ queryKey: ['console'] });
  };
  return (
    <>
      <Button onClick={() => setAsked(true)}>{text('console.act.batchAll')}</Button>
      {isAsked && (
        <ActDialog
          act={{ title: 'console.act.batchAll', says: 'console.act.batchAll.says', run }}
          onDone={() => setAsked(false)}
          onClose={() => setAsked(false)}
        />
      )}
      {dialog}
    </>
  );
}
