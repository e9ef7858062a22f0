import { Flag } from 'lucide-react';
import { useText } from '#web/text.tsx';

interface ReportWithoutScriptProps {
  className: string;
}

/** Leads visitors without scripts to the form that works without one; its page says what to write. Scripts do without what is in it. */
export const ReportWithoutScript = (props: ReportWithoutScriptProps) => (
  <noscript>{import.meta.env.SSR && <ToContact {...props} />}</noscript>
);

function ToContact({ className }: ReportWithoutScriptProps) {
  const text = useText();
  return (
    <a href="/Contact" aria-label={text('report.open')} title={text('report.open')} className={className}>
      <Flag aria-hidden className="size-5" />
    </a>
  );
}
