/** Runs once the page stands and the browser has nothing more urgent to do. */
export function whenSettled(run: () => void): void {
  // Not every browser has idle callbacks.
  const idle = () =>
    'requestIdleCallback' in window ? requestIdleCallback(run, { timeout: 4000 }) : setTimeout(run, 500);
  if (document.readyState === 'complete') idle();
  else globalThis.addEventListener('load', idle, { once: true });
}

/** Runs once somebody moves on the page, by hand, wheel or key, and the browser has a moment. */
export function whenTouched(run: () => void): void {
  const signs = ['pointermove', 'pointerdown', 'keydown', 'scroll'];
  const touched = () => {
    for (const sign of signs) globalThis.removeEventListener(sign, touched);
    whenSettled(run);
  };
  for (const sign of signs) globalThis.addEventListener(sign, touched, { passive: true });
}
