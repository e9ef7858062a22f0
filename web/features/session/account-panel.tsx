import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { buttonLook } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Mark } from '../chrome/mark.tsx';
import { useSession } from './use-session.ts';
import { useWayBack } from './way-back.tsx';

/**
 * The frame of login and sign-up. Signed-in visitors see a welcome instead, and never the form: a class set before
 * the first paint hides it. The frame is as tall as the window, so that the footer does not move.
 */
export function AccountPanel({
  title,
  lead,
  welcome,
  isForAll = false,
  children,
}: {
  title: string;
  lead: string;
  /** Additional content for signed-in visitors. */
  welcome?: ReactNode;
  /** Whether the page is the same for signed-in people. */
  isForAll?: boolean;
  children: ReactNode;
}) {
  const text = useText();
  const { token: held, user } = useSession();
  const token = isForAll ? null : held;
  const wayBack = useWayBack();
  return (
    <div className="wrap-page grid min-h-svh content-start justify-items-center py-8 sm:py-14">
      <section
        className={classNames(
          'grid w-full max-w-md gap-6 rounded-panel border border-line bg-surface p-6 shadow-raised sm:p-8',
          !token && !isForAll && 'signed-in:invisible',
        )}
      >
        <Mark className="size-12" />
        <div className="grid gap-1.5">
          <h1 className="text-3xl">{token ? text('account.welcomeBack') : title}</h1>
          <p className="text-pretty text-soft">
            {token ? text('account.signedInAs', { name: user?.name ?? user?.email ?? '' }) : lead}
          </p>
        </div>
        {token ? (
          <>
            <Link to="/UserProfile" state={wayBack} className={buttonLook('primary', 'min-h-12')}>
              {text('account.goToProfile')}
            </Link>
            {welcome}
          </>
        ) : (
          children
        )}
      </section>
    </div>
  );
}
