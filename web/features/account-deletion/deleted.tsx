import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useText } from '#web/text.tsx';
import { EmptyState } from '#web/ui/quiet-state.tsx';

/** How long the message is shown before the front page, in milliseconds (specification §4). */
const redirectAfter = 2000;

/** The confirmation that the account is deleted. Back does not lead here again. */
export function Deleted() {
  const text = useText();
  const navigate = useNavigate();
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    ref.current?.focus();
    const timer = setTimeout(() => void navigate('/', { replace: true }), redirectAfter);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <div ref={ref} tabIndex={-1} role="status" className="outline-none">
      <EmptyState drawing="done" wholePage title={text('deletion.done')} text={text('deletion.doneText')} />
    </div>
  );
}
