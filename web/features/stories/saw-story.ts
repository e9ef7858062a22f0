import { isApiError } from '#contract/api-error.ts';
import { markStorySeen, storyRowAtMost } from '#contract/stories.ts';
import { call } from '#web/api.ts';
import { queryClient } from '#web/query-client.ts';
import { storageKeys } from '#web/storage-keys.ts';
import { currentToken } from '../session/session.ts';
import { isSeen, type Row, type Seen, storyRow } from './seen.ts';
import type { ShownStory } from './stories.ts';

/** Remembers that a story was seen. Answers false if it does not exist any more. */
export async function sawStory({ _id, userId }: ShownStory, isOwn: boolean): Promise<boolean> {
  const row = await queryClient()
    .ensureQueryData(storyRow)
    .catch(() => undefined);
  // Without a network it is shown all the same.
  if (!row) return true;
  const before = row.seen.find((one) => one.userId === userId);
  const isNew = !before || before.storyId < _id;
  const seen = isNew
    ? [{ userId, storyId: _id }, ...row.seen.filter((one) => one !== before)].slice(0, storyRowAtMost.seen)
    : row.seen;
  queryClient().setQueryData(storyRow.queryKey, { ...row, seen });
  if (!currentToken()) {
    keepHere(seen);
    return true;
  }
  if (isOwn) return true;
  try {
    await call(markStorySeen, { params: { id: _id } });
  } catch (error) {
    // So it is after too many in a day.
    return !(isApiError(error) && error.status === 404);
  }
  return true;
}

function keepHere(seen: Seen[]): void {
  try {
    localStorage.setItem(storageKeys.storiesSeen, JSON.stringify(seen));
  } catch {
    // Storage is full or forbidden: it is known as long as the page.
  }
}

/** The place of the first of a person's stories that was not seen; the first one if all were. */
export function firstUnseen(stories: readonly ShownStory[], row: Row | undefined): number {
  const place = stories.findIndex(({ _id, userId }) => !isSeen(row, { userId, storyId: _id }));
  return Math.max(0, place);
}
