import { queryClient } from '#web/query-client.ts';
import type { List } from './use-list.ts';

/** Takes what was deleted out of every list kept under a key; they ask the server when they are next arrived at. */
export async function forgetItem(queryKey: readonly unknown[], id: string): Promise<void> {
  const queries = queryClient();
  // An answer still on its way may have it still.
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
