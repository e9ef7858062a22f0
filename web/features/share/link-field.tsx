import { Copy, Send } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';

await loadPart('share');

interface LinkFieldProps {
  address: string;
  label: string;
  /** More buttons, which come first. */
  children?: ReactNode;
}

/** A URL, with buttons to copy it or to open the device's share dialog. */
export function LinkField({ address, label, children }: LinkFieldProps) {
  const text = useText();
  const field = useRef<HTMLInputElement>(null);
  const [done, setDone] = useState<'copied' | 'selected'>();

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      setDone('copied');
    } catch {
      // The clipboard is forbidden or the page has no HTTPS, so the person copies the URL by hand.
      field.current?.select();
      setDone('selected');
    }
  };
  const send = async () => {
    try {
      await navigator.share({ url: address });
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'AbortError') await copy();
    }
  };

  return (
    <div className="grid gap-3">
      <label className="grid gap-1.5 font-semibold">
        {label}
        <input
          ref={field}
          readOnly
          value={address}
          onFocus={(event) => event.target.select()}
          className="min-h-11 w-full rounded-control border border-line-strong bg-ground px-3 font-normal"
        />
      </label>
      <div className="flex flex-wrap gap-3">
        {children}
        <Button onClick={() => void copy()}>
          <Copy aria-hidden className="size-5" />
          {text('share.copy')}
        </Button>
        {'share' in navigator && (
          <Button onClick={() => void send()}>
            <Send aria-hidden className="size-5" />
            {text('share.send')}
          </Button>
        )}
        <p role="status" className="self-center text-soft">
          {done && text(`share.${done}`)}
        </p>
      </div>
    </div>
  );
}
