import type { NextPages, ReelList } from './playlist.ts';

/** The pages that follow those that are loaded. */
export const nextPagesAfter = (nextCursor: string | null, list: ReelList): NextPages => ({
  list,
  cursor: nextCursor ?? undefined,
});
