import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Progress as Bar } from '#web/ui/progress.tsx';
import type { TransferControl, TransferProgress } from './use-transfer.ts';

const megabyte = 1024 * 1024;

interface UploadProgressProps {
  progress: TransferProgress;
  control: TransferControl;
  /** Shown while the server checks the uploaded file. */
  checking: MessageId;
}

/** One thin bar for the whole way of a file, one sentence about it, and buttons to pause and cancel it. */
export function UploadProgress({ progress, control, checking }: UploadProgressProps) {
  const text = useText();
  const { sent, total, speed, paused, publishing, compressing } = progress;
  const allSent = total > 0 && sent >= total;
  const state = stateOf(progress, allSent, checking);
  return (
    <div className="grid gap-1">
      <Bar label={text('upload.progress')} value={shareOf(progress)} />
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
        <p role="status" className={state ? 'font-medium' : 'sr-only'}>
          {state && text(state)}
        </p>
        {!state && (
          <p className="figures text-soft" aria-live="off">
            {text('upload.sent', { sent: sent / megabyte, total: total / megabyte })}
            {speed > 0 && <Speed speed={speed} left={total - sent} />}
          </p>
        )}
        {!publishing && (
          <div className="-mr-5 flex flex-wrap">
            {compressing !== undefined ? (
              <Button kind="quiet" onClick={control.sendAsIs}>
                {text('upload.sendAsIs')}
              </Button>
            ) : (
              !allSent && (
                <Button kind="quiet" onClick={paused ? control.resume : control.pause}>
                  {text(paused ? 'upload.resume' : 'upload.pause')}
                </Button>
              )
            )}
            <Button kind="quiet" onClick={control.cancel}>
              {text('upload.cancel')}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

/**
 * The share that is done, which never becomes less: compressing is the first half of the bar, and sending goes on where compressing ended.
 * Undefined while the server is waited for.
 */
function shareOf({ sent, total, compressed, publishing }: TransferProgress): number | undefined {
  const share = compressed / 2 + (1 - compressed / 2) * (sent / total);
  return share < 1 && !publishing ? share : undefined;
}

/** The message for the upload's state; none while it simply runs. */
function stateOf(progress: TransferProgress, allSent: boolean, checking: MessageId): MessageId | undefined {
  const { paused, waiting, queued, compressing } = progress;
  if (allSent && !waiting) return checking;
  if (paused) return 'upload.paused';
  if (queued) return 'upload.queued';
  if (compressing !== undefined) return 'upload.shrinking';
  return waiting ? 'upload.waiting' : undefined;
}

function Speed({ speed, left }: { speed: number; left: number }) {
  const text = useText();
  const seconds = Math.ceil(left / speed);
  return (
    <>
      {' '}
      ·{' '}
      {text(seconds < 100 ? 'upload.speed' : 'upload.speedMinutes', {
        speed: speed / megabyte,
        seconds,
        minutes: Math.round(seconds / 60),
      })}
    </>
  );
}
