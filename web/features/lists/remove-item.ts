import { queryClient } from '#web/query-client.ts';
import type { List } from './use-list.ts';

/** Removes a deleted item from all cached lists under a key, and marks them stale so that the next visit refetches them. */
export async function removeItemFromLists(queryKey: readonly unknown[], id: string): Promise<void> {
  const queries = queryClient();
  // A response that is still in flight may contain the item.
  await queries.cancelQueries({ queryKey });
  queries.setQueriesData<List<{ _id: string }>>({ queryKey }, (list) => {
    if (!list) return list;
    const pages = list.pages.map((page) => ({
      ...page,
      items: page.items.filter((item) => item._id !== id),
    }));
    return { ...list, pages };
  });
  void queries.invalidateQueries({ queryKey });
}
