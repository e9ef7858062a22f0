import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type MaskedDestination, removeDestination } from '#contract/payouts.ts';
import { call } from '#web/api.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { notify } from '#web/ui/notices.ts';
import { PanelSkeleton } from '#web/ui/panel-skeleton.tsx';
import { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import { ListError } from '../lists/list-error.tsx';
import { DestinationForm } from './destination-form.tsx';
import { destinationOptions, keepDestination } from './use-destination.ts';

/** Where earnings are paid, and how to change it. */
export function DestinationPanel({ userId }: { userId: string | undefined }) {
  const text = useText();
  const [changes, setChanges] = useState(false);
  const destination = useQuery(destinationOptions(userId));
  if (destination.isPending) return <PanelSkeleton lines={4} />;
  if (destination.data === undefined)
    return <ListError title={text('payout.loadFailed')} list={destination} />;
  const { data, unreadable } = destination.data;
  return (
    <section className="grid gap-5 rounded-panel border border-line bg-surface p-5 text-pretty sm:p-6">
      {data ? (
        <Current destination={data} />
      ) : (
        <p>{text(unreadable ? 'payout.unreadable' : 'payout.none')}</p>
      )}
      {(!data || changes) && <p>{text('payout.changeHolds')}</p>}
      {data && !changes ? (
        <Actions userId={userId} onChange={() => setChanges(true)} />
      ) : (
        <DestinationForm
          userId={userId}
          onSaved={() => setChanges(false)}
          onCancel={data ? () => setChanges(false) : undefined}
        />
      )}
      <p className="text-[0.9375rem] text-soft">{text('payout.stored')}</p>
      <Link to="/EarningHistory" className="text-link justify-self-start">
        {text('payout.history')}
      </Link>
    </section>
  );
}

function Current({ destination }: { destination: MaskedDestination }) {
  const text = useText();
  const { masked, bank, chosenAt, heldUntil, nameNotTaken, mergedInto } = destination;
  return (
    <div className="grid gap-1">
      <h2 className="text-[0.9375rem] font-normal text-soft">{text('payout.to')}</h2>
      <p className="figures text-xl font-bold">
        {bank === null ? text('payout.upiOf', { masked }) : text('payout.bankOf', { bank, masked })}
      </p>
      <p className="text-[0.9375rem] text-soft">{text('payout.since', { date: new Date(chosenAt) })}</p>
      {nameNotTaken && <p className="font-medium">{text('payout.nameNotTaken')}</p>}
      {mergedInto && <p className="font-medium">{text('payout.mergedInto', { into: mergedInto })}</p>}
      {heldUntil && <p className="font-medium">{text('payout.held', { date: new Date(heldUntil) })}</p>}
    </div>
  );
}

function Actions({ userId, onChange }: { userId: string | undefined; onChange: () => void }) {
  const text = useText();
  const queries = useQueryClient();
  const { confirmed, dialog } = useConfirmedCall();
  const [asks, setAsks] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      confirmed('remove_destination', {}, (options) => call(removeDestination, undefined, options)),
    onSuccess: () => {
      keepDestination(queries, userId, null);
      notify('success', text('payout.removed'));
    },
  });
  return (
    <>
      <FormError message={remove.error ? failureText(remove.error, text) : undefined} />
      <div className="flex flex-wrap gap-3">
        <Button onClick={onChange}>{text('payout.change')}</Button>
        <Button busy={remove.isPending} onClick={() => setAsks(true)}>
          {text('payout.remove')}
        </Button>
      </div>
      <Dialog
        open={asks}
        onClose={() => setAsks(false)}
        title={text('payout.removeTitle')}
        closeLabel={text('dialog.close')}
      >
        <p className="mb-5 text-soft">{text('payout.removeText')}</p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={() => setAsks(false)}>{text('payout.keep')}</Button>
          <Button
            kind="danger"
            onClick={() => {
              // Before the dialog that may ask for a confirmation.
              setAsks(false);
              remove.mutate();
            }}
          >
            {text('payout.remove')}
          </Button>
        </div>
      </Dialog>
      {dialog}
    </>
  );
}
