import { useEffect, useState } from 'react';
import { deliverNotices, type Notice } from './notices.ts';

/** Shows the newest notice if the toaster's script could not be loaded. */
export function PlainNotice({ label }: { label: string }) {
  const [notice, setNotice] = useState<Notice>();
  useEffect(() => deliverNotices(setNotice, () => setNotice(undefined)), []);
  useEffect(() => {
    if (!notice) return;
    const leaving = setTimeout(() => setNotice(undefined), 6000);
    return () => clearTimeout(leaving);
  }, [notice]);
  return (
    <section
      aria-label={label}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-[calc(var(--foot)+4rem)] z-50 grid justify-items-center p-3"
    >
      {notice && (
        <p className="pointer-events-auto rounded-panel border border-line bg-surface px-5 py-3 font-medium text-text shadow-raised">
          {notice.text}{' '}
          {notice.action && (
            <button type="button" onClick={notice.action.run} className="text-link min-h-11">
              {notice.action.label}
            </button>
          )}
        </p>
      )}
    </section>
  );
}
