import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Program, startProgram } from '#testing/servers/program.ts';

/** This person, who has a story, appears on the picture of another person's profile. */
const somebodyElse = 'sana.silks';

/**
 * Starts a new site with the demo, and signs the demo's first creator in. Uses a temporary folder, or one in `keptIn` that
 * later runs reuse until the demo or the database changes. `whole` waits until all content of a new demo is complete.
 */
export async function demoSite({ keptIn, whole = false }: { keptIn?: string; whole?: boolean } = {}) {
  const folder = keptIn ? await keptFolder(keptIn) : await mkdtemp(join(tmpdir(), 'jhalak-demo-site-'));
  const program = await startProgram({ DATA_DIR: folder, JHALAK_DEMO: 'on' });
  const { origin } = program;
  // The whole demo takes some minutes; a screen is full much earlier.
  while (!program.said().out.includes('log in as')) await sleep(100);
  while (!(whole ? isComplete(program) : (await reelsAt(origin)) >= 16)) await sleep(500);
  const [, email, password] = /log in as (\S+) with the password (\S+)/.exec(program.said().out) ?? [];
  const { user, data } = await send<{ user: { _id: string }; data: string }>(`${origin}/api/signin`, {
    email,
    password,
  });
  const firstOf = async (path: string) =>
    (await send<{ data: { _id: string }[] }>(`${origin}/api/${path}`)).data[0]?._id ?? '';
  const personId = await firstOf(`getallUser?q=${somebodyElse}`);
  const reelId = await firstOf(`reel/getFrienddata/${user._id}`);
  const photoId = await firstOf('post/getallPostsall');
  const { number } = await send<{ number: string }>(`${origin}/api/report`, {
    kind: 'post',
    id: photoId,
    reason: 'other',
  });
  return {
    origin,
    /** A person who has published and is not the one signed in. */
    personId,
    /** A reel of who is signed in. */
    reelId,
    photoId,
    reportNumber: number,
    /** The local storage of the signed-in person's browser. */
    session: { user: JSON.stringify(user), authToken: data },
    async stop() {
      await program.stop();
      if (!keptIn) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A demo that was complete before says only the login. */
function isComplete(program: Program): boolean {
  const { out } = program.said();
  return out.includes('The demo content is complete.') || !out.includes('Making demo content');
}

async function reelsAt(origin: string): Promise<number> {
  return (await send<{ data: unknown[] }>(`${origin}/api/reel/getallReels?limit=100`)).data.length;
}

async function send<Answer>(address: string, body?: object): Promise<Answer> {
  const response = await fetch(address, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: { 'content-type': 'application/json' },
  });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return (await response.json()) as Answer;
}

/** The folder for the current version of the demo; folders of older versions are deleted. */
async function keptFolder(within: string): Promise<string> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const hash = createHash('sha256');
  for (const file of globSync('{demo,migrations}/**/*.ts', { cwd: root }).toSorted())
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  const name = `demo-${hash.digest('hex').slice(0, 12)}`;
  await mkdir(join(within, name), { recursive: true });
  for (const other of await readdir(within))
    if (other.startsWith('demo-') && other !== name) await rm(join(within, other), { recursive: true });
  return join(within, name);
}
