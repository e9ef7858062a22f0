import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { isApiError } from '../../../contract/api-error.ts';
import { getConfig } from '../../../contract/config.ts';
import { call } from '../../api.ts';
import { useText } from '../../text.tsx';
import { Button, buttonLook } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const QrCode = lazy(() => import('react-qr-code').then((module) => ({ default: module.QRCode })));

/** What only the app can do leads here: both stores and, on a screen wider than a phone, a code to scan (decisions §3). `why` says what was asked for. */
export default function DownloadAppDialog({ why, onClose }: { why?: string; onClose: () => void }) {
  const text = useText();
  const config = useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => call(getConfig, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

  return (
    <Dialog open onClose={onClose} title={text('app.title')} closeLabel={text('dialog.close')}>
      <p className="mb-5 text-soft">{why ?? text('app.text')}</p>
      {config.isPending && (
        <div role="status" aria-label={text('app.loading')} className="grid gap-3">
          <Skeleton className="h-12 rounded-control" />
          <Skeleton className="h-12 rounded-control" />
        </div>
      )}
      {config.isError && (
        <div role="alert" className="grid justify-items-start gap-3">
          <p>{isApiError(config.error) ? config.error.sentence : text('app.failed')}</p>
          <Button onClick={() => void config.refetch()}>{text('list.retry')}</Button>
        </div>
      )}
      {config.data && <Stores {...config.data.stores} />}
    </Dialog>
  );
}

function Stores({ android, ios }: { android: string; ios: string }) {
  const text = useText();
  const wide = useWide();
  return (
    <div className="grid gap-3">
      <a href={android} target="_blank" rel="noreferrer" className={buttonLook('primary', 'min-h-12')}>
        {text('app.android')}
      </a>
      <a href={ios} target="_blank" rel="noreferrer" className={buttonLook('secondary', 'min-h-12')}>
        {text('app.ios')}
      </a>
      {wide && (
        <figure className="mt-3 flex items-center gap-5 rounded-control bg-sunken p-4">
          <div
            role="img"
            aria-label={text('app.qrLabel')}
            className="size-32 shrink-0 rounded-lg bg-white p-2"
          >
            <Suspense>
              <QrCode value={android} size={112} bgColor="#ffffff" fgColor="#0b0920" />
            </Suspense>
          </div>
          <figcaption className="text-soft">{text('app.qr')}</figcaption>
        </figure>
      )}
    </div>
  );
}

const query = '(min-width: 40rem)';

function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
    () => false,
  );
}
