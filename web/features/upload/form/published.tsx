import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { Link } from 'react-router';
import { getReel, type Reel } from '#contract/reels.ts';
import { call } from '#web/api.ts';
import { feedChanged } from '#web/features/feed/feed.ts';
import { whyFailed } from '#web/messages/reasons.ts';
import { useText } from '#web/text.tsx';
import { buttonLook } from '#web/ui/button.tsx';
import { Progress } from '#web/ui/progress.tsx';
import { PublicNow, PublishedCard } from './published-card.tsx';
import type { SentReel } from './use-send-reel.ts';

const pollMs = 1000;
/** Few reels are copies. */
const CopyNote = lazy(async () => ({
  default: (await import('#web/features/earnings/copy-note.tsx')).CopyNote,
}));

/** Polls a new reel while it is processed, and shows its state. */
export default function Published({ sent }: { sent: SentReel }) {
  const text = useText();
  const query = useQuery({
    queryKey: ['reels', 'own', sent.reel._id],
    queryFn: ({ signal }) => call(getReel, { params: { id: sent.reel._id } }, { signal }),
    initialData: { status: 'ok', data: sent.reel, copy: null },
    refetchInterval: ({ state }) => (state.data?.data.state === 'processing' ? pollMs : false),
  });
  const { data: reel, copy } = query.data;
  useEffect(() => {
    if (reel.state === 'ready') void feedChanged();
  }, [reel.state]);
  return (
    <PublishedCard
      picture={reel.thumbnillurl}
      video={reel.renditions[0]?.url}
      title={reel.caption || text('reel.untitled')}
      duplicate={sent.duplicate || reel.duplicate}
      copy={
        copy && (
          <Suspense>
            <CopyNote kind="reel" id={reel._id} copy={copy} />
          </Suspense>
        )
      }
    >
      <State reel={reel} />
    </PublishedCard>
  );
}

function State({ reel }: { reel: Reel }) {
  const text = useText();
  if (reel.state === 'processing') {
    const { progress: percent } = reel;
    return (
      <div className="grid gap-2">
        <Progress
          label={text('upload.processing')}
          value={percent === undefined ? undefined : percent / 100}
        />
        <p role="status" className="text-soft">
          {text('upload.processing')}
        </p>
      </div>
    );
  }
  if (reel.state === 'failed') {
    return (
      <p role="alert" className="font-medium text-alert">
        {text('upload.failedProcessing', { reason: whyFailed(reel) ?? '' })}
      </p>
    );
  }
  if (reel.takenDown) return null;
  const link = (
    <Link to={`/videoplayer?reel=${reel._id}`} className={buttonLook('secondary')}>
      {text('upload.watch')}
    </Link>
  );
  return (
    <>
      <PublicNow
        words={text('upload.public')}
        link={link}
        path={`/videoplayer?reel=${reel._id}`}
        work={reel}
      />
      {reel.soundLost && <p className="text-[0.9375rem] text-soft">{text('reel.soundLost')}</p>}
    </>
  );
}
