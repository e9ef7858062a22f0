import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getReelsById, tasteLimits } from '#contract/taste.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { notify } from '#web/ui/notices.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Block } from './block.tsx';
import { forgetVisit, visited } from './visit.ts';
import { WatchedList } from './watched-list.tsx';

/** What this visit knows, without anything on the server. */
export function VisitTaste() {
  const text = useText();
  const [watched, setWatched] = useState(visited);
  const ids = watched.slice(0, tasteLimits.page).map(({ _id }) => _id);
  const reels = useQuery({
    queryKey: ['taste', 'visit', ids],
    queryFn: ({ signal }) => call(getReelsById, { body: { ids } }, { signal }),
    enabled: ids.length > 0,
    placeholderData: (before) => before,
  });
  function forget(id?: string) {
    forgetVisit(id);
    setWatched(visited());
    notify('success', text('taste.forgotten'));
  }
  const listed = watched.flatMap(({ _id, toEnd }) => {
    const reel = reels.data?.data.find((one) => one._id === _id);
    return reel ? [{ ...reel, toEnd }] : [];
  });
  return (
    <Block title={text('taste.visit')}>
      <p className="text-soft">{text('taste.off')}</p>
      {watched.length === 0 ? (
        <p>{text('taste.nothing')}</p>
      ) : (
        <>
          <p className="figures">{text('taste.watchedCount', { count: watched.length })}</p>
          {reels.isPending ? (
            // As high as the list, so that nothing moves when it comes.
            <ul className="max-h-96 divide-y divide-transparent overflow-hidden">
              {ids.map((id) => (
                <li key={id} className="py-2">
                  <Skeleton className="h-16" />
                </li>
              ))}
            </ul>
          ) : (
            <WatchedList watched={listed} onForget={forget} />
          )}
          <Button className="justify-self-start" onClick={() => forget()}>
            {text('taste.forgetVisit')}
          </Button>
        </>
      )}
    </Block>
  );
}
