import { QueryClient } from '@tanstack/react-query';
import { isApiError } from '#contract/api-error.ts';

function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 60_000,
        // On the server the client lives as long as one request. A garbage collection timer would keep its data in memory.
        gcTime: import.meta.env.SSR ? Number.POSITIVE_INFINITY : 30 * 60_000,
        refetchOnWindowFocus: false,
        // Errors of the client's request are final; lost connections and server errors are retried.
        retry: (failures, error) =>
          failures < 2 && isApiError(error) && (error.status === 0 || error.status >= 500),
      },
    },
  });
}

const browserClient = import.meta.env.SSR ? undefined : newQueryClient();

/** The browser has one client per page load; the server creates one for each page that it renders. */
export function queryClient(): QueryClient {
  return browserClient ?? newQueryClient();
}
