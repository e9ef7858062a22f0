import { QRCode } from 'react-qr-code';
import { classNames } from '#web/ui/class-names.ts';

interface LinkCodeProps {
  address: string;
  /** The accessible name of the picture. */
  label: string;
  caption: string;
  className?: string;
}

/** A URL as a QR code, and what it is for. */
export function LinkCode({ address, label, caption, className }: LinkCodeProps) {
  return (
    <figure className={classNames('items-center gap-5 rounded-control bg-sunken p-4', className)}>
      <div role="img" aria-label={label} className="size-32 shrink-0 rounded-lg bg-white p-2">
        <QRCode value={address} size={112} bgColor="#ffffff" fgColor="#0b0920" />
      </div>
      <figcaption className="text-soft">{caption}</figcaption>
    </figure>
  );
}
