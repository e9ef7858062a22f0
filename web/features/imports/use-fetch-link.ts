import { useEffect, useRef, useState } from 'react';
import { isApiError } from '#contract/api-error.ts';
import type { Result } from '#contract/endpoint.ts';
import { downloadVideo } from '#contract/imports.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';

/** A video that the server has fetched for this person. */
export type Fetched = Result<typeof downloadVideo>;

/** Refusals that say more than the specification's one sentence: what is wrong with this very video, or when to try again. */
const telling = /^(video_|file_|image_|import_busy|import_limit|too_many_requests|too_much_unpublished)/;

/** Fetches the video behind a link; says whether it is under way, what came of it, and why nothing did. */
export function useFetchLink(onFetched: (fetched: Fetched) => void) {
  const text = useText();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const running = useRef<AbortController>(undefined);
  // Whoever leaves wants it no longer.
  useEffect(() => () => running.current?.abort(), []);

  /** True once it is there. */
  async function fetchLink(link: string): Promise<boolean> {
    if (running.current) return false;
    if (link.trim() === '') {
      setError(text('link.missing'));
      return false;
    }
    const stopping = new AbortController();
    running.current = stopping;
    setError(undefined);
    setBusy(true);
    try {
      onFetched(await call(downloadVideo, { body: { link } }, { signal: stopping.signal }));
      return true;
    } catch (reason) {
      if (stopping.signal.aborted) return false;
      const code = isApiError(reason) ? reason.code : '';
      if (code === 'link_invalid' || code === 'invalid_input') setError(text('link.missing'));
      else if (isApiError(reason) && telling.test(code)) setError(reason.sentence);
      else setError(text('link.failed'));
      return false;
    } finally {
      running.current = undefined;
      setBusy(false);
    }
  }
  return { fetchLink, busy, error, cancel: () => running.current?.abort() };
}
