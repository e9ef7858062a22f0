import { useQuery } from '@tanstack/react-query';
import { getDestination } from '#contract/payouts.ts';
import { call } from '#web/api.ts';

export const destinationKey = (userId: string | undefined) => ['payout-destination', userId];

/** Where the person's earnings are paid, masked; null if they have not said. */
export const useDestination = (userId: string | undefined) =>
  useQuery({
    queryKey: destinationKey(userId),
    staleTime: 0,
    queryFn: async ({ signal }) => (await call(getDestination, undefined, { signal })).data,
  });
