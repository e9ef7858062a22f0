import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { RenderedResponse } from './render-cache.ts';

type Encoding = 'br' | 'gzip';

const encoders: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => promisify(gzip)(body),
};

const encoded = new WeakMap<RenderedResponse, Partial<Record<Encoding, Promise<Buffer>>>>();

/** Compresses a response as the client accepts it. Each response is compressed once per encoding while it is cached. */
export async function encodeResponse(
  response: RenderedResponse,
  accepted: string | undefined,
): Promise<{ body: Buffer; encoding: Encoding | undefined }> {
  const encoding = (['br', 'gzip'] as const).find((one) =>
    new RegExp(`\\b${one}\\b(?!\\s*;\\s*q=0(\\.0*)?(,|$))`).test(accepted ?? ''),
  );
  if (!encoding || response.body.length < 1024) return { body: response.body, encoding: undefined };
  const known = encoded.get(response) ?? {};
  encoded.set(response, known);
  known[encoding] ??= encoders[encoding](response.body);
  return { body: await known[encoding], encoding };
}
