import { useEffect } from 'react';
import { headOf } from '../features/chrome/head.ts';
import { EndOfList } from '../features/lists/end-of-list.tsx';
import { ListError } from '../features/lists/list-error.tsx';
import { persistedPage } from '../features/lists/persisted-page.ts';
import { useList } from '../features/lists/use-list.ts';
import { listedPerson, peopleOptions, peoplePage } from '../features/people/people-list.ts';
import { PersonCard } from '../features/people/person-card.tsx';
import { SearchBox } from '../features/people/search-box.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { pageCall } from '../page-call.ts';
import { persist, readPersisted } from '../persisted-lists.ts';
import { useText } from '../text.tsx';
import { classNames } from '../ui/class-names.ts';
import { EmptyState } from '../ui/quiet-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Route } from './+types/all-users';

await loadPart('people');

const persistedPeople = persistedPage(listedPerson);
const gridLook = 'grid gap-3 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-4';

function queryOf(request: Request) {
  const { searchParams } = new URL(request.url);
  return { q: (searchParams.get('q') ?? '').trim().slice(0, 80), start: searchParams.get('cursor') };
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { q, start } = queryOf(request);
  return { q, start, first: await peoplePage(pageCall(context), q, start), firstIsOld: false };
}

/** In the browser the page opens with the persisted list and reloads it (specification §4). */
export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { q, start } = queryOf(request);
  const first = q || start ? null : (readPersisted('people', persistedPeople) ?? null);
  return { q, start, first, firstIsOld: true };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('people.pageTitle'),
    description: i18n._('people.lead'),
    site,
    path: loaderData?.q ? `/AllUsers?q=${encodeURIComponent(loaderData.q)}` : '/AllUsers',
  });
}

/** All people, with a search by name or username (specification §2). */
export default function AllUsers({ loaderData }: Route.ComponentProps) {
  const text = useText();
  const { q, start, first, firstIsOld } = loaderData;
  const list = useList(peopleOptions(q, start, first, firstIsOld));
  const whole = !q && !start && !list.isPlaceholderData;
  const newest = whole ? list.data?.pages[0] : undefined;
  useEffect(() => {
    if (newest) persist('people', newest);
  }, [newest]);

  const count = list.items?.length ?? 0;
  return (
    <div className="wrap-page min-h-svh max-w-grid py-6 sm:py-8">
      <h1 className="text-3xl sm:text-4xl">{text('people.title')}</h1>
      <p className="mb-5 mt-2 max-w-[60ch] text-soft sm:text-lg">{text('people.lead')}</p>
      <SearchBox q={q} path="/AllUsers" label={text('people.search')} hint={text('people.searchHint')} />
      <p role="status" className={q && count > 0 ? 'mt-4 text-soft' : 'sr-only'}>
        {q &&
          !list.isPlaceholderData &&
          list.items &&
          text(list.nextCursor ? 'people.foundMore' : 'people.found', { count })}
      </p>
      <div className="mt-5">
        {list.isPending && (
          <div role="status" aria-label={text('list.loading')} className={gridLook}>
            {[1, 2, 3, 4, 5, 6, 7, 8, 9].map((place) => (
              <Skeleton key={place} className="h-25 rounded-panel" />
            ))}
          </div>
        )}
        {!list.items && list.isError && <ListError title={text('people.failed')} list={list} />}
        {list.items?.length === 0 && (
          <EmptyState
            drawing="search"
            title={text('people.none')}
            text={text(q ? 'people.noneFor' : 'people.noneYet', { q })}
          />
        )}
        {list.items && list.items.length > 0 && (
          <>
            <ul className={classNames(gridLook, list.isPlaceholderData && 'opacity-60')}>
              {list.items.map((person) => (
                <li key={person._id}>
                  <PersonCard person={person} />
                </li>
              ))}
            </ul>
            <EndOfList
              list={list}
              pageAt={(cursor) => `/AllUsers?${q ? `q=${encodeURIComponent(q)}&` : ''}cursor=${cursor}`}
              failed={text('people.failed')}
            />
          </>
        )}
      </div>
    </div>
  );
}
