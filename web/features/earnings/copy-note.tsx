import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { askAboutCopy, type Copy } from '#contract/copies.ts';
import { call } from '#web/api.ts';
import { loadPart } from '#web/messages/catalogues.ts';
import { T, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { pageOf } from '../showcase/page-of.ts';

await loadPart('copies');

interface CopyNoteProps {
  kind: 'reel' | 'post' | 'story';
  id: string;
  copy: Copy;
}

/** Of which work it is a copy, an operator's decision about that, and the button that requests a review. */
export function CopyNote({ kind, id, copy }: CopyNoteProps) {
  const text = useText();
  const ask = useMutation({ mutationFn: () => call(askAboutCopy, { body: { kind, id } }) });
  const { of, state, reason } = ask.data?.data ?? copy;
  if (state === 'own') return <p>{text('copy.own', { reason: reason ?? '' })}</p>;
  if (state === 'waiting') return <p role="status">{text('copy.waits')}</p>;
  return (
    <div className="grid justify-items-start gap-1.5">
      <p>
        {of ? (
          <T
            id="copy.of"
            values={{
              kind: of.kind,
              username: of.username,
              // A value of <T> is a text or a number.
              day: text('date', { date: new Date(of.publishedAt) }),
            }}
            parts={{
              a: <Link to={pageOf(of.kind, of._id) ?? `/user/${of.userId}`} className="text-link" />,
            }}
          />
        ) : (
          text('copy.found')
        )}
      </p>
      {state === 'copy' && <p>{text('copy.decided', { reason: reason ?? '' })}</p>}
      {state === 'asked' && <p role="status">{text('copy.asked')}</p>}
      {state === 'found' && (
        <Button kind="secondary" busy={ask.isPending} onClick={() => ask.mutate()}>
          {text('copy.ask')}
        </Button>
      )}
      {ask.isError && <p role="alert">{text('copy.askFailed')}</p>}
    </div>
  );
}
