import { addReel, type Reel } from '#contract/reels.ts';
import { call } from '#web/api.ts';
import type { Picked } from './media.ts';
import type { Publisher } from './publisher.ts';
import { type SentFile, sendFile } from './send-file.ts';
import { sendVideo } from './send-video.ts';
import type { Transfer } from './transfer.ts';
import { useTransfer } from './use-transfer.ts';

/** A video that has arrived already, and its thumbnail's address. */
interface Arrived {
  video: SentFile;
  thumbnillurl: string;
}

export interface Draft {
  caption: string;
  creadit: string;
  category: string[];
}

export interface Sent {
  reel: Reel;
  duplicate: boolean;
}

/** Sends a video and its thumbnail, then publishes the reel. */
export function useSend() {
  const { run, control } = useTransfer(sendFiles);

  /** `draft` is asked for when the video has arrived: what was typed while it travelled counts. */
  const send = (picked: Picked, draft: () => Draft, who: Publisher): Promise<Sent> =>
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

/** Empty where there is none: the server's own poster serves. Only a cancelled upload ends here. */
async function sendThumbnail(thumbnail: File | undefined, transfer: Transfer): Promise<string> {
  transfer.signal.throwIfAborted();
  if (!thumbnail) return '';
  try {
    // A few kilobytes: how far it is, is told of the video.
    return (await sendFile('thumbnail', thumbnail, { ...transfer, onProgress: () => undefined })).fileUrl;
  } catch (error) {
    if (transfer.signal.aborted) throw error;
    return '';
  }
}
