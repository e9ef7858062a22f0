import { isApiError } from '../../../contract/api-error.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/quiet-state.tsx';

interface ListErrorProps {
  title: string;
  list: { error: unknown; isFetching: boolean; refetch: () => Promise<unknown> };
}

/** A list that did not arrive: why, and a way to ask again. */
export function ListError({ title, list }: ListErrorProps) {
  const text = useText();
  return (
    <ErrorState
      title={title}
      text={isApiError(list.error) ? list.error.sentence : text('wrong.text')}
      action={
        <Button kind="primary" onClick={() => void list.refetch()} busy={list.isFetching}>
          {text('list.retry')}
        </Button>
      }
    />
  );
}
