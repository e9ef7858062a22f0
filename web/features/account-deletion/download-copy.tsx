import { Download } from 'lucide-react';
import { useState } from 'react';
import { requestExport } from '#contract/export.ts';
import { call } from '#web/api.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';

import { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';

/** Downloads the person's data. It is streamed to a file from a one-time address, however large it is. */
export function DownloadCopy() {
  const text = useText();
  const { confirmed, dialog } = useConfirmedCall();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ failed: boolean; words: string }>();

  async function download() {
    setBusy(true);
    setSaid(undefined);
    try {
      const { url } = await confirmed('export', {}, (options) => call(requestExport, undefined, options));
      const link = document.createElement('a');
      link.href = url;
      // An error response is downloaded too, and does not replace the page.
      link.download = '';
      link.click();
      setSaid({ failed: false, words: text('deletion.copyBegun') });
    } catch (error) {
      setSaid({ failed: true, words: failureText(error, text) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="grid justify-items-start gap-2">
      <Button onClick={() => void download()} busy={busy} className="min-h-12">
        <Download aria-hidden className="size-5" />
        {text('deletion.copy')}
      </Button>
      <p className="text-[0.9375rem] text-soft">{text('deletion.copyText')}</p>
      <p role="status" className={said?.failed ? 'font-medium text-alert' : 'font-medium'}>
        {said?.words}
      </p>
      {dialog}
    </div>
  );
}
