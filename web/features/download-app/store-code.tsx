import { QRCode } from 'react-qr-code';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { useSite } from '../chrome/use-site.ts';

/** A QR code for the app's page, which links both stores. */
export function StoreCode({ className }: { className?: string }) {
  const text = useText();
  const { origin } = useSite();
  return (
    <figure className={classNames('items-center gap-5 rounded-control bg-sunken p-4', className)}>
      <div role="img" aria-label={text('app.qrLabel')} className="size-32 shrink-0 rounded-lg bg-white p-2">
        <QRCode value={`${origin}/DownloadApp`} size={112} bgColor="#ffffff" fgColor="#0b0920" />
      </div>
      <figcaption className="text-soft">{text('app.qr')}</figcaption>
    </figure>
  );
}
