import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useText } from '#web/text.tsx';
import { buttonLook } from '#web/ui/button.tsx';
import { NeedsScript } from '#web/ui/needs-script.tsx';
import { EmptyState } from '#web/ui/quiet-state.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { type PageShape, PageSkeleton } from './page-skeleton.tsx';
import type { SessionUser } from './session.ts';
import { useSession } from './use-session.ts';
import type { WayBack } from './way-back.tsx';

/**
 * A page for signed-in people; others see a link to the login. The server does not know who is signed in and renders a
 * placeholder in the shape of the page, as tall as the window (`min-h-svh`), so that the footer does not move.
 */
export function SignedInOnly({
  title,
  why,
  shape = 'panels',
  children,
}: {
  title: string;
  why: string;
  shape?: PageShape;
  children: (user: SessionUser) => ReactNode;
}) {
  const text = useText();
  const { user, token, expired } = useSession();
  const { pathname, search, hash } = useLocation();
  if (!useHydrated()) {
    return (
      // The key: nothing of it may become a part of the page, which would move.
      <div key="hydrating" className="grid gap-4 py-6" data-signed-in-only>
        <h1 className="sr-only text-3xl noscript:not-sr-only">{title}</h1>
        <NeedsScript>{text('account.needsScript')}</NeedsScript>
        <div role="status" aria-label={text('list.loading')} className="grid gap-4 needs-script">
          <PageSkeleton shape={shape} />
        </div>
      </div>
    );
  }
  if (user && token) return children(user);
  const wayBack: WayBack = { from: pathname + search + hash };
  const action = (
    <>
      <Link to="/LoginGoogle" state={wayBack} className={buttonLook('primary')}>
        {text('account.login')}
      </Link>
      <Link to="/SignupForm" state={wayBack} className={buttonLook('secondary')}>
        {text('account.signUp')}
      </Link>
    </>
  );
  return (
    <EmptyState
      drawing="account"
      wholePage
      title={title}
      text={expired ? text('account.sessionEnded') : why}
      action={action}
    />
  );
}
