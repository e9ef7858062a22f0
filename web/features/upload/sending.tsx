import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Progress as Bar } from '#web/ui/progress.tsx';
import type { Progress, TransferControl } from './use-transfer.ts';

const megabyte = 1024 * 1024;

interface SendingProps {
  progress: Progress;
  control: TransferControl;
  /** Said while the server looks over what has arrived. */
  checking: MessageId;
}

/** How far the upload is, how fast, how long still; and a break, and a way out. */
export function Sending({ progress, control, checking }: SendingProps) {
  const text = useText();
  const { sent, total, speed, paused, publishing, shrinking, fileBytes } = progress;
  const allSent = total > 0 && sent >= total;
  const state = stateOf(progress, allSent, checking);
  const share = allSent ? undefined : (shrinking ?? sent / total);
  return (
    <div className="grid gap-2 rounded-control bg-sunken p-4">
      <Bar
        label={text('upload.progress')}
        value={share}
        figure={
          share === undefined ? undefined : text('upload.percent', { percent: Math.round(share * 100) })
        }
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <div className="grid text-[0.9375rem] text-soft">
          <p role="status" className={state ? 'font-medium text-text' : 'sr-only'}>
            {state && text(state)}
          </p>
          {!allSent && shrinking === undefined && (
            <p className="figures" aria-live="off">
              {text('upload.sent', { sent: sent / megabyte, total: total / megabyte })}
              {!state && speed > 0 && <Speed speed={speed} left={total - sent} />}
            </p>
          )}
          {total < fileBytes && (
            <p className="figures">
              {text('upload.smaller', { before: fileBytes / megabyte, after: total / megabyte })}
            </p>
          )}
        </div>
        {!publishing && (
          <div className="flex flex-wrap gap-1">
            {shrinking !== undefined ? (
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

/** What is to be said of it beside the figures. */
function stateOf(progress: Progress, allSent: boolean, checking: MessageId): MessageId | undefined {
  const { paused, waiting, queued, shrinking } = progress;
  if (allSent && !waiting) return checking;
  if (paused) return 'upload.paused';
  if (queued) return 'upload.queued';
  if (shrinking !== undefined) return 'upload.shrinking';
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
