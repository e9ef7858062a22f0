import { runWhenIdle } from '#web/run-when-idle.ts';

/** Once the page has settled: the worker that keeps its files and stands in where the network is not. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  runWhenIdle(() => {
    navigator.serviceWorker.register('/service-worker.js').catch(() => {
      // A browser that forbids it (a private window) shows the site all the same.
    });
  });
}
