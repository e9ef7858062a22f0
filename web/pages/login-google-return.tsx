import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { headOf } from '../features/chrome/head.ts';
import { handOver } from '../features/session/google-window.ts';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { EmptyState } from '../ui/quiet-state.tsx';
import type { Route } from './+types/login-google-return';

await loadPart('account');

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('account.return.pageTitle'),
    description: i18n._('account.login.lead'),
    site,
    path: '/LoginGoogle/return',
    personal: true,
  });
}

/** The same policy as on the issuer's pages, so that the window may close itself. */
export const headers = () => ({ 'cross-origin-opener-policy': 'unsafe-none' });

/** The page to which the issuer redirects its window. It passes on the response and closes. */
export default function LoginGoogleReturn() {
  const text = useText();
  const [lost, setLost] = useState(false);
  useEffect(() => {
    const answer = handOver(window.location);
    // Removes the token from the history.
    window.history.replaceState(window.history.state, '', window.location.pathname);
    void answer.then((received) => {
      if (received) window.close();
      else setLost(true);
    });
  }, []);

  const action = (
    <Link to="/LoginGoogle" className={buttonLook('primary')}>
      {text('account.login')}
    </Link>
  );
  return (
    // Aligned at the top, and the second state replaces the first as a whole, so that there is no layout shift.
    <div className="grid min-h-dvh content-start justify-items-center pt-[16dvh]">
      {lost ? (
        <EmptyState
          drawing="account"
          key="lost"
          wholePage
          title={text('account.return.lost')}
          text={text('account.return.lostText')}
          action={action}
        />
      ) : (
        <EmptyState
          drawing="account"
          wholePage
          title={text('account.return.title')}
          text={text('account.return.text')}
        />
      )}
    </div>
  );
}
