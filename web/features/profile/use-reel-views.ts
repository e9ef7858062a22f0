import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { getReelViews } from '#contract/earnings.ts';
import { call } from '#web/api.ts';

/** Most ids of a call. */
const atOnce = 100;

/** How often the own reels with these ids were shown, and how many of their views count; undefined while it is unknown. */
export function useReelViews(userId: string, ids: readonly string[]) {
  const parts = Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, part) =>
    ids.slice(part * atOnce, (part + 1) * atOnce),
  );
  const answers = useQueries({
    queries: parts.map((part) => ({
      queryKey: ['reel-views', userId, part],
      staleTime: 0,
      // What is known stays while a further page of the list is added.
      placeholderData: keepPreviousData,
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await call(getReelViews, { query: { ids: part.join(',') } }, { signal })).data,
    })),
  });
  return (id: string) => {
    const data = answers[Math.floor(ids.indexOf(id) / atOnce)]?.data;
    // Reels that nobody saw are left out of the answer.
    return data && (data.find(({ _id }) => _id === id) ?? { shown: 0, counted: 0 });
  };
}
