import { QueryClient } from '@tanstack/react-query';
import { isApiError } from '#contract/api-error.ts';

function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 60_000,
        // On the server it goes with its page: a timer would hold on to all that the page was made of.
        gcTime: import.meta.env.SSR ? Number.POSITIVE_INFINITY : 30 * 60_000,
        refetchOnWindowFocus: false,
        // What the server refused stays refused; a lost connection is worth another try.
        retry: (failures, error) =>
          failures < 2 && isApiError(error) && (error.status === 0 || error.status >= 500),
      },
    },
  });
}

const ofThisBrowser = import.meta.env.SSR ? undefined : newQueryClient();

/** The browser has one for as long as the page lives; the server one for each page it renders. */
export function queryClient(): QueryClient {
  return ofThisBrowser ?? newQueryClient();
}
