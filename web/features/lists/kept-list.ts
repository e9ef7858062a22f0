import { array, nullable, object, string, type ZodMiniType } from 'zod/mini';

/** One page of a list as it is kept between visits. */
export const keptList = <Item>(item: ZodMiniType<Item>) =>
  object({ items: array(item), nextCursor: nullable(string()) });
