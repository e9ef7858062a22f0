import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** Asks before a page with unsaved work is left: with our own dialog inside the site, with the browser's when the tab is closed. */
export function LeaveWarning({ active }: { active: boolean }) {
  const text = useText();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => active && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [active]);

  const stay = () => blocker.reset?.();
  return (
    <Dialog
      open={blocker.state === 'blocked'}
      onClose={stay}
      title={text('upload.leave.title')}
      closeLabel={text('dialog.close')}
    >
      <p className="mb-5 text-soft">{text('upload.leave')}</p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={stay}>{text('upload.leave.stay')}</Button>
        <Button kind="danger" onClick={() => blocker.proceed?.()}>
          {text('upload.leave.go')}
        </Button>
      </div>
    </Dialog>
  );
}
