import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, clientAt, signUpAt, untilPublic } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';

/*
 * Each version is deployed while the previous one runs (CHANGELOG.md): both serve the same people from one database
 * and one folder. The previous version is checked out from the history and built.
 */
const run = promisify(execFile);

/** The previous version and its commit, as the changelog names them: `## 0.1.0 (8251306, 2026-11-22)`. */
async function versionBefore(): Promise<{ version: string; commit: string }> {
  const [current, versions] = await Promise.all([
    readFile('package.json', 'utf8').then((text) => JSON.parse(text).version as string),
    readFile('CHANGELOG.md', 'utf8').then((text) => [
      ...text.matchAll(/^## (\d+\.\d+\.\d+) \(([0-9a-f]{7,40}), [\d-]+\)$/gm),
    ]),
  ]);
  const before = versions.find(([, version]) => version !== current);
  if (!before?.[1] || !before[2]) throw new Error('CHANGELOG.md names no version before this one');
  return { version: before[1], commit: before[2] };
}

let old: string;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let data: Awaited<ReturnType<typeof dataFolder>>;
const programs: Program[] = [];
beforeAll(async () => {
  const { commit } = await versionBefore();
  old = await mkdtemp(join(tmpdir(), 'jhalak-before-'));
  await run('git', ['archive', '--output', join(old, 'archive.tar'), commit]);
  await run('tar', ['xf', 'archive.tar'], { cwd: old });
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: old });
  await run('npm', ['run', 'build'], { cwd: old });
  [database, data] = await Promise.all([freshDatabase('template1'), dataFolder()]);
}, 600_000);
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  await database.drop();
  await data.remove();
  await rm(old, { recursive: true, force: true });
});

async function start(folder?: string): Promise<Program> {
  const settings = { DATABASE_URL: database.url, DATA_DIR: data.path };
  const program = await startProgram(settings, folder && join(folder, 'server/main.ts'));
  programs.push(program);
  return program;
}

/** Everything that a person does with a reel. */
async function actsAt({ origin }: Program, { token, user }: Client, reel: string): Promise<void> {
  const client = clientAt(origin, token, user);
  await untilPublic(origin, reel);
  const { data: found } = await (await fetch(`${origin}/api/reel/getReel/${reel}`)).json();
  expect((await fetch(`${origin}${found.videourl}`)).status).toBe(200);
  expect(
    (await client.send('POST', `/api/reel/comment/${reel}`, { text: 'Kites!', sentAs: randomUUID() })).status,
  ).toBeLessThan(300);
  expect((await fetch(`${origin}/api/reel/increaseView/${reel}`, { method: 'POST' })).status).toBe(200);
  expect((await client.send('GET', '/api/block')).status).toBe(200);
  expect((await fetch(`${origin}/`)).status).toBe(200);
}

it('the previous version and this one serve the same people side by side, and this one continues alone', async () => {
  const clip = join(data.path, 'clip.mp4');
  await makeClip(clip, { seconds: 1 });

  const before = await start(old);
  const asha = await signUpAt(before.origin, 'asha');
  const first = await asha.publish(clip, 'Made before');

  const after = await start();
  const ravi = await signUpAt(after.origin, 'ravi');
  const second = await ravi.publish(clip, 'Made after');
  // The previous version publishes a reel although this one has migrated the tables.
  const third = await asha.publish(clip, 'Made by the version before, on new tables');
  for (const program of [before, after])
    for (const person of [asha, ravi])
      for (const reel of [first, second, third]) await actsAt(program, person, reel);
  // Each logs in at the other version.
  const zoya = await signUpAt(before.origin, 'zoya');
  await signUpAt(after.origin, 'meera');

  expect(await before.stop()).toBe(0);
  for (const person of [asha, ravi, zoya])
    for (const reel of [first, second, third]) await actsAt(after, person, reel);
  const list = await (await fetch(`${after.origin}/api/reel/getallReels?limit=10`)).json();
  expect(list.data.map(({ _id }: { _id: string }) => _id).sort()).toEqual([first, second, third].sort());
});
