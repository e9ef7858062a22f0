/** Whether somebody has asked for a pause, and word of it when that changes. */
export interface Pause {
  isOn(): boolean;
  set(on: boolean): void;
  /** Settles when there is no pause; at once where there is none. */
  over(signal: AbortSignal): Promise<void>;
  /** Tells when a pause begins; returns how to stop listening. */
  onBegin(listener: () => void): () => void;
}

export function newPause(): Pause {
  const changes = new EventTarget();
  let on = false;
  return {
    isOn: () => on,
    set(next) {
      if (next === on) return;
      on = next;
      changes.dispatchEvent(new Event(on ? 'begin' : 'end'));
    },
    over(signal) {
      if (!on || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        changes.addEventListener('end', () => resolve(), { once: true });
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    },
    onBegin(listener) {
      changes.addEventListener('begin', listener);
      return () => changes.removeEventListener('begin', listener);
    },
  };
}
