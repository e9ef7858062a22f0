import { readFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import libheif, { type Channel, type HeifError } from 'libheif-js/wasm-bundle.js';
import sharp, { type Sharp } from 'sharp';
import { photoSize } from './photo-size.ts';

/**
 * Decodes a HEIC picture, which sharp cannot, upright and with its colour profile. libheif runs in WebAssembly, which
 * isolates the effects of a damaged file. Throws if it cannot be decoded.
 */
export async function openHeic(path: string, icc: Buffer | undefined): Promise<Sharp> {
  const { data, width, height, channels } = await decode(await readFile(path));
  const picture = sharp(data, { raw: { width, height, channels } });
  if (!icc) return picture;
  // Twice its output; larger would waste memory.
  const ample = photoSize({ width: width / 2, height: height / 2 });
  const bytes = await picture
    .resize({ width: 2 * ample.width, height: 2 * ample.height, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return sharp(withProfile(bytes, icc));
}

async function decode(bytes: Buffer) {
  const context = libheif.heif_context_alloc();
  const read = libheif.heif_context_read_from_memory(context, bytes);
  if (read.code !== libheif.heif_error_code.heif_error_Ok) throw new Error(read.message);
  const handle = orThrow(libheif.heif_js_context_get_primary_image_handle(context));
  const { heif_chroma_interleaved_RGBA, heif_chroma_interleaved_RGB } = libheif.heif_chroma;
  const hasAlpha = libheif.heif_image_handle_has_alpha_channel(handle) !== 0;
  const { heif_colorspace_RGB } = libheif.heif_colorspace;
  const chroma = hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
  const decoded = orThrow(await libheif.heif_js_decode_image2(handle, heif_colorspace_RGB, chroma));
  const [plane] = decoded.channels;
  if (!plane) throw new Error('libheif gave no pixels');
  const channels = hasAlpha ? 4 : 3;
  const data = packed(plane, channels);
  libheif.heif_image_release(decoded.image);
  libheif.heif_image_handle_release(handle);
  libheif.heif_context_free(context);
  return { data, width: plane.width, height: plane.height, channels } as const;
}

function orThrow<T extends object>(answer: T | HeifError): T {
  if ('code' in answer && answer.code) throw new Error((answer as HeifError).message);
  return answer as T;
}

/** The rows of the picture without the padding between them. */
function packed({ data, width, height, stride }: Channel, channels: number): Uint8Array {
  const row = width * channels;
  const rows = new Uint8Array(row * height);
  for (let y = 0; y < height; y += 1) rows.set(data.subarray(y * stride, y * stride + row), y * row);
  return rows;
}

/** The same PNG with its colour profile; sharp itself can only convert to a profile. */
function withProfile(png: Buffer, icc: Buffer): Buffer {
  const header = 8 + 25;
  const content = Buffer.concat([Buffer.from('iCCPprofile\0\0'), deflateSync(icc)]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length - 4);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([png.subarray(0, header), length, content, check, png.subarray(header)]);
}
