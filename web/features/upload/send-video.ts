import { forgetSmaller } from './kept-smaller.ts';
import { type SentFile, sendFile } from './send-file.ts';
import { smallerOf } from './smaller-of.ts';
import { leaving, type Transfer } from './transfer.ts';

/** Sends a video: made smaller where that is worth it and this browser can, else as it is. */
export async function sendVideo(file: File, transfer: Transfer): Promise<SentFile> {
  const smaller = await smallerOf(file, transfer);
  if (!smaller) return await sendFile('reel', file, transfer);
  try {
    const sent = await sendFile('reel', smaller.file, transfer, smaller.original);
    forgetSmaller(file);
    return sent;
  } catch (error) {
    const { aborted, reason } = transfer.signal;
    if (aborted && reason !== leaving) forgetSmaller(file);
    throw error;
  }
}
