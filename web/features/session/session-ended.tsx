import { useEffect, useEffectEvent } from 'react';
import { useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import { useSession } from './use-session.ts';

/** Shows a notice on any page when the server has ended the session. */
export function SessionEnded() {
  const text = useText();
  const { expired = false } = useSession();
  const say = useEffectEvent(() => notify('info', text('account.sessionEnded')));
  useEffect(() => {
    if (expired) say();
  }, [expired]);
  return null;
}
