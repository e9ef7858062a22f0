import type { ShownNotification } from './shown-notification.ts';

/** What one line of the page shows: one notification, or several likes of the same thing, newest first. */
export type Line = readonly [newest: ShownNotification, ...older: ShownNotification[]];

/**
 * The lines of the pages of a list. The likes of a page that are about the same thing are one line, in the place of the newest. A
 * further page makes no line longer but the last one: others may be above the reader, who would lose the place.
 */
export function linesOf(pages: readonly (readonly ShownNotification[])[]): Line[] {
  const lines: [ShownNotification, ...ShownNotification[]][] = [];
  for (const page of pages) {
    const begun = Math.max(0, lines.length - 1);
    for (const notification of page) {
      const line = lines.slice(begun).find(([newest]) => isSameLike(newest, notification));
      if (line) line.push(notification);
      else lines.push([notification]);
    }
  }
  return lines;
}

/** Kinds of which the site shows several as one. */
export const isLike = (kind: string): kind is 'like_reel' | 'like_post' =>
  kind === 'like_reel' || kind === 'like_post';

const isSameLike = (one: ShownNotification, other: ShownNotification) =>
  isLike(one.kind) && one.kind === other.kind && one.aboutId !== null && one.aboutId === other.aboutId;
