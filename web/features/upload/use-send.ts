import { useRef, useState } from 'react';
import { addReel, type Reel, uploadReelFile } from '../../../contract/reels.ts';
import { call, upload } from '../../api.ts';
import { takeThumbnail } from './take-thumbnail.ts';

export interface Progress {
  sent: number;
  total: number;
  /** Bytes a second, averaged over the last seconds; 0 until known. */
  speed: number;
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

/** Sends a video and its thumbnail, then publishes the reel; says how far it is, and can be cancelled. */
export function useSend() {
  const [progress, setProgress] = useState<Progress>();
  const running = useRef<AbortController>(undefined);

  async function send(file: File, draft: Draft, who: { userId?: string; username?: string }): Promise<Sent> {
    const stopping = new AbortController();
    running.current = stopping;
    setProgress({ sent: 0, total: file.size, speed: 0 });
    try {
      const thumbnillurl = await sendThumbnail(file, stopping.signal);
      const watch = speedometer();
      const sent = await upload(uploadReelFile, file, {
        signal: stopping.signal,
        onProgress: (bytes, total) => setProgress({ sent: bytes, total, speed: watch(bytes) }),
      });
      const body = { ...draft, ...who, videourl: sent.fileUrl, videoKey: sent.fileName, thumbnillurl };
      const { data } = await call(addReel, { body }, { signal: stopping.signal });
      return { reel: data, duplicate: sent.duplicate };
    } finally {
      setProgress(undefined);
    }
  }

  return { send, progress, cancel: () => running.current?.abort() };
}

/** Empty where there is none: the server's own poster serves. Only a cancelled upload ends here. */
async function sendThumbnail(file: File, signal: AbortSignal): Promise<string> {
  const thumbnail = await takeThumbnail(file);
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
