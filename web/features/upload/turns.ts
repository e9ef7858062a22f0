/** So many pieces of work at a time; the others wait until it is their turn. */
export function newTurns(atOnce: number) {
  let running = 0;
  const line: (() => void)[] = [];

  /** Does the work when its turn has come; not at all where it is cancelled before. Told `onWait` when it has to wait. */
  return async function inTurn<T>(
    work: () => Promise<T>,
    signal?: AbortSignal,
    onWait: (waits: boolean) => void = () => undefined,
  ): Promise<T> {
    signal?.throwIfAborted();
    if (running < atOnce) running += 1;
    else {
      onWait(true);
      try {
        await turnOf(line, signal);
      } finally {
        onWait(false);
      }
    }
    try {
      return await work();
    } finally {
      const next = line.shift();
      // Whose turn it is next takes the place over.
      if (next) next();
      else running -= 1;
    }
  };
}

function turnOf(line: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    };
    const giveUp = () => {
      line.splice(line.indexOf(begin), 1);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    line.push(begin);
  });
}
