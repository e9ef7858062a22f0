import { createHmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../server/config.ts';
import { sharedSecret } from '../server/platform/secrets.ts';
import type { Server } from '../server/server.ts';
import { clips } from './clips/catalogue.ts';
import type { Demo } from './demo.ts';
import { addHistory } from './history/history.ts';
import { people } from './people.ts';
import { pictures } from './pictures/catalogue.ts';
import { hasHappened, note } from './progress.ts';
import { publishClip, publishPicture, setAvatar } from './publish.ts';
import { type Kind, type Renderer, startRenderer } from './renderer.ts';
import { follow, joinPeople } from './society.ts';

/**
 * Fills an empty site with creators, reels, posts, stories and four months of life, all through the rules that people's
 * own uploads go through. What was cut off is taken up again at the next start.
 */
export async function seedDemo(
  server: Server,
  config: Config,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { db, storage } = server;
  const begun = await hasHappened(db, 'begun');
  const login = await demoLogin(server);
  if (begun && (await hasHappened(db, 'done'))) return say(login);
  if (!begun && (await isInhabited(server))) return;
  await note(db, 'begun');

  const folder = await mkdtemp(join(tmpdir(), 'jhalak-demo-'));
  const renderer: Renderer = startRenderer();
  signal.addEventListener('abort', renderer.end);
  try {
    const now = new Date();
    const ids = await joinPeople(db, await demoPassword(server), now);
    say(login);
    say('Making demo content in the background; the first reels appear in a few seconds …');
    const draw = async (kind: Kind, index: number) => {
      const path = join(folder, `${kind}-${index}`);
      await renderer.render(kind, index, path);
      try {
        return await storage.receive(createReadStream(path));
      } finally {
        await rm(path, { force: true });
      }
    };
    const demo: Demo = { db, storage, timeZone: config.timeZone, now, ids, signal, draw };
    await follow(demo);
    for (const step of order()) {
      signal.throwIfAborted();
      if (step.kind === 'avatar') await setAvatar(demo, step.index);
      else if (step.kind === 'picture') await publishPicture(demo, step.index);
      else await addHistory(demo, await publishClip(demo, step.index), step.index);
    }
    await note(db, 'done');
    say('The demo content is complete.');
  } finally {
    signal.removeEventListener('abort', renderer.end);
    renderer.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reels first, since they are what a visitor sees first; a face and a picture after each. */
function order(): { kind: Kind; index: number }[] {
  const steps = clips.flatMap((_, index): { kind: Kind; index: number }[] => [
    { kind: 'clip', index },
    { kind: 'avatar', index },
    { kind: 'picture', index },
  ]);
  const more = pictures.map((_, index) => ({ kind: 'picture' as const, index }));
  const lengths = { clip: clips.length, avatar: people.length, picture: pictures.length };
  return [...steps, ...more.slice(clips.length)].filter((step) => step.index < lengths[step.kind]);
}

async function isInhabited({ db }: Server): Promise<boolean> {
  return (await db.selectFrom('people').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** The same at every start of one site, and another at the next site. */
async function demoPassword({ db }: Server): Promise<string> {
  const secret = await sharedSecret(db, 'demo');
  return createHmac('sha256', secret).update('password').digest('hex').slice(0, 10);
}

async function demoLogin(server: Server): Promise<string> {
  const [first] = people;
  return `Demo creator: log in as ${first?.username}@jhalak.example with the password ${await demoPassword(server)}`;
}
