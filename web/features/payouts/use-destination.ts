import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { getDestination, type MaskedDestination } from '#contract/payouts.ts';
import { call } from '#web/api.ts';

interface Known {
  /** Null if the person has entered none, or has to enter it again. */
  data: MaskedDestination | null;
  unreadable: boolean;
}

export const destinationOptions = (userId: string | undefined) =>
  queryOptions({
    queryKey: ['payout-destination', userId],
    staleTime: 0,
    queryFn: ({ signal }): Promise<Known> => call(getDestination, undefined, { signal }),
  });

/** Where the person's earnings are paid, masked; null if none was entered. */
export const useDestination = (userId: string | undefined) =>
  useQuery({ ...destinationOptions(userId), select: ({ data }) => data });

export function keepDestination(
  queries: QueryClient,
  userId: string | undefined,
  data: MaskedDestination | null,
): void {
  queries.setQueryData(destinationOptions(userId).queryKey, { data, unreadable: false });
}
