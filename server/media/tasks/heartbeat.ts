/** Minimum interval of heartbeats without progress, in milliseconds. */
const interval = 1000;
/** Progress of at least this much is reported at once. */
const step = 0.05;
let send: (made?: number) => void = () => undefined;
let last = 0;
/** The share of the task that is done, from 0 to 1; undefined as long as it is unknown. */
let share: number | undefined;
let sentShare = 0;

/** Begins a task: sets the receiver of its heartbeats. */
export function onHeartbeat(listener: (made?: number) => void): void {
  send = listener;
  last = 0;
  share = undefined;
  sentShare = 0;
}

/** Called after each step of a task, with its progress if known. A process without heartbeats counts as hanging. */
export function beat(made?: number): void {
  if (made !== undefined) share = Math.min(1, Math.max(share ?? 0, made));
  const now = performance.now();
  if (now - last < interval && (share ?? 0) - sentShare < step) return;
  last = now;
  sentShare = share ?? 0;
  send(share);
}
