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

/** Whether a press waits for its answer. */
export const isToggling = (id: string) => running.has(id);

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
    show(known);
  }
}
