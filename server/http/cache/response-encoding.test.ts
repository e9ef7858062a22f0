import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { encodeResponse, encodingOf, negotiateEncoding } from './response-encoding.ts';

const page = { status: 200, headers: {}, body: Buffer.from('glimpse '.repeat(500)) };
const decoders = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.5', 'br'],
  ['identity', 'identity'],
  ['', 'identity'],
  ['zstd', 'identity'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['BR ; Q=0.1', 'br'],
  ['x-gzip', 'gzip'],
  ['brotli, gzipped', 'identity'],
  ['gzip, *;q=0', 'gzip'],
  [undefined, 'identity'],
] as const)('a browser that takes %j gets %s', async (accepted, expected) => {
  const encoding = encodingOf(accepted);
  expect(encoding).toBe(expected);
  const body = await encodeResponse(page, encoding);
  expect(decoders[encoding](body).equals(page.body)).toBe(true);
});

it.each([
  ['identity;q=0', undefined, true],
  ['*;q=0', undefined, true],
  ['zstd, *;q=0.0', undefined, true],
  ['gzip, identity;q=0', 'gzip', true],
  ['br, *;q=0', 'br', true],
  ['identity, *;q=0', 'identity', false],
  ['identity;q=0.1, br;q=0, gzip;q=0', 'identity', false],
] as const)(
  'of %j the encoding is %s, and that identity is refused is %s',
  (accepted, encoding, refusesIdentity) => {
    expect(negotiateEncoding(accepted)).toEqual({ encoding, refusesIdentity });
  },
);

it('a page is compressed once for all clients', async () => {
  const [one, two] = await Promise.all([encodeResponse(page, 'br'), encodeResponse(page, 'br')]);
  expect(one).toBe(two);
});

it('a short response is not compressed', async () => {
  const short = { ...page, body: Buffer.from('glimpse') };
  expect(await encodeResponse(short, 'br')).toBe(short.body);
});
