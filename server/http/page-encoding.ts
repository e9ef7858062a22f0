import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Page } from './page-cache.ts';

type Encoding = 'br' | 'gzip';

const encoders: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => promisify(gzip)(body),
};

const kept = new WeakMap<Page, Partial<Record<Encoding, Promise<Buffer>>>>();

/** The page's bytes as the browser takes them; each page is compressed once for all who ask while it is kept. */
export async function encodePage(
  page: Page,
  accepted: string | undefined,
): Promise<{ body: Buffer; encoding: Encoding | undefined }> {
  const encoding = (['br', 'gzip'] as const).find((one) =>
    new RegExp(`\\b${one}\\b(?!\\s*;\\s*q=0(\\.0*)?(,|$))`).test(accepted ?? ''),
  );
  if (!encoding || page.body.length < 1024) return { body: page.body, encoding: undefined };
  const known = kept.get(page) ?? {};
  kept.set(page, known);
  known[encoding] ??= encoders[encoding](page.body);
  return { body: await known[encoding], encoding };
}
