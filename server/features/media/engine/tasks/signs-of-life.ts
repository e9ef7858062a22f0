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

let rest: PromiseWithResolvers<void> | undefined;

/** Has the task rest at its next step, or go on. */
export function setResting(rests: boolean): void {
  if (!rests) rest?.resolve();
  rest = rests ? (rest ?? Promise.withResolvers()) : undefined;
}

/** The task has got one step further, and may take the next as soon as this resolves. */
export async function mayGoOn(): Promise<void> {
  gettingOn();
  await rest?.promise;
}
