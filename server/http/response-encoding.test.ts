import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { encodeResponse } from './response-encoding.ts';

const page = { status: 200, headers: {}, body: Buffer.from('glimpse '.repeat(500)) };

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.5', 'br'],
  ['identity', undefined],
  [undefined, undefined],
])('a browser that takes %j gets %s', async (accepted, expected) => {
  const { body, encoding } = await encodeResponse(page, accepted);
  expect(encoding).toBe(expected);
  const plain = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes }[
    encoding ?? 'none'
  ](body);
  expect(plain.equals(page.body)).toBe(true);
});

it('a page is compressed once for everyone', async () => {
  const [one, two] = await Promise.all([encodeResponse(page, 'br'), encodeResponse(page, 'br')]);
  expect(one.body).toBe(two.body);
});
