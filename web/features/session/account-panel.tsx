import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { buttonLook } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
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
  wide = false,
  children,
}: {
  title: string;
  lead: string;
  /** Additional content for signed-in visitors. */
  welcome?: ReactNode;
  /** Whether the page is the same for signed-in people. */
  isForAll?: boolean;
  /** Whether a wide screen shows its fields in two columns. */
  wide?: boolean;
  children: ReactNode;
}) {
  const text = useText();
  const { token: held, user } = useSession();
  const token = isForAll ? null : held;
  const wayBack = useWayBack();
  return (
    <div className="wrap-page grid min-h-svh content-start justify-items-center py-4 sm:py-10">
      <section
        className={classNames(
          'grid w-full gap-5 rounded-panel border border-line bg-surface p-5 shadow-raised sm:p-8',
          wide ? 'max-w-xl' : 'max-w-md',
          !token && !isForAll && 'signed-in:invisible',
        )}
      >
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
