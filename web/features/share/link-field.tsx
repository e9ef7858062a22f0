import { Copy, Send } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { copyLink, sendLink } from './send-link.ts';

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

  const show = (isCopied: boolean) => {
    // Otherwise the person copies the URL by hand.
    if (!isCopied) field.current?.select();
    setDone(isCopied ? 'copied' : 'selected');
  };
  const send = async () => {
    const end = await sendLink(address);
    if (end !== 'sent') show(end === 'copied');
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
        <Button onClick={async () => show(await copyLink(address))}>
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
