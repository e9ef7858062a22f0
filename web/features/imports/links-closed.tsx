import { Link2Off } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '#web/text.tsx';

/** Where this site fetches no links, it says so at once. */
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
