import { limits } from '../../../contract/limits.ts';

const patience = 8000;

/**
 * The frame at 1 s as a PNG of 300 × 533 (specification §5). Undefined where this browser cannot read the video: the
 * server's own poster serves then.
 */
export async function takeThumbnail(file: File): Promise<File | undefined> {
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.preload = 'auto';
  try {
    video.src = url;
    await happens(video, 'loadeddata');
    video.currentTime = Math.min(limits.thumbnail.atSecond, video.duration / 2);
    await happens(video, 'seeked');
    return await drawFrame(video);
  } catch {
    return undefined;
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  }
}

function happens(video: HTMLVideoElement, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('too slow')), patience);
    video.addEventListener('error', () => reject(video.error), { once: true });
    video.addEventListener(
      event,
      () => {
        clearTimeout(late);
        resolve();
      },
      { once: true },
    );
  });
}

/** Fills the frame, cutting what stands over, as the grid shows it. */
async function drawFrame(video: HTMLVideoElement): Promise<File | undefined> {
  const { width, height } = limits.thumbnail;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const scale = Math.max(width / video.videoWidth, height / video.videoHeight);
  const [shownWidth, shownHeight] = [video.videoWidth * scale, video.videoHeight * scale];
  const brush = canvas.getContext('2d');
  brush?.drawImage(video, (width - shownWidth) / 2, (height - shownHeight) / 2, shownWidth, shownHeight);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob ? new File([blob], 'thumbnail.png', { type: 'image/png' }) : undefined;
}
