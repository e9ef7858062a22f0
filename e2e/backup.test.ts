import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listStoredFiles } from '#server/features/stored-files/stored-files.ts';
import { type Client, signUpAt, untilPublic, uploadTo } from '#testing/clients/api-client.ts';
import { earnReleased } from '#testing/fixtures/earnings.ts';
import { keyOf, monthsAgo, requestMonth, viewsAt } from '#testing/fixtures/months.ts';
import { databaseOf, publishPicture } from '#testing/fixtures/posts.ts';
import { freshClip } from '#testing/fixtures/reels.ts';
import { adminOn } from '#testing/servers/admin-command.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';

/*
 * A site is backed up while people use it, then lost, and restored from the backup.
 */
let data: Awaited<ReturnType<typeof dataFolder>>;
let folder: string;
let program: Program;
let creator: Client;
beforeAll(async () => {
  data = await dataFolder();
  folder = await mkdtemp(join(tmpdir(), 'jhalak-backups-'));
  program = await startProgram({ DATA_DIR: data.path });
  creator = await signUpAt(program.origin, 'keeper');
});
afterAll(async () => {
  await program?.stop();
  await data?.remove();
  await rm(folder, { recursive: true, force: true });
});

/** People publish, watch, like and delete until they are stopped; returns how often. */
function busy(dataDir: string, origin: string, { id, send }: Client) {
  let stopping = false;
  const run = async () => {
    const db = await databaseOf(dataDir);
    let deeds = 0;
    for (; !stopping; deeds += 1) {
      const post = await publishPicture(db, dataDir, id, `Picture ${deeds}`, new Date());
      await send('POST', `/api/post/like/${post}`);
      await fetch(`${origin}/api/post/getallPostsall`);
      if (deeds % 2 === 0) await send('DELETE', `/api/post/deletePost/${post}`);
    }
    await db.destroy();
    return deeds;
  };
  const running = run();
  return async () => {
    stopping = true;
    return await running;
  };
}

it('a backup made under traffic restores the same site into an empty folder', {
  timeout: 240_000,
}, async () => {
  const { origin } = program;
  const { fileName: published } = await uploadTo(origin, creator.token, await freshClip());
  const { body } = await creator.send('POST', '/api/reel/add', { videoKey: published, caption: 'Kept' });
  const { _id: reel } = (body as unknown as { data: { _id: string } }).data;
  await untilPublic(origin, reel);
  const { fileName: waiting } = await uploadTo(origin, creator.token, await freshClip());
  const db = await databaseOf(data.path);
  const lastMonth = monthsAgo(1);
  await viewsAt(db, reel, lastMonth, 500);
  await earnReleased(db, creator.id, keyOf(lastMonth));
  await requestMonth(db, creator.id, keyOf(lastMonth), new Date());
  await db.destroy();
  const shown = (await (await fetch(`${origin}/api/reel/getReel/${reel}`)).json()).data;
  const video = await bytesOf(origin, shown.videourl);

  const rest = busy(data.path, origin, creator);
  const backup = join(folder, 'first');
  const made = await adminOn({ DATA_DIR: data.path }, ['backup', backup]);
  expect(made).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/rows and \d+ files/) });
  expect(await rest()).toBeGreaterThan(0);
  await program.stop();

  const place = { DATA_DIR: join(folder, 'restored') };
  const restored = await adminOn(place, ['restore', backup]);
  expect(restored, restored.err).toMatchObject({ code: 0 });
  expect((await adminOn(place, ['restore', backup])).err).toMatch(/^The data folder .* is not empty;.*\n$/);

  const again = await startProgram(place);
  try {
    // Old sessions do not work; the old password still logs in.
    expect((await fetchAs(again.origin, creator.token, '/api/block')).status).toBe(401);
    const signIn = await fetch(`${again.origin}/api/signin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'keeper@people.example', password: 'a long password' }),
    });
    expect(signIn.status).toBe(200);
    const token: string = (await signIn.json()).data;

    const there = await databaseOf(place.DATA_DIR);
    const { media, inbox } = await listStoredFiles(there);
    await there.destroy();
    expect(media.length).toBeGreaterThan(0);
    expect(inbox).toEqual([waiting]);
    for (const key of media)
      expect(existsSync(join(place.DATA_DIR, 'media', key.slice(0, 2), key)), key).toBe(true);
    expect((await bytesOf(again.origin, shown.videourl)).equals(video)).toBe(true);

    const audit = await adminOn(place, ['ledger', 'audit', '--json']);
    const { withdrawals, differences } = JSON.parse(audit.out);
    expect(withdrawals).toBe(1);
    expect(differences).toEqual([]);

    // A reel that had only been uploaded is processed by the queue of the restored site, and published.
    const late = await fetchAs(again.origin, token, '/api/reel/add', { videoKey: waiting });
    await untilPublic(again.origin, (await late.json()).data._id);
  } finally {
    await again.stop();
  }
});

const bytesOf = async (origin: string, path: string) =>
  Buffer.from(await (await fetch(`${origin}${path}`)).arrayBuffer());

const fetchAs = (origin: string, token: string, path: string, body?: object) =>
  fetch(`${origin}${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
