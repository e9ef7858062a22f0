/** On or off, and how many people have it on. */
interface Toggled {
  on: boolean;
  count: number;
}

interface ToggleOptions {
  now: Toggled;
  show: (state: Toggled) => void;
  /** Returns what the server knows then. */
  send: (on: boolean) => Promise<Toggled>;
  failed: (error: unknown) => void;
}

const running = new Map<string, { wish: boolean }>();
/** How many series of presses are over. */
const ended = new Map<string, number>();

/** Begins a question about things. The result says whether its answer about one is news: no press waited or was answered meanwhile. */
export function asking(): (id: string) => boolean {
  const before = new Map(ended);
  return (id) => !running.has(id) && ended.get(id) === before.get(id);
}

/**
 * Shows a like or a follow at once, and sends it. Calls of one thing follow one another, and only the last of several presses counts. If
 * one fails, what the server knew last is shown again.
 */
export async function toggle(id: string, on: boolean, { now, show, send, failed }: ToggleOptions) {
  show({ on, count: Math.max(0, now.count + Number(on) - Number(now.on)) });
  const before = running.get(id);
  if (before) {
    before.wish = on;
    return;
  }
  const press = { wish: on };
  running.set(id, press);
  let known = now;
  try {
    while (known.on !== press.wish) known = await send(press.wish);
  } catch (error) {
    failed(error);
  } finally {
    running.delete(id);
    ended.set(id, (ended.get(id) ?? 0) + 1);
    show(known);
  }
}
