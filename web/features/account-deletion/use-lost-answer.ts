import { useEffect, useEffectEvent, useState } from 'react';
import { isApiError } from '#contract/api-error.ts';
import { getUser } from '#contract/people.ts';
import { call } from '#web/api.ts';
import { useSession } from '../session/use-session.ts';

/**
 * A deletion ends the session even if its response is lost. If the session has ended without a response, the server
 * is asked whether the person still exists; until then the result is unknown.
 */
export function useLostAnswer(userId: string, onGone: () => void) {
  const { token } = useSession();
  const [lost, setLost] = useState(false);
  const inDoubt = lost && token === null;
  const gone = useEffectEvent(onGone);
  useEffect(() => {
    if (!inDoubt) return;
    call(getUser, { params: { id: userId } }).then(
      () => setLost(false),
      (error) => (isApiError(error) && error.status === 404 ? gone() : setLost(false)),
    );
  }, [inDoubt, userId]);
  return { inDoubt, onLost: () => setLost(true) };
}
