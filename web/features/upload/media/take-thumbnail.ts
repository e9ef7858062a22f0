import { limits } from '#contract/limits.ts';
import { frameTime } from './frame-time.ts';
import { withTimeout } from './with-timeout.ts';

/** A frame that takes longer is abandoned. */
const timeoutMs = 8000;

/**
 * The frame at 1 s as a PNG of 300 × 533 (specification §5). Undefined where this browser cannot read the video; the server
 * then makes a poster.
 */
export async function takeThumbnail(file: File): Promise<File | undefined> {
  try {
    return await toPng(await frameOfElement(file));
  } catch {
    // The video element cannot play the file, but the library below may still decode it.
  }
  try {
    const { frameOf } = await import('./probe-video.ts');
    const frame = await withTimeout(timeoutMs, frameOf(file));
    return frame && (await toPng(frame));
  } catch {
    return undefined;
  }
}

/** The frame that a video element shows now, as a thumbnail. */
export const pictureOf = (video: HTMLVideoElement) => toPng(drawFrame(video)).catch(() => undefined);

async function frameOfElement(file: File): Promise<HTMLCanvasElement> {
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.preload = 'auto';
  try {
    video.src = url;
    await withTimeout(timeoutMs, happens(video, 'loadeddata'));
    if (video.videoWidth === 0) throw new Error('No picture.');
    video.currentTime = frameTime(video.duration);
    await withTimeout(timeoutMs, happens(video, 'seeked'));
    return drawFrame(video);
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  }
}

const happens = (video: HTMLVideoElement, event: string) =>
  new Promise<void>((resolve, reject) => {
    video.addEventListener('error', () => reject(video.error), { once: true });
    video.addEventListener(event, () => resolve(), { once: true });
  });

/** Fills the thumbnail and crops the rest, as `object-fit: cover` does in the grid. */
function drawFrame(video: HTMLVideoElement): HTMLCanvasElement {
  const { width, height } = limits.thumbnail;
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const scale = Math.max(width / video.videoWidth, height / video.videoHeight);
  const [shownWidth, shownHeight] = [video.videoWidth * scale, video.videoHeight * scale];
  const brush = canvas.getContext('2d');
  brush?.drawImage(video, (width - shownWidth) / 2, (height - shownHeight) / 2, shownWidth, shownHeight);
  return canvas;
}

async function toPng(canvas: HTMLCanvasElement | OffscreenCanvas): Promise<File> {
  const blob =
    canvas instanceof HTMLCanvasElement
      ? await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
      : await canvas.convertToBlob({ type: 'image/png' });
  if (!blob) throw new Error('The frame could not be written.');
  return new File([blob], 'thumbnail.png', { type: 'image/png' });
}
