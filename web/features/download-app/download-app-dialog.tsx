import type { ReactNode } from 'react';
import { useText } from '#web/text.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { StoreCode } from './store-code.tsx';
import { StoreLinks } from './store-links.tsx';

interface DownloadAppDialogProps {
  /** What was asked for. */
  why: string;
  onClose: () => void;
  /** What can be done without the app. */
  children?: ReactNode;
}

/** What only the app can do leads here: both stores and, on a screen wider than a phone, a code to scan (decisions §3). */
export default function DownloadAppDialog({ why, onClose, children }: DownloadAppDialogProps) {
  const text = useText();
  return (
    <Dialog open onClose={onClose} title={text('app.title')} closeLabel={text('dialog.close')}>
      <p className="mb-5 text-soft">{why}</p>
      <div className="grid gap-3">
        <StoreLinks />
        <StoreCode className="mt-3 hidden sm:flex" />
      </div>
      {children}
    </Dialog>
  );
}
