import { array, nullable, object, string, type ZodMiniType } from 'zod/mini';

/** The schema of one page of a list in local storage. */
export const persistedPage = <Item>(item: ZodMiniType<Item>) =>
  object({ items: array(item), nextCursor: nullable(string()) });
