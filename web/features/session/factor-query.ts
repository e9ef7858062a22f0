import { queryOptions } from '@tanstack/react-query';
import { getSecondFactor } from '#contract/second-factor.ts';
import { call } from '#web/api.ts';

/** The query for the second factor of the signed-in person. */
export const factorQuery = (userId: string | undefined) =>
  queryOptions({
    queryKey: ['second-factor', userId],
    staleTime: 0,
    queryFn: ({ signal }) => call(getSecondFactor, undefined, { signal }),
  });
