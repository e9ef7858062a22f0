const often = 1000;
let tell: () => void = () => undefined;
let last = 0;

/** Has whoever waits for this process hear that it gets on. */
export function tellOfLife(to: () => void): void {
  tell = to;
}

/** The task has got one step further. A process that says this no more hangs. */
export function gettingOn(): void {
  const now = performance.now();
  if (now - last < often) return;
  last = now;
  tell();
}
