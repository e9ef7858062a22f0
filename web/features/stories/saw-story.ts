import { markStorySeen, storyRowAtMost } from '#contract/stories.ts';
import { call } from '#web/api.ts';
import { queryClient } from '#web/query-client.ts';
import { storageKeys } from '#web/storage-keys.ts';
import { currentToken } from '../session/session.ts';
import { isSeen, type Row, type Seen, storyRow } from './seen.ts';
import type { ShownStory } from './stories.ts';

/** Remembers that a story was seen: signed in on the server, otherwise on this device. */
export async function sawStory({ _id, userId }: ShownStory, isOwn: boolean): Promise<void> {
  const row = await queryClient()
    .ensureQueryData(storyRow)
    .catch(() => undefined);
  if (row) {
    const before = row.seen.find((one) => one.userId === userId);
    const others = row.seen.filter((one) => one !== before);
    const storyId = before && before.storyId > _id ? before.storyId : _id;
    const seen = [{ userId, storyId }, ...others].slice(0, storyRowAtMost.seen);
    queryClient().setQueryData(storyRow.queryKey, { ...row, seen });
    if (!currentToken()) keepHere(seen);
  }
  // It is shown all the same without a network, after too many in a day, and at its end.
  if (currentToken() && !isOwn) await call(markStorySeen, { params: { id: _id } }).catch(() => undefined);
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
