import { isApiError } from '#contract/api-error.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { ErrorState } from '#web/ui/quiet-state.tsx';

interface ListErrorProps {
  title: string;
  /** An explanation; by default the reason of the error. */
  text?: string;
  list: { error: unknown; isFetching: boolean; refetch: () => Promise<unknown> };
}

/** Shown instead of a list that could not be loaded: the reason, and a retry button. */
export function ListError({ title, text: words, list }: ListErrorProps) {
  const text = useText();
  return (
    <ErrorState
      title={title}
      text={words ?? (isApiError(list.error) ? list.error.sentence : text('wrong.text'))}
      action={
        <Button kind="primary" onClick={() => void list.refetch()} busy={list.isFetching}>
          {text('list.retry')}
        </Button>
      }
    />
  );
}
