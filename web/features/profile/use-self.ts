import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { userData } from '../../../contract/accounts.ts';
import { call } from '../../api.ts';
import { queryClient } from '../../query-client.ts';
import { currentToken, type SessionUser, updateSessionUser } from '../session/session.ts';

const keyOf = (userId: string | undefined) => ['self', userId];

/** Asks the server who one is, in numbers too; what it says becomes the session's user, here and for the next visit. */
export function useSelf(user: SessionUser) {
  const fresh = useQuery({
    queryKey: keyOf(user._id),
    // One's own numbers are asked for whenever one comes to look.
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await call(userData, { body: { token: currentToken() ?? '' } }, { signal })).data.data,
  });
  useEffect(() => {
    if (fresh.data) updateSessionUser(fresh.data);
  }, [fresh.data]);
  return fresh;
}

/** Says that one's numbers have changed: whoever shows them asks again. */
export const selfChanged = (userId: string) => queryClient().invalidateQueries({ queryKey: keyOf(userId) });
