import {
  type InfiniteData,
  useInfiniteQuery,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { CaptionTrack } from '../captions/tracks.ts';
import { feedChanged, ownLists, shownReels } from '../feed/feed.ts';
import { removeItemFromLists } from '../lists/remove-item.ts';
import type { ListPage } from '../lists/use-list.ts';
import { postsChanged } from '../posts/posts.ts';
import { deleteOwn, editOwn, type Own, type OwnKind, ownPage, removeFromPublicLists } from './own.ts';
import { selfChanged } from './use-self.ts';

const queryKeyOf = (userId: string, kind: OwnKind) => [...ownLists, userId, kind];
const deletionKey = (userId: string) => ['delete own', userId];
const isInTheMaking = ({ hidden }: Own) => hidden?.why === 'processing';

/** The person's own reels, posts or stories, without those that are being deleted. */
export function useOwnList(userId: string, kind: OwnKind) {
  const list = useInfiniteQuery({
    queryKey: queryKeyOf(userId, kind),
    queryFn: ({ pageParam, signal }) => ownPage(kind, { userId, cursor: pageParam, signal }),
    // Reloaded at every visit, so that a new upload is listed.
    staleTime: 0,
    initialPageParam: null as string | null,
    getNextPageParam: (page: ListPage<Own>) => page.nextCursor,
    // Reloaded regularly while a reel is processing.
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some(isInTheMaking)) ? 2000 : false,
  });
  const all = list.data?.pages.flatMap((page) => page.items);

  // The own figures change when a reel becomes public.
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
 * Deletes an item. It is hidden during the request, while the list stays as it is: if the server refuses, the item
 * appears in its old position, whatever else has changed.
 */
export function useDeleteOwn(userId: string, onFailure: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: deletionKey(userId),
    mutationFn: deleteOwn,
    // Without a network it fails at once instead of waiting.
    networkMode: 'always',
    onSuccess: async (_, own) => {
      await removeItemFromLists(queryKeyOf(userId, own.kind), own._id);
      await removeFromPublicLists(own);
      void selfChanged(userId);
    },
    onError: (_, own) => {
      onFailure();
      // It may have been deleted although the response was lost, so the list is reloaded.
      void client.invalidateQueries({ queryKey: queryKeyOf(userId, own.kind) });
      void selfChanged(userId);
    },
  });
}

/** Returns a function that changes one item of the list. */
function useChangeItem(userId: string) {
  const client = useQueryClient();
  return (kind: OwnKind, id: string, changed: (own: Own) => Own) =>
    client.setQueryData<InfiniteData<ListPage<Own>>>(queryKeyOf(userId, kind), (list) => {
      if (!list) return list;
      const pages = list.pages.map((page) => ({
        ...page,
        items: page.items.map((own) => (own._id === id ? changed(own) : own)),
      }));
      return { ...list, pages };
    });
}

/** Updates the list after a reel's captions were changed. */
export function useCaptionsChanged(userId: string) {
  const change = useChangeItem(userId);
  return (id: string, captionTracks: CaptionTrack[]) => {
    change('reels', id, (own) => (own.reel ? { ...own, reel: { ...own.reel, captionTracks } } : own));
    void feedChanged();
  };
}

/** Edits an item, and shows it as it is then; the public lists are loaded again. */
export function useEditOwn(userId: string) {
  const client = useQueryClient();
  const change = useChangeItem(userId);
  return async (own: Own, changes: object) => {
    const edited = await editOwn(own, changes);
    change(own.kind, own._id, () => edited);
    if (own.kind === 'reels') void client.invalidateQueries({ queryKey: shownReels });
    else postsChanged();
  };
}
