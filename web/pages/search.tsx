import { Link } from 'react-router';
import { getCategoryCounts } from '#contract/categories.ts';
import { getTrending, type SearchedKind, searchedKinds } from '#contract/search.ts';
import { headOf } from '../features/chrome/head.ts';
import { SearchBox } from '../features/people/search-box.tsx';
import { searchFor } from '../features/search/found.ts';
import { PopularReels, popularReels } from '../features/search/popular-reels.tsx';
import { AllResults, headings, KindResults, searchAddress } from '../features/search/results.tsx';
import { Trending, trendsNothing } from '../features/search/trending.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { pageCall } from '../page-call.ts';
import { revalidated } from '../page-headers.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/search';

await Promise.all([loadPart('search'), loadPart('people'), loadPart('category')]);

/** A hidden work or person has to disappear from it within a second (decisions §3). */
export const headers = revalidated;

function askedIn(request: Request): { q: string; kind: SearchedKind | null; cursor: string | null } {
  const { searchParams } = new URL(request.url);
  const kind = searchedKinds.find((one) => one === searchParams.get('kind')) ?? null;
  const q = (searchParams.get('q') ?? '').trim().slice(0, 80);
  return { q, kind, cursor: kind && searchParams.get('cursor') };
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = askedIn(request);
  const caller = pageCall(context);
  const beginning = { trends: null, counts: null, popular: null };
  if (asked.q) return { ...asked, first: await searchFor(caller, asked), ...beginning };
  const [{ status: _, ...trends }, popular] = await Promise.all([caller(getTrending), popularReels(caller)]);
  const counts = trendsNothing(trends) ? (await caller(getCategoryCounts)).data : null;
  return { ...asked, first: null, trends, counts, popular };
}

/** In the browser the page opens at once, with cached results or the previous ones. */
export const clientLoader = ({ request }: Route.ClientLoaderArgs) => ({
  ...askedIn(request),
  first: null,
  trends: null,
  counts: null,
  popular: null,
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  const q = loaderData?.q ?? '';
  return headOf({
    title: q ? i18n._('search.pageTitleFor', { q }) : i18n._('search.pageTitle'),
    description: i18n._('search.lead'),
    site,
    path: q ? searchAddress(q, loaderData?.kind) : '/search',
    // Search engines index what is found, not the searches.
    personal: true,
  });
}

/** Reels, photos, people, categories and tags by any word. */
export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const text = useText();
  const { q, kind, cursor, first } = loaderData;
  return (
    <div className="has-search wrap-page min-h-svh py-6 sm:py-8 short:py-3">
      <h1 className="mb-5 text-3xl sm:text-4xl">{text('search.title')}</h1>
      <SearchBox q={q} path="/search" kind={kind} label={text('search.label')} hint={text('search.hint')} />
      {q === '' ? (
        <>
          <p className="mt-4 max-w-[60ch] text-soft sm:text-lg short:hidden">{text('search.lead')}</p>
          <Trending first={loaderData} />
          <PopularReels first={loaderData.popular} />
        </>
      ) : (
        <>
          <nav aria-label={text('search.kinds')} className="my-5">
            <ul className="flex gap-1.5 overflow-x-auto sm:gap-2">
              {[null, ...searchedKinds].map((one) => (
                <li key={one ?? 'all'}>
                  <Link
                    to={searchAddress(q, one)}
                    replace
                    preventScrollReset
                    aria-current={one === kind ? 'page' : undefined}
                    className="flex min-h-11 items-center whitespace-nowrap rounded-full border border-line px-3.5 hover:border-line-strong sm:px-4 aria-[current=page]:border-text aria-[current=page]:font-semibold"
                  >
                    {text(one ? headings[one] : 'search.everything')}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          {kind ? (
            <KindResults key={kind} q={q} kind={kind} start={cursor} first={first} />
          ) : (
            <AllResults q={q} first={first} />
          )}
        </>
      )}
    </div>
  );
}
