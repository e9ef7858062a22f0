import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Result } from '#contract/endpoint.ts';
import { getTrending, trendFrom } from '#contract/search.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { currentToken } from '../session/session.ts';
import { Categories } from './categories.tsx';
import { TagChips } from './items.tsx';

export type Trends = Omit<Result<typeof getTrending>, 'status'>;

/** What many people publish with today, with the rule by which it is chosen. */
export function Trending({ first }: { first: Trends | null }) {
  const text = useText();
  const id = useId();
  const { data } = useQuery({
    queryKey: ['trending'],
    queryFn: ({ signal }): Promise<Trends> => call(getTrending, {}, { signal }),
    ...(first ? { initialData: first } : {}),
    // The server's page is the same for everybody.
    ...(first && currentToken() ? { initialDataUpdatedAt: 0 } : {}),
  });
  if (!data || data.tags.length + data.categories.length === 0) return null;
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
