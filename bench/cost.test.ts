import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Subjects, siteRoutes } from '#e2e/routes.ts';
import { calls } from '#testing/access/calls.ts';
import { type Actor, openWorld, type World } from '#testing/access/fixtures.ts';
import { endpoints, nameOf } from '#testing/endpoints.ts';
import { dataFolder, descendantsOf, type Program, startProgram } from '#testing/servers/program.ts';
import { behindOurProxy } from '#testing/servers/proxy.ts';
import { browser, startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { fillDatabase } from './filling.ts';

/*
 * The processor time that one request of each call and page costs the program with its PostgreSQL, threads and children. They are sent one
 * after the other. `npm run bench -- cost` prints the table, dearest first. Linux only.
 */
const rounds = 5;
const shown = Number(process.env.COST);

let data: Awaited<ReturnType<typeof dataFolder>>;
let program: Program;
/** Prepares what the requests are about, in the program's database. It answers none of them. */
let maker: TestServer;
let world: World;
beforeAll(async () => {
  if (!shown) return;
  data = await dataFolder();
  program = await startProgram({ DATA_DIR: data.path, ...behindOurProxy });
  const url = readFileSync(join(data.path, 'postgres.url'), 'utf8').trim();
  await fillDatabase(url, { reels: 10_000, people: 1000 }, '');
  const settings = { ROLE: 'web', DATABASE_URL: url, KEYS_DIR: join(data.path, 'keys') };
  maker = await startTestServer(settings, { through: async () => url });
  world = await openWorld(maker);
}, 300_000);
afterAll(async () => {
  await maker?.close();
  await program?.stop();
  await data?.remove();
});

/** Milliseconds of processor time of all threads that run, and of children that have ended. */
function processorTime(): number {
  const root = program.child.pid ?? 0;
  return [root, ...descendantsOf(root)].reduce((sum, pid) => {
    try {
      const tasks = readdirSync(`/proc/${pid}/task`).map((task) =>
        Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
      );
      const ended = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return sum + tasks.reduce((a, b) => a + b, 0) / 1e6 + (Number(ended[13]) + Number(ended[14])) * 10;
    } catch {
      // It ended meanwhile, and its parent has its time.
      return sum;
    }
  }, 0);
}

interface Asked {
  method: string;
  url: string;
  headers?: Record<string, string>;
  payload?: object | Buffer;
}

let requests = 0;

/** Sends one request from an address of its own; returns its size in bytes and the status. */
async function send({
  method,
  url,
  headers = {},
  payload,
}: Asked): Promise<{ bytes: number; status: number }> {
  requests += 1;
  const isJson = payload !== undefined && !Buffer.isBuffer(payload);
  const body = isJson ? JSON.stringify(payload) : (payload as Buffer | undefined);
  const sent: Record<string, string> = {
    ...{ host: 'jhalak.test', 'user-agent': browser, 'accept-encoding': 'gzip, br' },
    ...{ 'x-forwarded-for': `10.7.${requests >> 8}.${requests & 255}` },
    ...(isJson ? { 'content-type': 'application/json' } : {}),
    ...headers,
  };
  const response = await fetch(program.origin + url, {
    ...{ method, headers: sent, redirect: 'manual' },
    ...(body === undefined ? {} : { body: body as string }),
  });
  await response.arrayBuffer();
  const head = Object.entries(sent).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  return { bytes: url.length + head + Buffer.byteLength(body ?? ''), status: response.status };
}

const actorOf = { anyone: 'nobody', known: 'owner', person: 'owner', operator: 'operator' } as const;

async function asked(name: string, actor: Actor): Promise<Asked> {
  const call = await calls[name]?.ask(world, actor);
  if (!call) throw new Error(`there is no request for ${name}`);
  const token = world.tokens[actor];
  const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...call.headers };
  return { ...call, method: name.split(' ')[0] ?? 'GET', headers };
}

const kinds = (subjects: Subjects): [name: string, ask: () => Promise<Asked>][] => [
  ...endpoints.map(
    (one) => [nameOf(one), () => asked(nameOf(one), actorOf[one.access])] as [string, () => Promise<Asked>],
  ),
  ...siteRoutes(subjects).map(
    ({ path }) =>
      [
        `page ${Object.values(subjects).reduce((name, subject) => name.replace(subject, '…'), path)}`,
        async () => ({ method: 'GET', url: path }),
      ] as [string, () => Promise<Asked>],
  ),
];

/** Work that continues after the response, such as views that are written together, belongs to the request. */
const settles = 100;

it.runIf(shown)(
  'what a request costs',
  async () => {
    const costs = new Map<string, { times: number[]; bytes: number; status: number }>();
    const all = kinds({
      personId: world.owner.id,
      reelId: await world.reel(),
      photoId: await world.post(),
      reportNumber: await world.reportNumber(await world.report()),
      decisionId: await world.decision(),
    });
    // A round takes longer than a response is cached. The first one warms the code up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, ask] of all) {
        const request = await ask();
        // The background work of the program changes, so it is measured right before each request.
        const [idleSince, idleBefore] = [performance.now(), processorTime()];
        await sleep(settles);
        const [began, before] = [performance.now(), processorTime()];
        const { bytes, status } = await send(request);
        await sleep(settles);
        const idle = (before - idleBefore) / (began - idleSince);
        const time = processorTime() - before - idle * (performance.now() - began);
        expect(status, name).not.toBe(500);
        if (round > 0) costs.set(name, { times: [...(costs.get(name)?.times ?? []), time], bytes, status });
      }
    }
    const rows = [...costs].map(([name, { times, bytes, status }]) => ({
      ...{ name, bytes, status },
      time: times.toSorted((a, b) => a - b)[rounds >> 1] ?? 0,
    }));
    rows.sort((one, other) => other.time - one.time);
    const lines = rows.slice(0, shown).map(({ name, status, time, bytes }) => {
      return `| \`${name}\` | ${status} | ${time.toFixed(1)} | ${bytes} | ${((time * 1000) / bytes).toFixed(1)} |`;
    });
    process.stdout.write(
      `${['| request | status | ms | bytes | µs a byte |', '| --- | --- | --- | --- | --- |', ...lines].join('\n')}\n`,
    );
    const rest = rows.slice(shown).map(({ time }) => time);
    process.stdout.write(`${rest.length} others: ${rest.at(-1)?.toFixed(1)} to ${rest[0]?.toFixed(1)} ms\n`);
  },
  1_800_000,
);
