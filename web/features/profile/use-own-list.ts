import {
  type InfiniteData,
  useInfiniteQuery,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { CaptionTrack } from '../captions/tracks.ts';
import { feedChanged } from '../feed/feed.ts';
import { removeItemFromLists } from '../lists/remove-item.ts';
import type { ListPage } from '../lists/use-list.ts';
import { deleteOwn, forgetPublished, type Own, type OwnKind, ownPage } from './own.ts';
import { selfChanged } from './use-self.ts';

const keyOf = (userId: string, kind: OwnKind) => ['own', userId, kind];
const deletionKey = (userId: string) => ['delete own', userId];
const isInTheMaking = ({ hidden }: Own) => hidden?.why === 'processing';

/** One's own reels, posts or stories, without those that are being deleted at this moment. */
export function useOwnList(userId: string, kind: OwnKind) {
  const list = useInfiniteQuery({
    queryKey: keyOf(userId, kind),
    queryFn: ({ pageParam, signal }) => ownPage(kind, { userId, cursor: pageParam, signal }),
    // What was just uploaded is there when one comes to look.
    staleTime: 0,
    initialPageParam: null as string | null,
    getNextPageParam: (page: ListPage<Own>) => page.nextCursor,
    // While something is being processed, look again.
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some(isInTheMaking)) ? 2000 : false,
  });
  const all = list.data?.pages.flatMap((page) => page.items);

  // What has become public counts.
  const making = all?.filter(isInTheMaking).length ?? 0;
  const wereMaking = useRef(0);
  useEffect(() => {
    if (making < wereMaking.current) void selfChanged(userId);
    wereMaking.current = making;
  }, [making, userId]);

  const leaving = useMutationState({
    filters: { mutationKey: deletionKey(userId), status: 'pending' },
    select: ({ state }) => (state.variables as Own)._id,
  });
  return {
    ...list,
    items: all?.filter(({ _id }) => !leaving.includes(_id)),
    nextCursor: list.data?.pages.at(-1)?.nextCursor ?? null,
  };
}

/**
 * Deletes something of one's own. While the server is asked it is left out of the list, which itself stays as it is: where
 * the server refuses, it stands in its old place again, whatever else was deleted or arrived meanwhile.
 */
export function useDeleteOwn(userId: string, onFailure: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: deletionKey(userId),
    mutationFn: deleteOwn,
    // Without a network it fails at once, and says so.
    networkMode: 'always',
    onSuccess: async (_, own) => {
      await removeItemFromLists(keyOf(userId, own.kind), own._id);
      await forgetPublished(own);
      void selfChanged(userId);
    },
    onError: (_, own) => {
      onFailure();
      // It may have been done, and only the answer was lost: what the server has is shown.
      void client.invalidateQueries({ queryKey: keyOf(userId, own.kind) });
      void selfChanged(userId);
    },
  });
}

/** Keeps the list in step with captions that were just changed. */
export function useCaptionsChanged(userId: string) {
  const client = useQueryClient();
  return (id: string, captionTracks: CaptionTrack[]) => {
    const changed = (own: Own): Own =>
      own._id === id && own.shown?.kind === 'reel'
        ? { ...own, shown: { ...own.shown, reel: { ...own.shown.reel, captionTracks } } }
        : own;
    client.setQueryData<InfiniteData<ListPage<Own>>>(
      keyOf(userId, 'reels'),
      (list) =>
        list && { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.map(changed) })) },
    );
    void feedChanged();
  };
}
