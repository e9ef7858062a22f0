/** How much one process does at once. */
export interface Limiter {
  /**
   * Resolves when there is room, with what is to be called when the work is done; any further call of that does nothing.
   * Rejects with what `refuse` makes where there is none within the patience, or where too many wait already.
   */
  enter(): Promise<() => void>;
  /** Whether whoever comes now is refused at once. */
  isFull(): boolean;
}

interface Waiter {
  admit: () => void;
  turnAway: () => void;
}

/**
 * Lets `atOnce` work and at most `waiting` wait, for at most `patience` milliseconds: whoever would wait longer is told so
 * while we still keep up with those inside. To wait before being turned away is what keeps those who ask again at once
 * from taking the machine for being refused. Without `waiting` and `patience` nobody is turned away.
 */
export function createLimiter(
  {
    atOnce,
    waiting: waitingAtMost = Number.POSITIVE_INFINITY,
    patience,
  }: { atOnce: number; waiting?: number; patience?: number },
  refuse = () => new Error('too many wait already'),
): Limiter {
  let inside = 0;
  const queue = new Set<Waiter>();

  const leaving = () => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const [next] = queue;
      if (next) next.admit();
      else inside -= 1;
    };
  };

  const isFull = () => inside >= atOnce && queue.size >= waitingAtMost;

  return {
    isFull,
    enter() {
      if (inside < atOnce) {
        inside += 1;
        return Promise.resolve(leaving());
      }
      if (isFull()) return Promise.reject(refuse());
      return new Promise((resolve, reject) => {
        const done = () => {
          clearTimeout(timer);
          queue.delete(waiter);
        };
        const waiter: Waiter = {
          admit() {
            done();
            resolve(leaving());
          },
          turnAway() {
            done();
            reject(refuse());
          },
        };
        const timer = patience === undefined ? undefined : setTimeout(waiter.turnAway, patience);
        queue.add(waiter);
      });
    },
  };
}
