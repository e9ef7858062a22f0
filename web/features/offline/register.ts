import { runWhenIdle } from '#web/run-when-idle.ts';

/** Registers the service worker, which caches files and answers offline, once the page is idle. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  runWhenIdle(() => {
    navigator.serviceWorker.register('/service-worker.js').catch(() => {
      // If the browser forbids it, for example in a private window, the site works without it.
    });
  });
}
