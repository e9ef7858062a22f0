import { useEffect, useEffectEvent } from 'react';
import { useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import { useSession } from './use-session.ts';

/** Shows a notice on any page when the server has ended the session. */
export function SessionEnded() {
  const text = useText();
  const { expired = false } = useSession();
  const say = useEffectEvent(() => {
    const sentence = text('account.sessionEnded');
    // A page for signed-in people says it itself, now or once it is hydrated (signed-in-only.tsx).
    const main = document.querySelector('main');
    const says = main?.textContent.includes(sentence) || main?.querySelector('[data-signed-in-only]');
    if (!says) notify('info', sentence);
  });
  useEffect(() => {
    if (expired) say();
  }, [expired]);
  return null;
}
