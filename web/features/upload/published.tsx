import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { getReel, type Reel } from '../../../contract/reels.ts';
import { call } from '../../api.ts';
import { useText } from '../../text.tsx';
import { buttonLook } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { feedChanged } from '../feed/feed.ts';
import type { Sent } from './use-send.ts';

const askEvery = 1000;

/** Follows a reel from processing to public, and says what happens to it; where it appears, one's eyes and focus are led. */
export function Published({ sent }: { sent: Sent }) {
  const text = useText();
  const query = useQuery({
    queryKey: ['reels', 'own', sent.reel._id],
    queryFn: async ({ signal }) => (await call(getReel, { params: { id: sent.reel._id } }, { signal })).data,
    initialData: sent.reel,
    refetchInterval: ({ state }) => (state.data?.state === 'processing' ? askEvery : false),
  });
  const reel = query.data;
  useEffect(() => {
    if (reel.state === 'ready') void feedChanged();
  }, [reel.state]);

  const card = useRef<HTMLLIElement>(null);
  useEffect(() => card.current?.focus(), []);

  return (
    <li
      ref={card}
      tabIndex={-1}
      className="flex items-center gap-4 rounded-panel border border-line bg-surface p-4"
    >
      <div
        className="aspect-9/16 w-16 shrink-0 rounded-control bg-night bg-cover bg-center"
        style={{ backgroundImage: reel.thumbnillurl ? `url(${reel.thumbnillurl})` : undefined }}
      />
      <div className="grid min-w-0 flex-1 gap-2">
        <p className="truncate font-semibold">{reel.caption || text('reel.untitled')}</p>
        <State reel={reel} />
        {sent.duplicate && <p className="text-[0.9375rem] text-soft">{text('upload.duplicate')}</p>}
      </div>
    </li>
  );
}

function State({ reel }: { reel: Reel }) {
  const text = useText();
  if (reel.state === 'processing') {
    return (
      <div role="status" className="grid gap-2">
        <p className="text-soft">{text('upload.processing')}</p>
        <Progress label={text('upload.processing')} />
      </div>
    );
  }
  if (reel.state === 'failed') {
    return (
      <p role="alert" className="font-medium text-alert">
        {text('upload.failedProcessing', { reason: reel.failure ?? '' })}
      </p>
    );
  }
  return (
    <div role="status" className="flex flex-wrap items-center justify-between gap-3">
      <p className="font-medium text-good">{text('upload.public')}</p>
      <Link to={`/videoplayer?reel=${reel._id}`} className={buttonLook('secondary')}>
        {text('upload.watch')}
      </Link>
    </div>
  );
}
