/** Whether the person paused the upload, with a notice of each change. */
export interface Pause {
  isOn(): boolean;
  set(on: boolean): void;
  /** Resolves when the pause ends or the signal is aborted; at once if there is no pause. */
  over(signal: AbortSignal): Promise<void>;
  /** Calls the listener when a pause begins; returns a function that removes the listener. */
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
