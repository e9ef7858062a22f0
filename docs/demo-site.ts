import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProgram } from '../testing/program.ts';

/** A first start with enough of its demo to fill any screen, on a folder of its own; and its first creator, signed in. */
export async function demoSite() {
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-demo-site-'));
  const program = await startProgram({ DATA_DIR: folder, JHALAK_DEMO: 'on' });
  // The whole demo takes some minutes; a screen is full long before.
  while ((await reelsAt(program.origin)) < 16) await sleep(1000);
  const [, email, password] = /log in as (\S+) with the password (\S+)/.exec(program.said().out) ?? [];
  const response = await fetch(`${program.origin}/api/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { user, data } = (await response.json()) as { user: { _id: string }; data: string };
  return {
    origin: program.origin,
    personId: user._id,
    /** What the browser of the person signed in keeps. */
    session: { user: JSON.stringify(user), authToken: data },
    async stop() {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function reelsAt(origin: string): Promise<number> {
  const response = await fetch(`${origin}/api/reel/getallReels?limit=100`);
  return ((await response.json()) as { data: unknown[] }).data.length;
}
