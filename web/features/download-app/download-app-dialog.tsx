import type { ReactNode } from 'react';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { StoreCode } from './store-code.tsx';
import { StoreLinks } from './store-links.tsx';

await loadPart('download');

interface DownloadAppDialogProps {
  /** What the visitor wanted to do. */
  why: string;
  onClose: () => void;
  /** What the site shows of it, in place of the QR code. */
  children?: ReactNode;
}

/** The dialog about functions of the app: both stores and, on larger screens, a QR code (decisions §3). */
export default function DownloadAppDialog({ why, onClose, children }: DownloadAppDialogProps) {
  const text = useText();
  return (
    <Dialog open onClose={onClose} title={text('app.title')} closeLabel={text('dialog.close')}>
      <p className="mb-5 text-soft">{why}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        <StoreLinks />
      </div>
      {children ?? <StoreCode className="mt-6 hidden sm:pointer-fine:flex" />}
    </Dialog>
  );
}
