import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { encodeResponse, encodingOf } from './response-encoding.ts';

const page = { status: 200, headers: {}, body: Buffer.from('glimpse '.repeat(500)) };
const decoders = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.5', 'br'],
  ['identity', 'identity'],
  [undefined, 'identity'],
] as const)('a browser that takes %j gets %s', async (accepted, expected) => {
  const encoding = encodingOf(accepted);
  expect(encoding).toBe(expected);
  const body = await encodeResponse(page, encoding);
  expect(decoders[encoding](body).equals(page.body)).toBe(true);
});

it('a page is compressed once for all clients', async () => {
  const [one, two] = await Promise.all([encodeResponse(page, 'br'), encodeResponse(page, 'br')]);
  expect(one).toBe(two);
});

it('a short response is not compressed', async () => {
  const short = { ...page, body: Buffer.from('glimpse') };
  expect(await encodeResponse(short, 'br')).toBe(short.body);
});
