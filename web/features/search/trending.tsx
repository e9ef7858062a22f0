import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router';
import { getCategoryCounts } from '#contract/categories.ts';
import type { Result } from '#contract/endpoint.ts';
import { getTrending, trendFrom } from '#contract/search.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { currentToken } from '../session/session.ts';
import { Categories } from './categories.tsx';
import { TagChips } from './items.tsx';

export type Trends = Omit<Result<typeof getTrending>, 'status'>;
export type Counts = Result<typeof getCategoryCounts>['data'];

export const trendsNothing = ({ tags, categories }: Trends) => tags.length + categories.length === 0;

interface Beginning {
  trends: Trends | null;
  /** Only where nothing trends. */
  counts: Counts | null;
}

/** What many people publish with today, with the rule by which it is chosen; where that is nothing, the largest categories. */
export function Trending({ first: { trends: first, counts } }: { first: Beginning }) {
  const text = useText();
  const id = useId();
  const { data } = useQuery({
    queryKey: ['trending'],
    queryFn: ({ signal }): Promise<Trends> => call(getTrending, {}, { signal }),
    ...(first ? { initialData: first } : {}),
    // The server's page is the same for everybody.
    ...(first && currentToken() ? { initialDataUpdatedAt: 0 } : {}),
  });
  if (!data) return null;
  if (trendsNothing(data)) return <LargestCategories first={counts} />;
  return (
    <section aria-labelledby={id} className="mt-8 grid gap-4">
      <div>
        <h2 id={id} className="text-2xl">
          {text('search.trending')}
        </h2>
        <p className="mt-1 max-w-[60ch] text-soft">{text('search.trendingRule', { people: trendFrom })}</p>
      </div>
      {data.tags.length > 0 && <TagChips tags={data.tags} />}
      {data.categories.length > 0 && <Categories categories={data.categories} />}
    </section>
  );
}

const largest = 12;

function LargestCategories({ first }: { first: Counts | null }) {
  const text = useText();
  const id = useId();
  const { data = [] } = useQuery({
    queryKey: ['categories'],
    queryFn: async ({ signal }) => (await call(getCategoryCounts, {}, { signal })).data,
    ...(first ? { initialData: first } : {}),
  });
  const shown = data
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
    .slice(0, largest);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby={id} className="mt-8 grid gap-4">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id={id} className="text-2xl">
          {text('search.categories')}
        </h2>
        <Link to="/Category" className="shrink-0 underline underline-offset-4">
          {text('search.all')}
        </Link>
      </div>
      <Categories categories={shown} />
    </section>
  );
}
