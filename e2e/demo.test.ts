import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';
import { standInSettings } from '#testing/servers/razorpayx.ts';

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
/** How many stories and photos there are: they follow the first reel, one after the other. */
const pictures = async () => {
  const lists = ['/api/story/getallStorys', '/api/post/getallPostsall'].map(async (path) => {
    const { data } = await (await fetch(`${program.origin}${path}`)).json();
    return data.length as number;
  });
  return (await Promise.all(lists)).reduce((sum, count) => sum + count, 0);
};
const login = () => /log in as (\S+) with the password (\S+)/.exec(program.said().out)?.slice(1) ?? [];

/** A mail server and a payer, which the people of the demo get nothing of. */
const outside = {
  ORIGIN: 'http://localhost:3000',
  SMTP_URL: 'smtp://127.0.0.1:9',
  ...standInSettings('http://127.0.0.1:9'),
};

it('the first start seeds the demo in the background, prints a working login, and resumes after a stop, without mail and payer', {
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

  const before = await pictures();
  expect(await program.stop()).toBe(0);
  program = await startProgram({ ...settings(), ...outside });
  expect(program.said().out).toContain('No mail is sent: this site has the people of the demo.');
  expect(program.said().out).toContain('RazorpayX pays nothing: this site has the people of the demo.');
  // A reel that was published already would come again first.
  await expect.poll(pictures, encoded).toBeGreaterThan(before);
  expect(login()).toEqual([email, password]);
  const captions = (await feed()).map((reel: { caption: string }) => reel.caption);
  expect(new Set(captions).size).toBe(captions.length);
});
