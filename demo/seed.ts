import { createHmac } from 'node:crypto';
import type { Server } from '#server/boot/create-server.ts';
import type { Config } from '#server/config.ts';
import { closeMonths } from '#server/features/months/closing.ts';
import { clips } from './clips/catalogue.ts';
import { contextAt, type Demo, type Drawn } from './demo.ts';
import { type Step, whileDrawing } from './drawing.ts';
import { addHistory } from './history/history.ts';
import { addMoney } from './history/money.ts';
import { addWatching } from './history/watching.ts';
import { whileOpen } from './history/while-open.ts';
import { keepStories } from './keep-stories.ts';
import { people } from './people.ts';
import { pictures } from './pictures/catalogue.ts';
import { stories, timeOf } from './pictures/stories.ts';
import { hasHappened, note, noted } from './progress.ts';
import { publishClip, publishPicture, publishStoryAt, setAvatar } from './publish.ts';
import type { Kind } from './renderer.ts';
import { follow, joinPeople } from './society.ts';

/**
 * Fills an empty site with creators, reels, posts, stories and four months of activity, all through the rules that are used
 * for real uploads. An interrupted demo is continued at the next start. Then, until the site stops, it publishes stories.
 */
export async function runDemo(
  server: Server,
  config: Config,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { db, storage, keyring, context } = server;
  const begun = await hasHappened(db, 'begun');
  if (!begun && (await isInhabited(server))) return;
  const { timeZone } = config;
  const demo = { db, storage, keyring, timeZone, now: await begin(server), signal };
  if (await hasHappened(db, 'done')) say(demoLogin(server));
  else await seed(server, demo, say);
  await keepStories(demo, context.clock);
}

async function seed(server: Server, start: Omit<Demo, 'ids'>, say: (line: string) => void): Promise<void> {
  const { db, now, signal } = start;
  await whileDrawing(start, async (draw) => {
    const steps = await remaining(server);
    // While one item is published the next is rendered, the first while people sign up.
    let drawing = steps[0] && draw(steps[0]);
    const demo: Demo = { ...start, ids: await joinPeople(db, demoPassword(server), now) };
    say('Making demo content in the background; the first reels appear in a few seconds …');
    say(demoLogin(server));
    await whileOpen(demo, async () => {
      for (const [place, step] of steps.entries()) {
        signal.throwIfAborted();
        const drawn = await drawing;
        const next = steps[place + 1];
        drawing = next && draw(next);
        // Its error is thrown when it is awaited.
        drawing?.catch(() => undefined);
        if (drawn) await publishers[step.kind](demo, step.index, drawn);
        if (place === 0) await follow(demo);
      }
      for (const index of clips.keys()) await addHistory(demo, index);
      await addWatching(demo);
    });
    await closeMonths(contextAt(demo, now), signal);
    await addMoney(demo);
  });
  await note(db, 'done');
  say('The demo content is complete.');
}

/** When the demo was started. */
async function begin({ db }: Server): Promise<Date> {
  const known = await noted(db, 'begun');
  if (known !== undefined) return new Date(known);
  const now = new Date();
  await note(db, 'begun', now.toISOString());
  return now;
}

const publishers: Record<Kind, (demo: Demo, index: number, drawn: Drawn) => Promise<void>> = {
  async clip(demo, index, drawn) {
    await publishClip(demo, index, drawn);
    await addHistory(demo, index);
  },
  picture: publishPicture,
  story: (demo, index, drawn) => publishStoryAt(demo, index, timeOf(index, demo.now), drawn),
  avatar: setAvatar,
};

/** The remaining items. Reels first, since visitors see them first; a profile picture, a story and a picture after each. */
async function remaining({ db }: Server): Promise<Step[]> {
  const steps = Array.from({ length: Math.max(clips.length, pictures.length) }, (_, index): Step[] => [
    ...(index < clips.length ? [{ kind: 'clip' as const, index }] : []),
    ...(index < people.length ? [{ kind: 'avatar' as const, index }] : []),
    ...(index < stories.length ? [{ kind: 'story' as const, index }] : []),
    ...(index < pictures.length ? [{ kind: 'picture' as const, index }] : []),
  ]).flat();
  const open: Step[] = [];
  for (const step of steps) if (!(await hasHappened(db, `${step.kind} ${step.index}`))) open.push(step);
  return open;
}

async function isInhabited({ db }: Server): Promise<boolean> {
  return (await db.selectFrom('people').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** The same at every start of one site, but different on another site. */
function demoPassword({ keyring }: Server): string {
  return createHmac('sha256', keyring.secret('demo')).update('password').digest('hex').slice(0, 10);
}

function demoLogin(server: Server): string {
  const [first] = people;
  if (server.keyring.isReplaced('demo')) return 'The password of the demo creators is lost with its key.';
  return `Demo creator: log in as ${first?.username}@jhalak.example with the password ${demoPassword(server)}`;
}
