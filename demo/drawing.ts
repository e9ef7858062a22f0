import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Demo, Drawn } from './demo.ts';
import { type Kind, startRenderer } from './renderer.ts';

export interface Step {
  kind: Kind;
  index: number;
}

/** Runs `use` with a function that renders an item in a child process; one at a time. */
export async function whileDrawing(
  { storage, signal }: Pick<Demo, 'storage' | 'signal'>,
  use: (draw: (step: Step) => Promise<Drawn>) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-demo-'));
  const renderer = startRenderer();
  signal.addEventListener('abort', renderer.end);
  try {
    await use(async ({ kind, index }) => {
      const path = join(folder, `${kind}-${index}`);
      await renderer.render(kind, index, path);
      return async () => {
        try {
          return await storage.receive(createReadStream(path));
        } finally {
          await rm(path, { force: true });
        }
      };
    });
  } finally {
    signal.removeEventListener('abort', renderer.end);
    renderer.end();
    await rm(folder, { recursive: true, force: true });
  }
}
