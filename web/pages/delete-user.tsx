import { useState } from 'react';
import { Link } from 'react-router';
import { Deleted } from '../features/account-deletion/deleted.tsx';
import { DeletionLoading, DeletionPanel } from '../features/account-deletion/deletion-panel.tsx';
import { useLostAnswer } from '../features/account-deletion/use-lost-answer.ts';
import { headOf } from '../features/chrome/head.ts';
import { clearSession } from '../features/logout/log-out.ts';
import { SignedInOnly } from '../features/session/signed-in-only.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { EmptyState } from '../ui/quiet-state.tsx';
import type { Route } from './+types/delete-user';

await loadPart('deletion');

export function meta({ matches, params }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('deletion.pageTitle'),
    description: i18n._('deletion.logIn'),
    site,
    path: `/DeleteUser/${params.id}`,
    personal: true,
  });
}

/** The page to delete the own account (specification §2, §4). */
export default function DeleteUser({ params: { id } }: Route.ComponentProps) {
  const text = useText();
  const [deleted, setDeleted] = useState(false);
  const { inDoubt, onLost } = useLostAnswer(id, clearEverything);

  function clearEverything() {
    setDeleted(true);
    void clearSession();
  }

  return (
    <div className="mx-auto min-h-svh w-full max-w-column px-4 py-6 sm:py-10">
      {deleted ? (
        <Deleted />
      ) : inDoubt ? (
        <DeletionLoading />
      ) : (
        <SignedInOnly title={text('deletion.title')} why={text('deletion.logIn')}>
          {(user) =>
            user._id === id ? (
              <DeletionPanel key={id} userId={id} onDeleted={clearEverything} onLost={onLost} />
            ) : (
              <EmptyState
                drawing="account"
                wholePage
                title={text('deletion.notYours.title')}
                text={text('deletion.notYours.text')}
                action={
                  <Link
                    to={user._id ? `/DeleteUser/${user._id}` : '/UserProfile'}
                    className={buttonLook('primary')}
                  >
                    {text('deletion.notYours.own')}
                  </Link>
                }
              />
            )
          }
        </SignedInOnly>
      )}
    </div>
  );
}
