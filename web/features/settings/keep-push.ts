import { runWhenIdle } from '#web/run-when-idle.ts';
import { currentToken, sessionStore } from '../session/session.ts';

/**
 * Registers this browser again for who has switched push messages on in it: the server forgets a browser with its session, and a
 * push service may give it another address. Whoever has not switched them on here loads nothing for it.
 */
export function keepPush(): void {
  let last: string | null = null;
  const tell = () => {
    last = currentToken();
    try {
      if (!last || !localStorage.getItem('push.of')) return;
    } catch {
      // Storage is forbidden: nobody has switched them on here.
      return;
    }
    // If the server cannot be reached, the next page tells it.
    import('./browser-push.ts').then(({ tellServer }) => tellServer()).catch(() => undefined);
  };
  runWhenIdle(tell);
  sessionStore().subscribe(() => {
    if (currentToken() !== last) tell();
  });
  // From the service worker: its address is another one.
  navigator.serviceWorker?.addEventListener('message', tell);
}
