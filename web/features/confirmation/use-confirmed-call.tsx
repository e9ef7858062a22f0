import { type ReactNode, useState } from 'react';
import { isApiError } from '#contract/api-error.ts';
import { type ConfirmedAct, confirmationHeader } from '#contract/confirmation.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface Asked {
  act: ConfirmedAct;
  params: Record<string, unknown>;
  /** Gets the confirmation; nothing if the person does not want to. */
  answer: (confirmation: string | undefined) => void;
}

/** Headers of the call, once it is confirmed. */
type Confirmed = { headers?: Record<string, string> };

/**
 * Makes calls that need a confirmation unless one has just logged in: where the server asks for it, the dialog gets it and the call
 * is repeated. A dialog that is closed leaves the server's refusal.
 */
export function useConfirmedCall(): {
  confirmed: <R>(
    act: ConfirmedAct,
    params: Record<string, unknown>,
    run: (options: Confirmed) => Promise<R>,
  ) => Promise<R>;
  /** To be shown outside of forms. */
  dialog: ReactNode;
} {
  const [asked, setAsked] = useState<Asked>();
  return {
    async confirmed(act, params, run) {
      try {
        return await run({});
      } catch (error) {
        if (!isApiError(error) || error.code !== 'confirmation_required') throw error;
        const confirmation = await new Promise<string | undefined>((answer) =>
          setAsked({ act, params, answer }),
        );
        setAsked(undefined);
        if (confirmation === undefined) throw error;
        return await run({ headers: { [confirmationHeader]: confirmation } });
      }
    },
    dialog: asked && <ConfirmDialog {...asked} />,
  };
}
