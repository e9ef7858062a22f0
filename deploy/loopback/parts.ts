export interface Running {
  pid?: number | undefined;
  stop(): Promise<unknown>;
  kill(): Promise<void>;
}

/** A program of the topology: it runs until it is stopped or killed, and can be started again with the same address. */
export interface Part {
  name: string;
  pid: number | undefined;
  start(): Promise<void>;
  stop(): Promise<unknown>;
  kill(): Promise<void>;
}

export type StartPart = (name: string, run: () => Promise<Running>) => Promise<Part>;

/**
 * What `startAll` starts, with a `stop` for all of it, in reverse order, so that no program loses one that it depends on. If it
 * throws, whatever had been started is stopped.
 */
export async function startTogether<T>(
  startAll: (start: StartPart) => Promise<T>,
): Promise<T & { stop(): Promise<void> }> {
  const parts: Part[] = [];
  const stop = async () => {
    for (const part of parts.splice(0).reverse()) await part.stop();
  };
  try {
    const started = await startAll(async (name, run) => {
      let running = await run();
      const part: Part = {
        name,
        get pid() {
          return running.pid;
        },
        async start() {
          running = await run();
        },
        stop: () => running.stop(),
        kill: () => running.kill(),
      };
      parts.push(part);
      return part;
    });
    return { ...started, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits for all of them, so that those that did start can be stopped if another failed. */
export async function allOf<T extends Promise<Part>[] | []>(starting: T) {
  await Promise.allSettled(starting);
  return await Promise.all(starting);
}
