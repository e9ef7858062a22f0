import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { figure } from '#testing/report-figure.ts';
import {
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ MAX_CONCURRENT_PROBES: process.env.FIGURES ? '4' : '1' });
});
afterAll(() => server.close());

const many = process.env.FIGURES ? 10 : 5;

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

it("large pictures of one account delay another person's small photo only by those already being decoded", async () => {
  const [greedy, other] = [await signUpSomebody(server), await signUpSomebody(server)];
  const [large, small] = [await picture(process.env.FIGURES ? 7042 : 4000, 1), await picture(200, 2)];
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
  // One is running when it arrives, and the next one starts only after it.
  if (!process.env.FIGURES) expect(answered - doneBefore).toBeLessThanOrEqual(2);
  await Promise.all(theirs);
}, 240_000);

it.skipIf(process.env.FIGURES)(
  'pictures of many accounts of one network delay a photo from another network by those that are being read',
  async () => {
    const accounts: Person[] = [];
    for (let nth = 0; nth < many; nth += 1) accounts.push(await signUpSomebody(server));
    const other = await signUpSomebody(server);
    const [large, small] = [await picture(4000, 1), await picture(200, 2)];
    let answered = 0;
    const theirs = accounts.map(async (account, nth) => {
      await send(account, large, `2001:db8:7:${nth}::1`);
      answered += 1;
    });
    await Promise.race(theirs);
    const doneBefore = answered;
    await send(other, small, '2001:db8:8::1');
    expect(answered - doneBefore).toBeLessThanOrEqual(2);
    await Promise.all(theirs);
    expect(answered).toBe(many);
  },
  240_000,
);
