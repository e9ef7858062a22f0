import { Link2Off } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '#web/text.tsx';

/** Shown if this site does not import links. */
export function LinksClosed({ children }: { children?: ReactNode }) {
  const text = useText();
  return (
    <div className="flex items-start gap-3 rounded-panel border border-line bg-sunken p-4">
      <Link2Off aria-hidden className="mt-0.5 size-6 shrink-0 text-soft" />
      <p>
        {text('link.unavailable')} {children}
      </p>
    </div>
  );
}
