import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Answer } from './render-cache.ts';

type Encoding = 'br' | 'gzip';

const encoders: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => promisify(gzip)(body),
};

const kept = new WeakMap<Answer, Partial<Record<Encoding, Promise<Buffer>>>>();

/** The answer's bytes as the browser takes them; each is compressed once for all who ask while it is kept. */
export async function encodeResponse(
  answer: Answer,
  accepted: string | undefined,
): Promise<{ body: Buffer; encoding: Encoding | undefined }> {
  const encoding = (['br', 'gzip'] as const).find((one) =>
    new RegExp(`\\b${one}\\b(?!\\s*;\\s*q=0(\\.0*)?(,|$))`).test(accepted ?? ''),
  );
  if (!encoding || answer.body.length < 1024) return { body: answer.body, encoding: undefined };
  const known = kept.get(answer) ?? {};
  kept.set(answer, known);
  known[encoding] ??= encoders[encoding](answer.body);
  return { body: await known[encoding], encoding };
}
