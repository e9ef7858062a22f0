import { useEffect } from 'react';
import type { Controls } from '../interactions/controls.ts';
import { useSession } from '../session/use-session.ts';
import { useOwnResponse } from './own-response.ts';
import { askFollowed, askLiked } from './responses.ts';

/** Pages are the same for everybody, so what somebody likes and whom they follow is asked once the page is theirs. */
export const useOwn: Controls['useOwn'] = (kind, id) => {
  const { token } = useSession();
  useEffect(() => {
    if (id && token) (kind === 'person' ? askFollowed : askLiked)(id);
  }, [kind, id, token]);
  return useOwnResponse(id);
};
