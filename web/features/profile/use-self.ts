import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { userData } from '#contract/accounts.ts';
import { call } from '#web/api.ts';
import { queryClient } from '#web/query-client.ts';
import { currentToken, type SessionUser, updateSessionUser } from '../session/session.ts';
import { useSession } from '../session/use-session.ts';

const keyOf = (userId: string | undefined) => ['self', userId];

const selfOptions = (userId: string | undefined) =>
  queryOptions({
    queryKey: keyOf(userId),
    queryFn: async ({ signal }) =>
      (await call(userData, { body: { token: currentToken() ?? '' } }, { signal })).data.data,
  });

/**
 * On start the token loads who is signed in (specification §4): a name or picture changed in the app is shown on every page.
 * For the root.
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

/** Asks the server who one is, in numbers too; what it says becomes the session's user, here and for the next visit. */
export function useSelf(user: SessionUser) {
  // One's own numbers are asked for whenever one comes to look.
  const fresh = useQuery({ ...selfOptions(user._id), staleTime: 0 });
  useEffect(() => {
    if (fresh.data) updateSessionUser(fresh.data);
  }, [fresh.data]);
  return fresh;
}

/** Says that one's numbers have changed: whoever shows them asks again. */
export const selfChanged = (userId: string) => queryClient().invalidateQueries({ queryKey: keyOf(userId) });
