import { storageKeys } from '#web/storage-keys.ts';

/** The `info` of a reload that is meant, which `StayOpen` lets pass. */
export const renewal = 'renewal';

/** A second reload within so many milliseconds would be a loop. */
const pause = 10 * 60_000;

/**
 * Reloads a page of an earlier build, whose scripts the site no longer has: drafts, scroll position and history state stay.
 * A page with unsaved work that a reload would lose, such as a chosen file, is not reloaded.
 */
export function renewOldPages(): void {
  window.addEventListener('vite:preloadError', () => void renew());
}

async function renew(): Promise<void> {
  if (!(await isFromEarlierBuild()) || hasUnsavedWork() || !isFirst()) return;
  if ('navigation' in window) navigation.reload({ info: renewal });
  else location.reload();
}

/** Whether the site now serves this page with the scripts of another build. False without a network. */
async function isFromEarlierBuild(): Promise<boolean> {
  const { __reactRouterManifest: manifest } = window as { __reactRouterManifest?: { url?: string } };
  if (!manifest?.url) return false;
  try {
    const answer = await fetch(location.href, { cache: 'no-store', headers: { accept: 'text/html' } });
    return answer.ok && !(await answer.text()).includes(manifest.url);
  } catch {
    return false;
  }
}

/** Asks the listeners that the browser would ask before it leaves the page. */
const hasUnsavedWork = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

function isFirst(): boolean {
  try {
    const last = Number(sessionStorage.getItem(storageKeys.renewed));
    if (Date.now() - last < pause) return false;
    sessionStorage.setItem(storageKeys.renewed, String(Date.now()));
    return true;
  } catch {
    // Storage is forbidden, so a loop could not be noticed.
    return false;
  }
}
