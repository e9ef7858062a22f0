import { useQuery } from '@tanstack/react-query';
import { isSeen, peopleWithStories, storyRow } from './seen.ts';

/** The running story by which a person's avatar has a ring; undefined if none is known. */
export function useStoryOf(userId: string): { seen: boolean } | undefined {
  const { data: people } = useQuery(peopleWithStories);
  const { data: row } = useQuery(storyRow);
  const found = [...(people ?? []), ...(row?.followed ?? [])].find((one) => one.userId === userId);
  return found && { seen: isSeen(row, found) };
}
