import { runWhenIdle } from '#web/run-when-idle.ts';
import { storageKeys } from '#web/storage-keys.ts';
import { currentToken, onSessionChange } from '../session/session.ts';

/**
 * Renews this browser's push subscription at the server: the server deletes it together with the session, and a push service may
 * change its endpoint. Nothing is loaded for a person who has not switched push messages on here.
 */
export function keepPush(): void {
  let last: string | null = null;
  const renew = () => {
    last = currentToken();
    try {
      if (!last || !localStorage.getItem(storageKeys.pushOf)) return;
    } catch {
      // Storage is forbidden, so nobody has switched them on here.
      return;
    }
    // If the server cannot be reached, the next page tries again.
    import('./browser-push.ts').then(({ renewSubscription }) => renewSubscription()).catch(() => undefined);
  };
  runWhenIdle(renew);
  onSessionChange(() => {
    if (currentToken() !== last) renew();
  });
  // Sent by the service worker when the endpoint has changed.
  navigator.serviceWorker?.addEventListener('message', renew);
}
