import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link } from 'react-router';
import { T, useText } from '#web/text.tsx';
import { Button, buttonLook } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { LanguageSwitch } from '../chrome/language-switch.tsx';
import { useSite } from '../chrome/use-site.ts';
import { controls } from '../interactions/controls.ts';
import { useLogOut } from '../logout/use-log-out.ts';
import { useSelf } from '../profile/use-self.ts';
import { factorQuery } from '../session/factor-query.ts';
import type { SessionUser } from '../session/session.ts';
import { BlockedList, useBlocked } from './blocked-list.tsx';
import { ChangeEmailForm } from './change-email-form.tsx';
import { LinkedAccounts, useLinked } from './linked-accounts.tsx';
import { Part } from './part.tsx';
import { PasskeyList, usePasskeys } from './passkey-list.tsx';
import { SessionList, useSessions } from './session-list.tsx';

/** Loaded for operators only. */
const SecondFactor = lazy(() => import('./second-factor.tsx'));
/** Waits for the browser's own push service anyway. */
const PushSettings = lazy(() => import('./push-settings.tsx'));
const TastePart = lazy(() => import('../taste/taste-part.tsx'));

/** All settings of the account, which others do not see. */
export function SettingsPage({ user }: { user: SessionUser }) {
  const text = useText();
  const { mail } = useSite();
  const { ProfileForms } = controls;
  useSelf(user);
  const factor = useQuery(factorQuery(user._id));
  // All lists appear at once, so that nothing moves.
  const lists = [
    useSessions(user._id),
    useLinked(user._id),
    usePasskeys(user._id),
    useBlocked(user._id),
    factor,
  ];
  const waits = lists.some(({ isPending }) => isPending);
  if (waits) return <Loading />;
  return (
    <div className="grid gap-6">
      <h1 className="text-3xl sm:text-4xl">{text('settings.title')}</h1>
      <Part title={text('settings.account')}>
        <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
          {/* The forms show them otherwise. */}
          {!ProfileForms && (
            <>
              <Fact name={text('settings.name')}>{user.name}</Fact>
              <Fact name={text('settings.username')}>{user.username && `@${user.username}`}</Fact>
            </>
          )}
          <Fact name={text('settings.email')}>{user.email}</Fact>
        </dl>
        {mail && user.emailVerified === false && (
          <p>
            <Link to="/VerifyEmail" className="text-link">
              {text('settings.verify')}
            </Link>
          </p>
        )}
        {ProfileForms ? (
          <ProfileForms user={user} />
        ) : (
          <p className="text-soft">
            <T
              id={mail ? 'settings.password' : 'settings.passwordInApp'}
              parts={{ a: <Link to="/ForgotPassword" className="text-link" /> }}
            />
          </p>
        )}
      </Part>
      <Part title={text('settings.changeEmail')}>
        {mail ? (
          <ChangeEmailForm />
        ) : (
          <p className="text-soft">
            <T id="settings.changeEmailOff" parts={{ a: <Link to="/Contact" className="text-link" /> }} />
          </p>
        )}
      </Part>
      <Part title={text('settings.sessions')}>
        <p className="text-soft">
          <T
            id={mail ? 'settings.sessionsTextMail' : 'settings.sessionsText'}
            parts={{ a: <Link to="/ForgotPassword" className="text-link" /> }}
          />
        </p>
        <SessionList userId={user._id} />
        <LogOutButtons />
      </Part>
      <Part title={text('settings.linked')}>
        <LinkedAccounts userId={user._id} />
      </Part>
      <Part title={text('settings.passkeys')}>
        <p className="text-soft">{text('settings.passkeysText')}</p>
        <PasskeyList userId={user._id} />
      </Part>
      <Part title={text('settings.payouts')}>
        <p className="text-soft">{text('settings.payoutsText')}</p>
        <Link to="/PayoutDestination" className={buttonLook('secondary', 'justify-self-start')}>
          {text('settings.payoutsOpen')}
        </Link>
      </Part>
      {factor.data?.required && (
        <Suspense fallback={<Skeleton className="h-56 rounded-panel" />}>
          <SecondFactor state={factor.data} queryKey={factorQuery(user._id).queryKey} />
        </Suspense>
      )}
      <Part title={text('settings.language')}>
        <p className="text-soft">{text('settings.languageText')}</p>
        <LanguageSwitch className="-ml-3" />
      </Part>
      <Suspense fallback={<Skeleton className="h-96 rounded-panel" />}>
        <TastePart />
      </Suspense>
      <Part title={text('settings.notifications')}>
        <p className="text-soft">
          {text(mail ? 'settings.notificationsMail' : 'settings.notificationsText', { email: user.email })}
        </p>
        <Link to="/Activity" className={buttonLook('secondary', 'justify-self-start')}>
          {text('settings.notificationsOpen')}
        </Link>
        <Suspense fallback={<Skeleton className="h-72 rounded-panel" />}>
          <PushSettings userId={user._id} />
        </Suspense>
      </Part>
      <Part title={text('settings.blocked')}>
        <p className="text-soft">{text('settings.blockedText')}</p>
        <BlockedList userId={user._id} />
      </Part>
      <Part title={text('settings.delete')}>
        <p className="text-soft">{text('settings.deleteText')}</p>
        {/* The person's id may not be loaded yet. */}
        <Link
          to={user._id ? `/DeleteUser/${user._id}` : '/UserProfile'}
          className={buttonLook('danger', 'justify-self-start')}
        >
          {text('profile.deleteAccount')}
        </Link>
      </Part>
    </div>
  );
}

function LogOutButtons() {
  const text = useText();
  const { leaving, logOut } = useLogOut();
  return (
    <div className="flex flex-wrap gap-3 border-t border-line pt-4">
      <Button busy={leaving === 'here'} onClick={() => logOut('here')}>
        {text('profile.logout')}
      </Button>
      <Button busy={leaving === 'everywhere'} onClick={() => logOut('everywhere')}>
        {text('profile.logoutEverywhere')}
      </Button>
    </div>
  );
}

function Loading() {
  const text = useText();
  return (
    <div role="status" aria-label={text('list.loading')} className="grid gap-6">
      <h1 className="text-3xl sm:text-4xl">{text('settings.title')}</h1>
      <Skeleton className="h-56 rounded-panel" />
      <Skeleton className="h-64 rounded-panel" />
      <Skeleton className="h-44 rounded-panel" />
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[0.9375rem] text-soft">{name}</dt>
      <dd className="min-h-[1lh] font-semibold">{children}</dd>
    </div>
  );
}
