import { isRouteErrorResponse } from 'react-router';
import { isApiError } from '#contract/api-error.ts';
import type { PageFailure } from '../page-call.ts';
import { useText } from '../text.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/quiet-state.tsx';

/** Shown if a page failed: a message, and a button to retry. */
export function SomethingWrong({ error }: { error: unknown }) {
  const text = useText();
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <title>{text('wrong.pageTitle')}</title>
      <ErrorState
        wholePage
        title={text('wrong.title')}
        text={sentenceOf(error) ?? text('wrong.text')}
        action={
          <Button kind="primary" onClick={() => location.replace(location.pathname + location.search)}>
            {text('wrong.retry')}
          </Button>
        }
      />
    </div>
  );
}

function sentenceOf(error: unknown): string | undefined {
  if (isApiError(error)) return error.sentence;
  if (isRouteErrorResponse(error)) return (error.data as Partial<PageFailure> | null)?.sentence;
  return undefined;
}
