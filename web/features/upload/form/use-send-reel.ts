import { addReel, type Reel } from '#contract/reels.ts';
import { call } from '#web/api.ts';
import type { Picked } from '../media/media.ts';
import { type SentFile, sendFile } from '../transfer/send-file.ts';
import { sendVideo } from '../transfer/send-video.ts';
import type { Transfer } from '../transfer/transfer.ts';
import type { Publisher } from './publisher.ts';
import { useTransfer } from './use-transfer.ts';

/** A video that the server has, and the URL of its thumbnail. */
interface Arrived {
  video: SentFile;
  thumbnillurl: string;
}

export interface ReelDraft {
  caption: string;
  creadit: string;
  category: string[];
}

export interface SentReel {
  reel: Reel;
  duplicate: boolean;
}

/** Sends a video and its thumbnail, then publishes the reel. */
export function useSendReel() {
  const { run, control } = useTransfer(sendFiles);

  /** `draft` is called after the upload, so that what was typed meanwhile is included. */
  const send = (picked: Picked, draft: () => ReelDraft, who: Publisher): Promise<SentReel> =>
    run(picked, async ({ video, thumbnillurl }: Arrived) => {
      const body = { ...draft(), ...who, videourl: video.fileUrl, videoKey: video.fileName, thumbnillurl };
      const { data } = await call(addReel, { body });
      return { reel: data, duplicate: video.duplicate };
    });

  return { send, control };
}

async function sendFiles({ file, thumbnail }: Picked, transfer: Transfer): Promise<Arrived> {
  const thumbnillurl = await sendThumbnail(await thumbnail, transfer);
  return { video: await sendVideo(file, transfer), thumbnillurl };
}

/** Empty where there is no thumbnail: the server then makes its own poster. Only a cancelled upload throws. */
async function sendThumbnail(thumbnail: File | undefined, transfer: Transfer): Promise<string> {
  transfer.signal.throwIfAborted();
  if (!thumbnail) return '';
  try {
    // The thumbnail has only a few kilobytes, so the progress shown is that of the video.
    return (await sendFile('thumbnail', thumbnail, { ...transfer, onProgress: () => undefined })).fileUrl;
  } catch (error) {
    if (transfer.signal.aborted) throw error;
    return '';
  }
}
