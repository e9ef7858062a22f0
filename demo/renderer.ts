import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type Kind = 'clip' | 'picture' | 'story' | 'avatar';

export interface Renderer {
  /** Renders number `index` of a kind into the file `path`. One at a time. */
  render(kind: Kind, index: number, path: string): Promise<void>;
  end(): void;
}

/** Renders in a child process, so that the server can answer meanwhile. */
export function startRenderer(): Renderer {
  const child: ChildProcess = fork(fileURLToPath(new URL('./render-child.ts', import.meta.url)), {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return {
    async render(kind, index, path) {
      const ended = new AbortController();
      try {
        const answered = once(child, 'message', { signal: ended.signal });
        const exited = once(child, 'exit', { signal: ended.signal }).then(() => {
          throw new Error('the renderer ended');
        });
        exited.catch(() => undefined);
        child.send({ kind, index, path });
        const [failure] = await Promise.race([answered, exited]);
        if (failure) throw new Error(`${kind} ${index}: ${failure}`);
      } finally {
        ended.abort();
      }
    },
    end: () => child.kill(),
  };
}
