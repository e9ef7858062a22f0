import { useEffect, useState } from 'react';
import { deliverNotices, type Notice } from './notices.ts';

/** Says the newest notice where the script that shows them well did not come. */
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
      className="pointer-events-none fixed inset-x-0 bottom-16 z-50 grid justify-items-center p-3"
    >
      {notice && (
        <p className="rounded-panel border border-line bg-surface px-5 py-3 font-medium text-text shadow-raised">
          {notice.text}
        </p>
      )}
    </section>
  );
}
