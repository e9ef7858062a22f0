import { WifiOff } from 'lucide-react';
import { useText } from '#web/text.tsx';
import { useOnline } from './use-online.ts';

/** Shows that there is no network. Lists reload by themselves when it is back. */
export function OfflineBar() {
  const text = useText();
  const online = useOnline();
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-(--foot) z-40 grid justify-items-center p-3"
    >
      {!online && (
        <p className="flex items-center gap-2.5 rounded-full bg-night px-5 py-2.5 font-medium text-night-text shadow-raised ring-1 ring-night-soft/40">
          <WifiOff aria-hidden className="size-4.5 text-marigold" />
          {text('offline.bar')}
        </p>
      )}
    </div>
  );
}
