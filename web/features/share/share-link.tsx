import { MessageCircle } from 'lucide-react';
import { useText } from '#web/text.tsx';
import { buttonLook } from '#web/ui/button.tsx';
import { LinkCode } from './link-code.tsx';
import { LinkField } from './link-field.tsx';

/** Ways to share a URL: WhatsApp, the clipboard, the device's share dialog, and a QR code where there is a mouse. */
export function ShareLink({ address }: { address: string }) {
  const text = useText();
  return (
    <div className="mt-5 grid gap-3 [@media(height<30rem)]:mt-3">
      <LinkField address={address} label={text('share.link')}>
        <a
          href={`https://wa.me/?text=${encodeURIComponent(address)}`}
          target="_blank"
          rel="noreferrer"
          className={buttonLook('secondary')}
        >
          <MessageCircle aria-hidden className="size-5" />
          {text('share.whatsApp')}
        </a>
      </LinkField>
      <LinkCode
        address={address}
        label={text('share.code')}
        caption={text('share.scan')}
        className="hidden sm:pointer-fine:flex"
      />
    </div>
  );
}
