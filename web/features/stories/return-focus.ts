let left: string | undefined;

/** The viewer is closed: the link to these stories gets the focus when it is shown again, as after a dialog. */
export function leaveStoriesOf(userId: string): void {
  left = userId;
}

/** The `ref` of a link to a person's stories. */
export const returnFocus = (userId: string) => (link: HTMLElement | null) => {
  if (!link || left !== userId) return;
  left = undefined;
  link.focus({ preventScroll: true });
};
