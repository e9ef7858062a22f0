import { useRef, useState } from 'react';
import { limits } from '../../../contract/limits.ts';
import type { MessageId } from '../../messages/catalogues.ts';
import { useText } from '../../text.tsx';
import { contentObjection, sizeObjection } from './check-video.ts';
import { takeThumbnail } from './take-thumbnail.ts';

/** A chosen video. It is on screen at once; what is read from it follows. */
export interface Picked {
  file: File;
  objection: Promise<MessageId | undefined>;
  /** Undefined where this browser cannot make one. */
  thumbnail: Promise<File | undefined>;
}

/** The video in the form, and what is wrong with it or with its absence. */
export function usePick() {
  const text = useText();
  const [picked, setPicked] = useState<Picked>();
  const [error, setError] = useState<string>();
  const latest = useRef<Picked>(undefined);

  const put = (next: Picked | undefined, message?: string) => {
    latest.current = next;
    setPicked(next);
    setError(message);
  };

  /** Takes a file, or says why not and keeps the one before. */
  async function pick(file: File) {
    const why = (id: MessageId) =>
      text(id, { megabytes: limits.video.maxBytes / 1024 / 1024, minutes: limits.video.maxSeconds / 60 });
    const before = latest.current;
    const atOnce = sizeObjection(file);
    if (atOnce) return put(before, why(atOnce));
    const next = { file, objection: contentObjection(file), thumbnail: takeThumbnail(file) };
    put(next);
    const objection = await next.objection;
    if (objection && latest.current === next) put(before, why(objection));
  }

  return { picked, error, pick, clear: () => put(undefined), setError };
}
