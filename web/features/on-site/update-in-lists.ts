import { queryClient } from '#web/query-client.ts';
import type { List } from '../lists/use-list.ts';

/** Changes fields of an item in all loaded lists that have it. */
export function updateInLists(id: string, change: object): void {
  const isIn = (data: unknown): data is List<{ _id: string }> =>
    ((data as Partial<List<{ _id: string }>> | undefined)?.pages ?? []).some(({ items }) =>
      items.some(({ _id }) => _id === id),
    );
  queryClient().setQueriesData({ predicate: ({ state }) => isIn(state.data) }, (data: unknown) => {
    if (!isIn(data)) return data;
    const pages = data.pages.map((page) => ({
      ...page,
      items: page.items.map((item) => (item._id === id ? { ...item, ...change } : item)),
    }));
    return { ...data, pages };
  });
}
