/** Runs a function once the page is loaded and the browser is idle. */
export function runWhenIdle(run: () => void): void {
  // Safari has no requestIdleCallback.
  const idle = () =>
    'requestIdleCallback' in window ? requestIdleCallback(run, { timeout: 4000 }) : setTimeout(run, 500);
  if (document.readyState === 'complete') idle();
  else globalThis.addEventListener('load', idle, { once: true });
}

/** Runs a function after the first input of the visitor (pointer, key or scrolling), when the browser is idle. */
export function runOnFirstInput(run: () => void): void {
  const signs = ['pointermove', 'pointerdown', 'keydown', 'scroll'];
  const touched = () => {
    for (const sign of signs) globalThis.removeEventListener(sign, touched);
    runWhenIdle(run);
  };
  for (const sign of signs) globalThis.addEventListener(sign, touched, { passive: true });
}
