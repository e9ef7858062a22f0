import { queryOptions } from '@tanstack/react-query';
import { categories } from '#contract/categories.ts';
import { getFriendPosts } from '#contract/posts.ts';
import { getFriendReels } from '#contract/reels.ts';
import { call } from '#web/api.ts';

const tag = /(?<![\p{L}\p{M}\p{N}_])#(?<name>[\p{L}\p{M}\p{N}_]{2,30})/gu;

/** The tags in what somebody wrote, in lower case. */
export const tagsIn = (words: string): string[] =>
  [...words.matchAll(tag)].map(({ groups }) => groups?.name?.toLocaleLowerCase() ?? '');

/** The tags of a person's newest reels and photos, the most used ones first. */
export const tagsOf = (userId: string) =>
  queryOptions({
    queryKey: ['tags', 'of', userId],
    queryFn: async ({ signal }) => {
      const input = { params: { userId } };
      const [reels, posts] = await Promise.all([
        call(getFriendReels, input, { signal }),
        call(getFriendPosts, input, { signal }),
      ]);
      return byUse([...reels.data, ...posts.data].flatMap(({ caption }) => tagsIn(caption)));
    },
    staleTime: 60_000,
  });

function byUse(tags: string[]): string[] {
  const uses = new Map<string, number>();
  for (const one of tags) uses.set(one, (uses.get(one) ?? 0) + 1);
  return [...uses].toSorted(([, uses], [, others]) => others - uses).map(([one]) => one);
}

/** The names of the categories as tags: one word in lower case. */
export const categoryTags = (nameOf: (category: { id: string }) => string): string[] =>
  categories
    .flatMap(({ id, name }) => [nameOf({ id }), name])
    .map((name) => name.toLocaleLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, ''));
