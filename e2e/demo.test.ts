import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';

let data: Awaited<ReturnType<typeof dataFolder>>;
let program: Program;
const settings = () => ({ DATA_DIR: data.path, JHALAK_DEMO: 'on' });
beforeAll(async () => {
  data = await dataFolder();
  program = await startProgram(settings());
});
afterAll(async () => {
  await program?.stop();
  await data?.remove();
});

const feed = async () => (await (await fetch(`${program.origin}/api/reel/getallReels`)).json()).data;
const login = () => /log in as (\S+) with the password (\S+)/.exec(program.said().out)?.slice(1) ?? [];

it('the first start seeds the demo in the background, prints a working login, and resumes after a stop', {
  timeout: 660_000,
}, async () => {
  // Its films are encoded one after the other.
  const encoded = { timeout: 300_000 };
  await expect.poll(async () => (await feed()).length, encoded).toBeGreaterThan(0);
  const [first] = await feed();
  expect(first).toMatchObject({
    username: 'aarav.skies',
    state: 'ready',
    category: [{ id: 'festivals' }, { id: 'family' }, { id: 'trending' }],
  });
  expect(await (await fetch(program.origin)).text()).toContain(first.caption);

  const [email, password] = login();
  const signIn = await fetch(`${program.origin}/api/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  expect(signIn.status).toBe(200);

  expect(await program.stop()).toBe(0);
  program = await startProgram(settings());
  await expect.poll(async () => (await feed()).length, encoded).toBeGreaterThan(1);
  expect(login()).toEqual([email, password]);
  const captions = (await feed()).map((reel: { caption: string }) => reel.caption);
  expect(new Set(captions).size).toBe(captions.length);
});
