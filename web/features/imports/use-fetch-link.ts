import { useEffect, useRef, useState } from 'react';
import { isApiError } from '#contract/api-error.ts';
import type { Result } from '#contract/endpoint.ts';
import { downloadVideo } from '#contract/imports.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';

/** An imported video. */
export type Fetched = Result<typeof downloadVideo>;

/** Errors that are more specific than the specification's sentence, such as when to retry. */
const specificErrors =
  /^(video_|file_|image_|import_busy|import_limit|too_many_requests|too_much_unpublished)/;

/** Imports a video. Returns its progress, result and error. */
export function useFetchLink(onFetched: (fetched: Fetched) => void) {
  const text = useText();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const running = useRef<AbortController>(undefined);
  // The import is cancelled when the page is left.
  useEffect(() => () => running.current?.abort(), []);

  /** Returns whether it succeeded. */
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
      else if (isApiError(reason) && specificErrors.test(code)) setError(reason.sentence);
      else setError(text('link.failed'));
      return false;
    } finally {
      running.current = undefined;
      setBusy(false);
    }
  }
  return { fetchLink, busy, error, cancel: () => running.current?.abort() };
}
