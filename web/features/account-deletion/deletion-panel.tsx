import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type DeletionPreview, previewDeletion } from '#contract/account-deletion.ts';
import { isApiError } from '#contract/api-error.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { Button, buttonLook } from '#web/ui/button.tsx';
import { ErrorState } from '#web/ui/quiet-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ConfirmForm } from './confirm-form.tsx';
import { DownloadCopy } from './download-copy.tsx';

interface DeletionPanelProps {
  userId: string;
  onDeleted: () => void;
  /** Called if the deletion was requested and its response was lost. */
  onLost: () => void;
}

/** What is deleted, what happens to the money, what stays, a link to download a copy; then the confirmation. */
export function DeletionPanel({ userId, onDeleted, onLost }: DeletionPanelProps) {
  const text = useText();
  const preview = useQuery({
    queryKey: ['deletion', userId],
    // The preview must be current.
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => (await call(previewDeletion, { params: { userId } }, { signal })).data,
  });
  if (preview.isPending) return <DeletionLoading />;
  if (!preview.data) {
    const retry = (
      <Button kind="primary" onClick={() => void preview.refetch()} busy={preview.isFetching}>
        {text('list.retry')}
      </Button>
    );
    return (
      <ErrorState
        wholePage
        title={text('deletion.unread')}
        text={isApiError(preview.error) ? preview.error.sentence : text('wrong.text')}
        action={retry}
      />
    );
  }
  const { username, withdrawalPending } = preview.data;
  return (
    <div className="grid gap-6">
      <div>
        <h1 className="text-3xl sm:text-4xl">{text('deletion.title')}</h1>
        <p className="mt-2 text-pretty text-soft sm:text-lg">{text('deletion.lead', { username })}</p>
      </div>
      <Goes preview={preview.data} />
      <Money preview={preview.data} />
      <Part title={text('deletion.stays')}>
        <p>{text('deletion.staysText')}</p>
      </Part>
      <DownloadCopy />
      {!withdrawalPending && (
        <ConfirmForm
          userId={userId}
          username={username}
          onDeleted={onDeleted}
          onLost={onLost}
          onRefused={() => void preview.refetch()}
        />
      )}
    </div>
  );
}

export function DeletionLoading() {
  const text = useText();
  return (
    <div role="status" aria-label={text('list.loading')} className="grid gap-6">
      <div>
        <h1 className="text-3xl sm:text-4xl">{text('deletion.title')}</h1>
        <Skeleton className="mt-3 h-5 w-4/5" />
      </div>
      <Part title={text('deletion.goes')}>
        <div className="flex flex-wrap gap-x-6 gap-y-3 sm:gap-x-8">
          {[...Array(7).keys()].map((place) => (
            <div key={place} className="grid gap-1">
              <Skeleton className="h-7 w-10" />
              <Skeleton className="h-5 w-16" />
            </div>
          ))}
        </div>
        <Skeleton className="h-5 w-3/4" />
      </Part>
      <Part title={text('deletion.money')}>
        <Skeleton className="h-5 w-full" />
        <Skeleton className="h-5 w-2/3" />
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-3 rounded-panel border border-line bg-surface p-5 text-pretty sm:p-6">
      <h2 className="text-xl">{title}</h2>
      {children}
    </section>
  );
}

function Goes({ preview }: { preview: DeletionPreview }) {
  const text = useText();
  const counts = [
    ['profile.reels', preview.reels],
    ['profile.posts', preview.posts],
    ['deletion.stories', preview.stories],
    ['profile.followers', preview.followers],
    ['profile.following', preview.following],
    ['deletion.comments', preview.comments],
    ['deletion.likes', preview.likes],
  ] as const;
  return (
    <Part title={text('deletion.goes')}>
      <dl className="flex flex-wrap gap-x-6 gap-y-3 sm:gap-x-8">
        {counts.map(([label, count]) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="text-[0.9375rem] text-soft">{text(label)}</dt>
            <dd className="figures text-2xl font-bold leading-tight">{text('count', { count })}</dd>
          </div>
        ))}
      </dl>
      <p>{text('deletion.goesText')}</p>
    </Part>
  );
}

function Money({ preview: { unpaidCoins, withdrawalPending } }: { preview: DeletionPreview }) {
  const text = useText();
  return (
    <Part title={text('deletion.money')}>
      {withdrawalPending && (
        <div className="grid gap-2 rounded-control bg-alert-ground p-4">
          <p className="font-semibold text-alert">{text('deletion.pending')}</p>
          <p>{text('deletion.pendingText')}</p>
          <Link to="/EarningHistory" className={buttonLook('secondary', 'mt-1 justify-self-start')}>
            {text('deletion.pendingLink')}
          </Link>
        </div>
      )}
      <p>{unpaidCoins > 0 ? text('deletion.unpaid', { coins: unpaidCoins }) : text('deletion.noneUnpaid')}</p>
      <p>{text('deletion.paid')}</p>
    </Part>
  );
}
