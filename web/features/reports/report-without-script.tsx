import { Flag } from 'lucide-react';
import { useText } from '#web/text.tsx';

/** Leads visitors without scripts to the form that works without one; its page says what to write. */
export function ReportWithoutScript({ className }: { className: string }) {
  const text = useText();
  return (
    <noscript>
      <a href="/Contact" aria-label={text('report.open')} title={text('report.open')} className={className}>
        <Flag aria-hidden className="size-5" />
      </a>
    </noscript>
  );
}
