import { type ReactNode, useState } from 'react';
import { isApiError } from '#contract/api-error.ts';
import { type ConfirmedAct, confirmationHeader } from '#contract/confirmation.ts';
import { fetchedPart } from '../offline/fetched-part.tsx';

const ConfirmDialog = fetchedPart(() => import('./confirm-dialog.tsx'));

interface Asked {
  act: ConfirmedAct;
  params: Record<string, unknown>;
  /** Called with the confirmation; undefined if the person closes the dialog. */
  answer: (confirmation: string | undefined) => void;
}

/** Headers for the call, after the confirmation. */
type Confirmed = { headers?: Record<string, string> };

/**
 * Makes calls that need a confirmation unless the login is recent: if the server requires one, the dialog gets it and the call
 * is repeated. If the dialog is closed, the server's refusal is thrown. `byFactor`: an operator's act, which only a second factor confirms.
 */
export function useConfirmedCall({ byFactor = false }: { byFactor?: boolean } = {}): {
  confirmed: <R>(
    act: ConfirmedAct,
    params: Record<string, unknown>,
    run: (options: Confirmed) => Promise<R>,
  ) => Promise<R>;
  /** Must be rendered outside of forms. */
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
    dialog: asked && <ConfirmDialog {...asked} byFactor={byFactor} onClose={() => asked.answer(undefined)} />,
  };
}
