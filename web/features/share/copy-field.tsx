import { Copy, Send } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { copyText, sendLink } from './send-link.ts';

await loadPart('share');

interface CopyFieldProps {
  /** A URL, or HTML for another site. */
  what: 'link' | 'code';
  value: string;
  label: string;
  /** More buttons, which come first. */
  children?: ReactNode;
  /** Called when somebody has copied or sent it. */
  onShared?: (() => void) | undefined;
}

/** A text with a button to copy it; a URL can also be sent by the device's share dialog. */
export function CopyField({ what, value, label, children, onShared }: CopyFieldProps) {
  const text = useText();
  const field = useRef<HTMLInputElement>(null);
  const [done, setDone] = useState<'copied' | 'selected'>();

  async function copy() {
    const isCopied = await copyText(value);
    // Otherwise the person copies it by hand.
    if (isCopied) onShared?.();
    else field.current?.select();
    setDone(isCopied ? 'copied' : 'selected');
  }
  const send = async () => {
    const outcome = await sendLink(value);
    if (outcome === 'sent') onShared?.();
    if (outcome === 'failed') await copy();
  };

  return (
    <div className="grid gap-3">
      <label className="grid gap-1.5 font-semibold">
        {label}
        <input
          ref={field}
          readOnly
          value={value}
          onFocus={(event) => event.target.select()}
          className="min-h-11 w-full rounded-control border border-line-strong bg-ground px-3 font-normal"
        />
      </label>
      <div className="flex flex-wrap gap-3 max-sm:[&>:not(p)]:grow">
        {children}
        <Button onClick={() => void copy()}>
          <Copy aria-hidden className="size-5" />
          {text(`share.${what}.copy`)}
        </Button>
        {what === 'link' && 'share' in navigator && (
          <Button onClick={() => void send()}>
            <Send aria-hidden className="size-5" />
            {text('share.send')}
          </Button>
        )}
        <p role="status" className="self-center text-soft">
          {done && text(`share.${what}.${done}`)}
        </p>
      </div>
    </div>
  );
}
