import { compressVideo } from '../compress/compress-video.ts';
import { removeCompressed } from '../compress/compressed-video-cache.ts';
import { type SentFile, sendFile } from './send-file.ts';
import { pageLeft, type Transfer } from './transfer.ts';

/** Uploads a video: compressed where that pays off and the browser can do it, otherwise the original. */
export async function sendVideo(file: File, transfer: Transfer): Promise<SentFile> {
  const compressed = await compressVideo(file, transfer);
  if (!compressed) return await sendFile('reel', file, transfer);
  try {
    const sent = await sendFile('reel', compressed.file, transfer, compressed.original);
    removeCompressed(file);
    return sent;
  } catch (error) {
    const { aborted, reason } = transfer.signal;
    if (aborted && reason !== pageLeft) removeCompressed(file);
    throw error;
  }
}
