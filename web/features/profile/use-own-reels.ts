import { infiniteQueryOptions, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { deleteReel, getFriendReels, type Reel } from '../../../contract/reels.ts';
import { call } from '../../api.ts';
import { queryClient } from '../../query-client.ts';
import { feedChanged } from '../feed/feed.ts';

interface Page {
  data: Reel[];
  nextCursor: string | null;
}

const ownReels = (userId: string) =>
  infiniteQueryOptions({
    queryKey: ['reels', 'of', userId, 'own'],
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const query = pageParam ? { cursor: pageParam } : {};
      return await call(getFriendReels, { params: { userId }, query }, { signal });
    },
    // What was just uploaded is there when one comes to look.
    staleTime: 0,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    // While something is being processed, look again.
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.data.some((reel) => reel.state === 'processing')) ? 2000 : false,
  });

/** One's own reels, those in processing and failed included. */
export const useOwnReels = (userId: string) => useInfiniteQuery(ownReels(userId));

/** Deletes at once on the screen; a failed delete brings the reel back. */
export function useDeleteReel(userId: string, onFailure: () => void) {
  const { queryKey } = ownReels(userId);
  return useMutation({
    mutationFn: (id: string) => call(deleteReel, { params: { id } }),
    onMutate: async (id) => {
      await queryClient().cancelQueries({ queryKey });
      const before = queryClient().getQueryData(queryKey);
      queryClient().setQueryData(
        queryKey,
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({ ...page, data: page.data.filter((reel) => reel._id !== id) })),
          },
      );
      return { before };
    },
    onError: (_error, _id, kept) => {
      queryClient().setQueryData(queryKey, kept?.before);
      onFailure();
    },
    onSuccess: () => feedChanged(),
    // The list and the counts above it, as the server has them.
    onSettled: () =>
      Promise.all([
        queryClient().invalidateQueries({ queryKey }),
        queryClient().invalidateQueries({ queryKey: ['self', userId] }),
      ]),
  });
}
