import { useRef, useState } from 'react';
import { isApiError } from '../../../contract/api-error.ts';
import type { Result } from '../../../contract/endpoint.ts';
import { addReel, type Reel, uploadReelFile } from '../../../contract/reels.ts';
import { call, upload } from '../../api.ts';
import type { Picked } from './use-pick.ts';

export interface Progress {
  sent: number;
  total: number;
  /** Bytes a second, averaged over the last seconds; 0 until known. */
  speed: number;
  /** The reel itself is being published: past the point of cancelling. */
  publishing?: boolean;
}

/** A video that has arrived already, and its thumbnail's address. */
interface Arrived {
  file: File;
  video: Result<typeof uploadReelFile>;
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

/**
 * Sends a video and its thumbnail, then publishes the reel; says how far it is, and can be cancelled. What has arrived
 * is not sent again when only the publishing failed.
 */
export function useSend() {
  const [progress, setProgress] = useState<Progress>();
  const running = useRef<AbortController>(undefined);
  const arrived = useRef<Arrived>(undefined);

  /** `draft` is asked for when the video has arrived: what was typed while it travelled counts. */
  async function send(picked: Picked, draft: () => Draft, who: { userId?: string; username?: string }) {
    const { file } = picked;
    const stopping = new AbortController();
    running.current = stopping;
    setProgress({ sent: 0, total: file.size, speed: 0 });
    try {
      if (arrived.current?.file !== file)
        arrived.current = await sendFiles(picked, stopping.signal, setProgress);
      const { video, thumbnillurl } = arrived.current;
      setProgress({ sent: file.size, total: file.size, speed: 0, publishing: true });
      const body = { ...draft(), ...who, videourl: video.fileUrl, videoKey: video.fileName, thumbnillurl };
      const { data } = await call(addReel, { body });
      arrived.current = undefined;
      return { reel: data, duplicate: video.duplicate } satisfies Sent;
    } catch (error) {
      // The server refuses what arrived (it waited too long, say): the next try sends it again.
      if (isApiError(error) && error.status === 409) arrived.current = undefined;
      throw error;
    } finally {
      setProgress(undefined);
    }
  }

  return { send, progress, cancel: () => running.current?.abort() };
}

async function sendFiles(
  { file, thumbnail }: Picked,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Arrived> {
  const thumbnillurl = await sendThumbnail(await thumbnail, signal);
  const watch = speedometer();
  const video = await upload(uploadReelFile, file, {
    signal,
    onProgress: (sent, total) => onProgress({ sent, total, speed: watch(sent) }),
  });
  return { file, video, thumbnillurl };
}

/** Empty where there is none: the server's own poster serves. Only a cancelled upload ends here. */
async function sendThumbnail(thumbnail: File | undefined, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  if (!thumbnail) return '';
  try {
    return (await upload(uploadReelFile, thumbnail, { signal })).fileUrl;
  } catch (error) {
    if (signal.aborted) throw error;
    return '';
  }
}

function speedometer(): (bytes: number) => number {
  const marks: { at: number; bytes: number }[] = [];
  return (bytes) => {
    const now = performance.now();
    marks.push({ at: now, bytes });
    while (marks.length > 2 && now - (marks[0]?.at ?? now) > 4000) marks.shift();
    const [first] = marks;
    const seconds = (now - (first?.at ?? now)) / 1000;
    return first && seconds > 0.3 ? (bytes - first.bytes) / seconds : 0;
  };
}
