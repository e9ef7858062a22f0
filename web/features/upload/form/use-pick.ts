import { useEffect, useRef, useState } from 'react';
import { isReadable } from '#web/changed-file.ts';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import type { Media, Picked } from '../media/media.ts';
import { concurrencyLimit } from '../transfer/concurrency-limit.ts';

/** Reading many files at once would make each of them time out on a phone. */
const limitReads = concurrencyLimit(4);

/** The chosen file and its error. `initialFile` is chosen when the form appears. */
export function usePick(media: Media, initialFile?: File) {
  const text = useText();
  const [picked, setPicked] = useState<Picked>();
  const [error, setError] = useState<string>();
  const latest = useRef<Picked>(undefined);
  const awaited = useRef(initialFile);

  const put = (next: Picked | undefined, message?: string) => {
    latest.current = next;
    setPicked(next);
    setError(message);
  };

  /** Chooses a file; if it is refused, shows the reason and keeps the previous file. */
  async function pick(file: File) {
    const why = (id: MessageId) => text(id, media.limits);
    const before = latest.current;
    const atOnce = media.sizeProblem(file);
    if (atOnce) return put(before, why(atOnce));
    const next = {
      file,
      problem: limitReads(async () =>
        (await isReadable(file)) ? await media.contentProblem(file) : 'upload.chooseAgain',
      ),
      thumbnail: limitReads(() => media.thumbnailOf(file)),
    };
    put(next);
    const problem = await next.problem;
    if (problem && latest.current?.file === file) put(before, why(problem));
  }

  useEffect(() => {
    const file = awaited.current;
    awaited.current = undefined;
    if (file) void pick(file);
  });

  const choose = (cover: Partial<Picked>) => latest.current && put({ ...latest.current, ...cover });

  return { picked, error, pick, choose, clear: () => put(undefined), setError };
}
