/** `pressed` is the last button that was clicked before hydration, when no handler was attached yet. */
declare global {
  interface Window {
    pressed?: HTMLButtonElement;
  }
}

/**
 * An inline script that runs before the first paint. Until the page is hydrated it stops clicks on buttons and remembers
 * the last one; a submitted form clicks its button too. The click must not reach React, which attaches its handlers before
 * hydration ends and would handle the click twice. Links work without a script and are not touched.
 */
export const captureClicks = `addEventListener('click',(event)=>{const button=event.target.closest?.('button');if(!button||document.documentElement.classList.contains('taken-over'))return;event.preventDefault();event.stopPropagation();window.pressed?.removeAttribute('data-pressed');window.pressed=button;button.setAttribute('data-pressed','')},true)`;

/** Clicks the remembered button again after hydration. */
export function replayClick(): void {
  const { pressed } = window;
  if (!pressed) return;
  delete window.pressed;
  pressed.removeAttribute('data-pressed');
  if (pressed.isConnected) pressed.click();
}
