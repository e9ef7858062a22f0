/** Marks the field for a comment on a reel. There may be one beside the video, which narrow screens hide, and one in the dialog. */
export const commentPlace = (reelId: string) => ({ 'data-comment-on': reelId });

/** Moves the focus to the field that the screen shows. Returns false if it shows none. */
export function focusField(reelId: string): boolean {
  const fields = document.querySelectorAll<HTMLElement>(`[data-comment-on="${reelId}"]`);
  for (const field of fields) field.focus();
  return [...fields].some((field) => field === document.activeElement);
}
