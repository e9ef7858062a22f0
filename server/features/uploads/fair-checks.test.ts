import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endSpareChildren } from '#server/media/children.ts';
import { photoBounds } from '#server/media/encode-photo.ts';
import { figure } from '#testing/report-figure.ts';
import { childrenOf } from '#testing/servers/processes.ts';
import {
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

let server: TestServer;
// On a busy machine a decoder may need longer. The order is tested here, not the time.
const { seconds } = photoBounds;
beforeAll(async () => {
  photoBounds.seconds = 200;
  server = await startTestServer({ MAX_CONCURRENT_PROBES: process.env.FIGURES ? '4' : '1' });
});
afterAll(async () => {
  photoBounds.seconds = seconds;
  await server.close();
});

const [many, side] = process.env.FIGURES ? [10, 7042] : [5, 1000];

/** A PNG of few bytes and many pixels. */
async function picture(side: number, blue: number) {
  const background = { r: 200, g: 30, b: blue };
  const png = await sharp({ create: { width: side, height: side, channels: 3, background } })
    .png()
    .toBuffer();
  return await multipart(new Uint8Array(png), 'file', 'photo.png', 'image/png');
}

async function send(
  person: Person,
  { payload, headers }: Awaited<ReturnType<typeof picture>>,
  remoteAddress = '192.0.2.1',
) {
  const response = await server.inject({
    remoteAddress,
    method: 'POST',
    url: '/api/s3Post/uploadPosts',
    payload,
    headers: { ...headers, ...person.headers },
  });
  expect(response.statusCode).toBe(200);
}

const waitForDecoders = (count: number) =>
  expect.poll(() => readdir(join(server.dataDir, 'workspaces')), { interval: 20 }).toHaveLength(count);

/** Sends the large pictures, and the small one while the first of them is being read and the others wait. */
async function sendBehind(large: () => Promise<void>[], small: () => Promise<void>) {
  let answered = 0;
  endSpareChildren();
  const known = childrenOf(process.pid);
  const theirs = large().map((sent) => sent.then(() => (answered += 1)));
  const decoder = () => childrenOf(process.pid).find((pid) => !known.includes(pid));
  await expect.poll(decoder, { interval: 10 }).toBeDefined();
  const held = decoder() ?? 0;
  process.kill(held, 'SIGSTOP');
  await waitForDecoders(many);
  const own = small();
  await waitForDecoders(many + 1);
  process.kill(held, 'SIGCONT');
  await own;
  const before = answered;
  await Promise.all(theirs);
  expect(answered).toBe(many);
  return { before };
}

it("large pictures of one account delay another person's small photo only by those already being decoded", async () => {
  const [greedy, other] = [await signUpSomebody(server), await signUpSomebody(server)];
  const [large, small] = [await picture(side, 1), await picture(200, 2)];
  if (!process.env.FIGURES) {
    const { before } = await sendBehind(
      () => Array.from({ length: many }, () => send(greedy, large)),
      () => send(other, small),
    );
    // The first one is running when it arrives, and the next one starts only after it.
    expect(before).toBeLessThanOrEqual(2);
    return;
  }
  let answered = 0;
  const before = performance.now();
  await send(other, small);
  const alone = performance.now() - before;
  const theirs = Array.from({ length: many }, async () => {
    await send(greedy, large);
    answered += 1;
  });
  // The first is already done when the other person's photo arrives.
  await Promise.race(theirs);
  const [sent, doneBefore] = [performance.now(), answered];
  await send(other, small);
  figure("Another person's 200 × 200 photo behind ten PNGs of 49.6 megapixels of one account", {
    'alone, in seconds': alone / 1000,
    'behind them, in seconds': (performance.now() - sent) / 1000,
    'of them read meanwhile': answered - doneBefore,
    'of them before': doneBefore,
  });
  await Promise.all(theirs);
}, 240_000);

it.skipIf(process.env.FIGURES)(
  'pictures of many accounts of one network delay a photo from another network by those that are being read',
  async () => {
    const accounts: Person[] = [];
    for (let nth = 0; nth < many; nth += 1) accounts.push(await signUpSomebody(server));
    const other = await signUpSomebody(server);
    const [large, small] = [await picture(side, 1), await picture(200, 2)];
    const { before } = await sendBehind(
      () => accounts.map((account, nth) => send(account, large, `2001:db8:7:${nth}::1`)),
      () => send(other, small, '2001:db8:8::1'),
    );
    expect(before).toBeLessThanOrEqual(2);
  },
  240_000,
);
