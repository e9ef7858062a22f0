/** Lets at most `atOnce` tasks run at the same time; the others wait in a queue, first in, first out. */
export function concurrencyLimit(atOnce: number) {
  let running = 0;
  const queue: (() => void)[] = [];

  /** Runs the task when a slot is free; rejects if it is cancelled while it waits. `onWait` reports the waiting. */
  return async function limited<T>(
    task: () => Promise<T>,
    signal?: AbortSignal,
    onWait: (waits: boolean) => void = () => undefined,
  ): Promise<T> {
    signal?.throwIfAborted();
    if (running < atOnce) running += 1;
    else {
      onWait(true);
      try {
        await nextSlot(queue, signal);
      } finally {
        onWait(false);
      }
    }
    try {
      return await task();
    } finally {
      const next = queue.shift();
      // The next task takes the slot over.
      if (next) next();
      else running -= 1;
    }
  };
}

/** Files are uploaded two at a time; more of them would only share the same bandwidth. */
export const limitUploads = concurrencyLimit(2);

function nextSlot(queue: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      signal?.removeEventListener('abort', leaveQueue);
      resolve();
    };
    const leaveQueue = () => {
      queue.splice(queue.indexOf(start), 1);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', leaveQueue, { once: true });
    queue.push(start);
  });
}
