import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { headOf } from '../features/chrome/head.ts';
import { handOver } from '../features/session/google-window.ts';
import { i18nOf } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { EmptyState } from '../ui/quiet-state.tsx';
import type { Route } from './+types/login-google-return';

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

/** As the issuer's pages before it, so that the window stays the one that was opened, and may close itself. */
export const headers = () => ({ 'cross-origin-opener-policy': 'unsafe-none' });

/** Where the issuer's window comes back to: it hands over what it brought, and closes. */
export default function LoginGoogleReturn() {
  const text = useText();
  const [lost, setLost] = useState(false);
  useEffect(() => {
    const answer = handOver(window.location);
    // A token stays in no history.
    window.history.replaceState(window.history.state, '', window.location.pathname);
    void answer.then((heard) => {
      if (heard) window.close();
      else setLost(true);
    });
  }, []);

  const action = (
    <Link to="/LoginGoogle" className={buttonLook('primary')}>
      {text('account.login')}
    </Link>
  );
  return (
    // From the top down, and the second state made anew: nothing that stands there moves.
    <div className="grid min-h-dvh content-start justify-items-center pt-[16dvh]">
      {lost ? (
        <EmptyState
          key="lost"
          wholePage
          title={text('account.return.lost')}
          text={text('account.return.lostText')}
          action={action}
        />
      ) : (
        <EmptyState wholePage title={text('account.return.title')} text={text('account.return.text')} />
      )}
    </div>
  );
}
