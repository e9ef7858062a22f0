import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Progress as Bar } from '../../ui/progress.tsx';
import type { Progress } from './use-send.ts';

const megabyte = 1024 * 1024;

/** How far the upload is, how fast, how long still; and a way out. */
export function Sending({ progress, onCancel }: { progress: Progress; onCancel: () => void }) {
  const text = useText();
  const { sent, total, speed, publishing } = progress;
  const allSent = total > 0 && sent >= total;
  const seconds = Math.ceil((total - sent) / speed);
  return (
    <div className="grid gap-2 rounded-control bg-sunken p-4">
      <Bar label={text('upload.progress')} value={allSent ? undefined : sent / total} />
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p className="figures text-[0.9375rem] text-soft" aria-live="off">
          {allSent
            ? text('upload.checking')
            : text('upload.sent', { sent: sent / megabyte, total: total / megabyte })}
          {!allSent && speed > 0 && (
            <>
              {' '}
              ·{' '}
              {text(seconds < 100 ? 'upload.speed' : 'upload.speedMinutes', {
                speed: speed / megabyte,
                seconds,
                minutes: Math.round(seconds / 60),
              })}
            </>
          )}
        </p>
        {!publishing && (
          <Button kind="quiet" onClick={onCancel}>
            {text('upload.cancel')}
          </Button>
        )}
      </div>
    </div>
  );
}
