import { useEffect, useRef, useState } from 'react';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import type { Media, Picked } from './media.ts';
import { newTurns } from './turns.ts';

/** Many files at once would keep a phone from reading any in time. */
const looking = newTurns(4);

/** The file in the form, and what is wrong with it or with its absence; `given` is there from the beginning. */
export function usePick(media: Media, given?: File) {
  const text = useText();
  const [picked, setPicked] = useState<Picked>();
  const [error, setError] = useState<string>();
  const latest = useRef<Picked>(undefined);
  const awaited = useRef(given);

  const put = (next: Picked | undefined, message?: string) => {
    latest.current = next;
    setPicked(next);
    setError(message);
  };

  /** Takes a file, or says why not and keeps the one before. */
  async function pick(file: File) {
    const why = (id: MessageId) => text(id, media.limits);
    const before = latest.current;
    const atOnce = media.sizeObjection(file);
    if (atOnce) return put(before, why(atOnce));
    const next = {
      file,
      objection: looking(() => media.contentObjection(file)),
      thumbnail: looking(() => media.thumbnailOf(file)),
    };
    put(next);
    const objection = await next.objection;
    if (objection && latest.current?.file === file) put(before, why(objection));
  }

  useEffect(() => {
    const file = awaited.current;
    awaited.current = undefined;
    if (file) void pick(file);
  });

  const choose = (cover: Partial<Picked>) => latest.current && put({ ...latest.current, ...cover });

  return { picked, error, pick, choose, clear: () => put(undefined), setError };
}
