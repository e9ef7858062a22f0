const often = 1000;
/** Progress of at least this much is reported at once. */
const step = 0.05;
let tell: (done?: number) => void = () => undefined;
let last = 0;
/** The share of the task that is done, from 0 to 1; undefined as long as it is unknown. */
let share: number | undefined;
let toldShare = 0;

/** Sends a heartbeat to the parent process. */
export function tellOfLife(to: (done?: number) => void): void {
  tell = to;
}

/** The task has got one step further, and may know how far it is. A process that says this no more hangs. */
export function gettingOn(done?: number): void {
  if (done !== undefined) share = Math.min(1, Math.max(share ?? 0, done));
  const now = performance.now();
  if (now - last < often && (share ?? 0) - toldShare < step) return;
  last = now;
  toldShare = share ?? 0;
  tell(share);
}

let rest: PromiseWithResolvers<void> | undefined;

/** Has the task rest at its next step, or go on. */
export function setResting(rests: boolean): void {
  if (!rests) rest?.resolve();
  rest = rests ? (rest ?? Promise.withResolvers()) : undefined;
}

/** The task has got one step further, and may take the next as soon as this resolves. */
export async function mayGoOn(done?: number): Promise<void> {
  gettingOn(done);
  await rest?.promise;
}
