import { useEffect, useRef, useState } from 'react';
import { isApiError } from '#contract/api-error.ts';
import { useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import { signInAtGoogle, WindowBlocked } from './google-window.ts';

/**
 * Signs in at Google, one attempt at a time: `begin` opens the window, `finish` gets the ID token, and `failed` is
 * shown on failure.
 */
export function useGoogle(finish: (idToken: string) => Promise<void>, failed: string) {
  const text = useText();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const attempt = useRef<AbortController>(null);
  useEffect(() => () => attempt.current?.abort(), []);

  async function begin() {
    attempt.current?.abort();
    const own = new AbortController();
    attempt.current = own;
    setProblem(undefined);
    setBusy(true);
    try {
      const idToken = await signInAtGoogle({ signal: own.signal, onClosed: () => setBusy(false) });
      setBusy(true);
      await finish(idToken);
    } catch (error) {
      if (own.signal.aborted) return;
      if (error instanceof WindowBlocked) {
        setProblem(text('account.googleBlocked'));
        return;
      }
      const message = isApiError(error) && error.message ? error.message : text('account.googleRefused');
      // Logged as well as shown (specification §8).
      console.error(message);
      setProblem(message);
      notify('error', failed);
    } finally {
      if (!own.signal.aborted) setBusy(false);
    }
  }
  return { begin, busy, problem };
}
