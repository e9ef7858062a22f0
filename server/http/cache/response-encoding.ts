import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

const encoders = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
};

/** Compressing a smaller body saves nothing. */
const threshold = 1024;

const encoded = new WeakMap<object, Partial<Record<Encoding, Promise<Buffer>>>>();

/** The smallest encoding that the client accepts. */
export function encodingOf(accepted = ''): Encoding {
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?(,|$))/.test(accepted)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?(,|$))/.test(accepted) ? 'gzip' : 'identity';
}

/** Compresses a response, once per encoding while it is cached. A short body is returned as it is. */
export async function encodeResponse(response: { body: Buffer }, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity' || response.body.length < threshold) return response.body;
  const known = encoded.get(response) ?? {};
  encoded.set(response, known);
  known[encoding] ??= encoders[encoding](response.body);
  return await known[encoding];
}
