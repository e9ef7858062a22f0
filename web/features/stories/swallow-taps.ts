/** Milliseconds in which a person still taps on what they saw last. */
const late = 600;

/** Keys have no coordinates, and what they press has the focus. */
function swallow(event: MouseEvent) {
  if (event.detail === 0) return;
  event.preventDefault();
  event.stopPropagation();
}

/** A tap that was meant for the viewer, which is closing, neither closes it again nor reaches what lies below it. */
export function swallowTaps(): void {
  window.addEventListener('click', swallow, { capture: true });
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), late);
}
