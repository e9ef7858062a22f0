import { limits } from '#contract/limits.ts';
import type { MessageId } from '#web/messages/catalogues.ts';

/** The error message if the file's size is not allowed. */
export function sizeProblem(file: File): MessageId | undefined {
  if (file.size === 0) return 'upload.empty';
  if (file.size > limits.photo.maxBytes) return 'upload.photoTooLarge';
  return undefined;
}

/** The error message if the browser sees that the file is not allowed. The server checks more. */
export async function contentProblem(file: File): Promise<MessageId | undefined> {
  if (!(await isPhoto(file))) return 'upload.notPhoto';
  return (await pixelsOf(file)) > limits.photo.maxPixels ? 'upload.tooManyPixels' : undefined;
}

/** Recognizes JPEG, PNG, WebP, AVIF and HEIC by their first bytes; name and declared type are ignored. */
async function isPhoto(file: File): Promise<boolean> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  return (
    head.startsWith('\xff\xd8\xff') ||
    head.startsWith('\x89PNG') ||
    /^RIFF.{4}WEBP/s.test(head) ||
    /^.{4}ftyp(avi[fs]|hei[cxms]|hev[cx]|mif1|msf1)/s.test(head)
  );
}

/** The number of pixels; 0 where this browser cannot read the photo, and only the server checks it. */
async function pixelsOf(file: File): Promise<number> {
  const url = URL.createObjectURL(file);
  const picture = new Image();
  const settled = new Promise<void>((resolve) => {
    picture.onload = () => resolve();
    picture.onerror = () => resolve();
  });
  picture.src = url;
  await settled;
  URL.revokeObjectURL(url);
  return picture.naturalWidth * picture.naturalHeight;
}
