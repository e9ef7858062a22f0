import { limits } from '#contract/limits.ts';
import type { Client } from '../platform/fair-queue.ts';
import { photoFile, smallPhotoFile } from './file-names.ts';
import { MediaRefusal } from './refusal.ts';
import { runInChild } from './run-in-child.ts';
import { type ImageFormat, sniff } from './sniff.ts';
import type { PhotoOutput } from './tasks/photo.ts';

/** The uploader waits for the response, which comes within half a minute. */
export const photoBounds = { seconds: 28, memory: 1024 ** 3, refuseDeadly: true };

/** Makes a photo's files in `folder`. Throws MediaRefusal if the picture is invalid. */
export async function encodePhoto(path: string, folder: string, client?: Client): Promise<PhotoOutput> {
  const format = await formatOf(path);
  return await runInChild(
    'photo',
    { path, format, folder, file: photoFile, small: smallPhotoFile, maxPixels: limits.photo.maxPixels },
    { ...photoBounds, client },
  );
}

/** The picture's format by its first bytes; other formats are refused. */
export async function formatOf(path: string): Promise<ImageFormat> {
  const sniffed = await sniff(path);
  if (sniffed.kind === 'empty') throw new MediaRefusal('file_empty', {}, 'file');
  if (sniffed.kind !== 'image') {
    throw new MediaRefusal('file_not_image', { what: 'photo' }, 'file');
  }
  return sniffed.format;
}
