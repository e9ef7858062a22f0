import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { userData } from '#contract/accounts.ts';
import { call } from '#web/api.ts';
import { queryClient } from '#web/query-client.ts';
import { viewerId } from '../player/watching/viewer-id.ts';
import { currentToken, type SessionUser, updateSessionUser } from '../session/session.ts';
import { useSession } from '../session/use-session.ts';

const queryKeyOf = (userId: string | undefined) => ['self', userId];

const selfOptions = (userId: string | undefined) =>
  queryOptions({
    queryKey: queryKeyOf(userId),
    queryFn: async ({ signal }) =>
      (await call(userData, { body: { token: currentToken() ?? '', viewer: viewerId() } }, { signal })).data
        .data,
  });

/**
 * Loads the signed-in person at the start (specification §4), so that a name or picture changed in the app appears on
 * every page. Used by the root.
 */
export function useSelfAtStart(): void {
  const { user, token } = useSession();
  const fresh = useQuery({
    ...selfOptions(user?._id),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  useEffect(() => {
    if (fresh.data) updateSessionUser(fresh.data);
  }, [fresh.data]);
}

/** Loads the signed-in person with current figures, and stores the result as the session's user. */
export function useSelf(user: SessionUser) {
  // The own figures are reloaded at every visit.
  const fresh = useQuery({ ...selfOptions(user._id), staleTime: 0 });
  useEffect(() => {
    if (fresh.data) updateSessionUser(fresh.data);
  }, [fresh.data]);
  return fresh;
}

/** Marks the own figures as stale. */
export const selfChanged = (userId: string) =>
  queryClient().invalidateQueries({ queryKey: queryKeyOf(userId) });
