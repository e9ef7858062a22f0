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

/** Shows progress of an upload and one sentence about it, with buttons to pause and cancel it. */
export function UploadProgress({ progress, control, checking }: UploadProgressProps) {
  const text = useText();
  const { sent, total, speed, paused, publishing, compressing } = progress;
  const allSent = total > 0 && sent >= total;
  const state = stateOf(progress, allSent, checking);
  const share = shareOf(progress);
  return (
    <div className="grid gap-2 rounded-control bg-sunken p-4">
      <Bar
        label={text('upload.progress')}
        value={share}
        figure={
          share === undefined ? undefined : text('upload.percent', { percent: Math.floor(share * 100) })
        }
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <div className="grid text-[0.9375rem] text-soft">
          <p role="status" className={state ? 'font-medium text-text' : 'sr-only'}>
            {state && text(state)}
          </p>
          {!state && (
            <p className="figures" aria-live="off">
              {text('upload.sent', { sent: sent / megabyte, total: total / megabyte })}
              {speed > 0 && <Speed speed={speed} left={total - sent} />}
            </p>
          )}
        </div>
        {!publishing && (
          <div className="flex flex-wrap gap-1">
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

/** The share that is done, of compressing or of sending; undefined while the end of either is waited for. */
function shareOf({ sent, total, compressing }: TransferProgress): number | undefined {
  const share = compressing ?? sent / total;
  return share < 1 ? share : undefined;
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
