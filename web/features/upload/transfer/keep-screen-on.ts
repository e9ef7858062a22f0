/**
 * Keeps the screen of a phone on: when it goes off, the phone soon stops the page. The browser releases the lock of a hidden
 * page, so it is requested again when the page is visible. Returns a function that ends it.
 */
export function keepScreenOn(): () => void {
  if (!('wakeLock' in navigator)) return () => {};
  let ended = false;
  let lock: WakeLockSentinel | undefined;
  const request = async () => {
    if (document.visibilityState !== 'visible') return;
    try {
      lock = await navigator.wakeLock.request('screen');
      if (ended) await lock.release();
    } catch {
      // Refused, for example because the battery is low. The upload continues without it.
    }
  };
  void request();
  document.addEventListener('visibilitychange', request);
  return () => {
    ended = true;
    document.removeEventListener('visibilitychange', request);
    void lock?.release();
  };
}
