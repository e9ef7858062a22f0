import { useText } from '#web/text.tsx';
import { useSite } from '../chrome/use-site.ts';
import { LinkCode } from '../share/link-code.tsx';

/** A QR code for the app's page, which links both stores. */
export function StoreCode({ className }: { className: string }) {
  const text = useText();
  const { origin } = useSite();
  return (
    <LinkCode
      address={`${origin}/DownloadApp`}
      label={text('app.qrLabel')}
      caption={text('app.qr')}
      className={className}
    />
  );
}
