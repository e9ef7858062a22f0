import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { buttonLook } from '#web/ui/button.tsx';
import { useSession } from '../session/use-session.ts';
import type { WayBack } from '../session/way-back.tsx';

await loadPart('taste');

interface Said {
  title: string;
  words: string;
  action: ReactNode;
}

/** What Following says to a visitor. */
export function useLogIn(): Said {
  const text = useText();
  const wayBack: WayBack = { from: '/?tab=following' };
  return {
    title: text('tab.following'),
    words: text('following.logIn'),
    action: (
      <Link to="/LoginGoogle" state={wayBack} className={buttonLook('primary')}>
        {text('account.login')}
      </Link>
    ),
  };
}

/** What Following says if it has no reels. */
export function useNobodyFollowed(): Said {
  const text = useText();
  const { user } = useSession();
  return {
    title: text(user?.followingCount ? 'following.noReels' : 'following.nobody'),
    words: text('following.how'),
    action: (
      <Link to="/AllUsers" className={buttonLook('primary')}>
        {text('following.findPeople')}
      </Link>
    ),
  };
}
