import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Result } from '#contract/endpoint.ts';
import { forgetWatched, type getTaste, switchTaste, tasteDays } from '#contract/taste.ts';
import { call } from '#web/api.ts';
import { optsOutOfTracking } from '#web/do-not-track.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { notify } from '#web/ui/notices.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useCategoryName } from '../categories/use-category-name.ts';
import { ListError } from '../lists/list-error.tsx';
import { AskFirst } from './ask-first.tsx';
import { Block } from './block.tsx';
import { forgetRanked } from './for-you.ts';
import { tasteQuery } from './taste-query.ts';
import { forgetVisit } from './visit.ts';
import { VisitTaste } from './visit-taste.tsx';
import { WatchedList } from './watched-list.tsx';

/** The taste of the signed-in person, if they have switched it on. */
export function OwnTaste() {
  const text = useText();
  const taste = useQuery({ ...tasteQuery(), staleTime: 0 });
  if (taste.isPending) return <Skeleton className="h-56 rounded-panel" />;
  if (!taste.data) return <ListError title={text('taste.failed')} list={taste} />;
  if (taste.data.since !== null) return <Known taste={taste.data} since={taste.data.since} />;
  return (
    <>
      {optsOutOfTracking() ? <p>{text('taste.noTracking')}</p> : <SwitchOn />}
      <VisitTaste />
    </>
  );
}

/** The mutation of a change, after which what is known is asked for again. */
function useChange<Input>(change: (input: Input) => Promise<unknown>, said: 'isOn' | 'isOff' | 'forgotten') {
  const text = useText();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await queries.invalidateQueries(tasteQuery());
      notify('success', text(`taste.${said}`));
    },
    onError: (error) => notify('error', failureText(error, text)),
  });
}

function SwitchOn() {
  const text = useText();
  const [adult, setAdult] = useState(false);
  const [problem, setProblem] = useState<string>();
  const turn = useChange(() => call(switchTaste, { body: { on: true, adult } }), 'isOn');
  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        setProblem(adult ? undefined : text('taste.adultNeeded'));
        if (adult) turn.mutate(undefined);
      }}
    >
      <p>{text('taste.offer', { days: tasteDays.kept })}</p>
      <Checkbox
        label={text('taste.adult')}
        checked={adult}
        error={problem}
        onChange={({ target }) => {
          setAdult(target.checked);
          setProblem(undefined);
        }}
      />
      <Button type="submit" kind="primary" busy={turn.isPending} className="justify-self-start">
        {text('taste.switchOn')}
      </Button>
    </form>
  );
}

function Known({ taste, since }: { taste: Result<typeof getTaste>; since: string }) {
  const text = useText();
  const nameOf = useCategoryName();
  const { categories, watched, count } = taste;
  const [asks, setAsks] = useState<'forgetAll' | 'switchOff'>();
  const forget = useChange((id: string) => {
    forgetVisit(id);
    return call(forgetWatched, { query: { reel: id } });
  }, 'forgotten');
  const forgetAll = useChange(() => {
    forgetVisit();
    return call(forgetWatched, { query: {} });
  }, 'forgotten');
  const switchOff = useChange(() => {
    forgetVisit();
    return call(switchTaste, { body: { on: false } });
  }, 'isOff');
  return (
    <>
      <p>{text('taste.since', { date: new Date(since), days: tasteDays.kept })}</p>
      {categories.length > 0 && (
        <Block title={text('taste.categories')}>
          <ul className="grid gap-2">
            {categories.map(({ category, share }) => (
              <li key={category.id} className="grid grid-cols-[minmax(0,1fr)_3rem] items-baseline gap-x-3">
                <span>{nameOf(category)}</span>
                <span className="figures text-right text-soft">
                  {text('taste.share', { share: Math.round(share * 100) })}
                </span>
                <span aria-hidden className="col-span-full block h-2 overflow-hidden rounded-full bg-sunken">
                  <span
                    className="block h-full rounded-full bg-accent"
                    style={{ width: `${share * 100}%` }}
                  />
                </span>
              </li>
            ))}
          </ul>
        </Block>
      )}
      <Block title={text('taste.watched')}>
        {count === 0 ? (
          <p>{text('taste.nothing')}</p>
        ) : (
          <>
            <p className="figures">{text('taste.watchedCount', { count })}</p>
            <WatchedList
              watched={watched}
              busy={forget.isPending ? forget.variables : undefined}
              onForget={forget.mutate}
            />
          </>
        )}
        <div className="flex flex-wrap gap-3">
          {count > 0 && (
            <Button busy={forgetAll.isPending} onClick={() => setAsks('forgetAll')}>
              {text('taste.forgetAll')}
            </Button>
          )}
          <Button kind="danger" busy={switchOff.isPending} onClick={() => setAsks('switchOff')}>
            {text('taste.switchOff')}
          </Button>
        </div>
      </Block>
      {asks && (
        <AskFirst
          what={asks}
          onClose={() => setAsks(undefined)}
          onYes={() => {
            setAsks(undefined);
            forgetRanked();
            (asks === 'forgetAll' ? forgetAll : switchOff).mutate(undefined);
          }}
        />
      )}
    </>
  );
}
