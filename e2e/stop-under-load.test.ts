import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { signUpAt, untilPublic, uploadTo } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { freshClip } from '#testing/fixtures/reels.ts';
import { figure } from '#testing/report-figure.ts';
import { dataFolder, startProgram } from '#testing/servers/program.ts';

/*
 * SIGTERM under load: requests in progress are answered; clients on open connections are told to use another one;
 * an upload in progress completes; longer work is done by the next worker.
 */
const stops = Number(process.env.STOPS ?? 1);

let data: Awaited<ReturnType<typeof dataFolder>>;
beforeEach(async () => {
  data = await dataFolder();
});
afterEach(() => data.remove());

/** Clients that open another connection after `connection: close`, as a proxy does. */
function crowdAt(origin: string, clients: number) {
  const found = { answered: 0, failed: [] as string[], sentAway: 0 };
  let over = false;
  const one = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let stays = true;
    while (stays && !over) {
      stays = await new Promise<boolean>((resolve) => {
        let begun = false;
        const asking = request(`${origin}/api/reel/getallReels?limit=10`, { agent }, (answer) => {
          begun = true;
          answer.resume();
          answer.on('error', (error) => {
            found.failed.push(error.message);
            resolve(false);
          });
          answer.on('end', () => {
            if (answer.statusCode === 200) found.answered += 1;
            else found.failed.push(`${answer.statusCode}`);
            const goes = answer.headers.connection === 'close';
            if (goes) found.sentAway += 1;
            resolve(!goes);
          });
        });
        asking.on('error', (error) => {
          // A connection was closed while it was idle: no response had begun, and repeating the request is safe.
          if (begun || !asking.reusedSocket) found.failed.push(error.message);
          resolve(false);
        });
        asking.end();
      });
    }
    agent.destroy();
  };
  const all = Promise.all(Array.from({ length: clients }, one));
  return {
    found,
    async end() {
      over = true;
      await all;
      return found;
    },
  };
}

it(
  `stopped ${stops === 1 ? 'once' : `${stops} times`} under load, no request fails`,
  async () => {
    const seconds: number[] = [];
    let answered = 0;
    let sentAway = 0;
    let program = await startProgram({ DATA_DIR: data.path });
    const creator = await signUpAt(program.origin, 'interrupted');
    const clip = await freshClip();
    for (let stop = 0; stop < stops; stop += 1) {
      const crowd = crowdAt(program.origin, 8);
      await expect.poll(() => crowd.found.answered).toBeGreaterThan(20);
      const upload = slowly(program.origin, creator.token, clip);
      await upload.halfSent;
      const asked = performance.now();
      const ended = once(program.child, 'close');
      program.child.kill('SIGTERM');
      await sleep(100);
      upload.goOn();
      expect(await upload.status).toBe(200);
      const found = await crowd.end();
      expect(found.failed).toEqual([]);
      expect(await ended).toEqual([0, null]);
      seconds.push((performance.now() - asked) / 1000);
      answered += found.answered;
      sentAway += found.sentAway;
      program = await startProgram({ DATA_DIR: data.path });
    }
    await program.stop();
    figure(`stopped ${stops} times under load`, {
      answered,
      'told to go elsewhere': sentAway,
      failed: 0,
      seconds: Math.max(...seconds),
    });
  },
  120_000 + stops * 60_000,
);

it('the next worker finishes a job that was running', async () => {
  let program = await startProgram({ DATA_DIR: data.path });
  const creator = await signUpAt(program.origin, 'halfway');
  const path = join(data.path, 'long.mp4');
  await makeClip(path, { seconds: 3, width: 720, height: 1280, source: 'testsrc2=size=720x1280:rate=25' });
  const { fileName } = await uploadTo(program.origin, creator.token, await readFile(path));
  const { body } = await creator.send('POST', '/api/reel/add', { videoKey: fileName });
  const id = (body as unknown as { data: { _id: string } }).data._id;
  // A workspace exists while a transcode runs.
  await expect
    .poll(async () => (await readdir(join(data.path, 'workspaces'))).length, { interval: 10 })
    .toBeGreaterThan(0);
  expect(await program.stop()).toBe(0);
  program = await startProgram({ DATA_DIR: data.path });
  await untilPublic(program.origin, id);
  await program.stop();
});

/** Sends half of a file, and the rest when `finish` is called. */
function slowly(origin: string, token: string, bytes: Uint8Array) {
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n';
  const tail = '\r\n--b--\r\n';
  const sending = request(`${origin}/api/s3Reel/uploadReels`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': head.length + bytes.length + tail.length,
    },
  });
  const half = bytes.length >> 1;
  const status = new Promise<number | undefined>((resolve, reject) => {
    sending.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sending.on('error', reject);
  });
  status.catch(() => undefined);
  sending.write(head);
  const halfSent = new Promise<void>((resolve) => sending.write(bytes.subarray(0, half), () => resolve()));
  return {
    status,
    halfSent,
    goOn() {
      sending.write(bytes.subarray(half));
      sending.end(tail);
    },
  };
}
