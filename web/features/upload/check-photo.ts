import { limits } from '#contract/limits.ts';
import type { MessageId } from '#web/messages/catalogues.ts';

/** Why a photo will not be taken, as its size says. */
export function sizeObjection(file: File): MessageId | undefined {
  if (file.size === 0) return 'upload.empty';
  if (file.size > limits.photo.maxBytes) return 'upload.photoTooLarge';
  return undefined;
}

/** Why a photo will not be taken, as far as the browser can tell before a byte is sent; the server looks closer. */
export async function contentObjection(file: File): Promise<MessageId | undefined> {
  if (!(await isPhoto(file))) return 'upload.notPhoto';
  return (await pixelsOf(file)) > limits.photo.maxPixels ? 'upload.tooManyPixels' : undefined;
}

/** JPEG, PNG, WebP, AVIF or HEIC by its first bytes, whatever its name and declared type. */
async function isPhoto(file: File): Promise<boolean> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  return (
    head.startsWith('\xff\xd8\xff') ||
    head.startsWith('\x89PNG') ||
    /^RIFF.{4}WEBP/s.test(head) ||
    /^.{4}ftyp(avi[fs]|hei[cxms]|hev[cx]|mif1|msf1)/s.test(head)
  );
}

/** As its header says; 0 where this browser does not read it, and the server will judge. */
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
