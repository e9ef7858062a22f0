/** Runs once the page stands and the browser has nothing more urgent to do. */
export function whenSettled(run: () => void): void {
  // Not every browser has idle callbacks.
  const idle = () =>
    'requestIdleCallback' in window ? requestIdleCallback(run, { timeout: 4000 }) : setTimeout(run, 500);
  if (document.readyState === 'complete') idle();
  else globalThis.addEventListener('load', idle, { once: true });
}
