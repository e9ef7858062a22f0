import { useLingui } from '@lingui/react';
import { type ReactNode, useMemo } from 'react';
import { newI18n } from '#web/messages/catalogues.ts';
import { TextProvider, useText } from '#web/text.tsx';
import { BackLink } from '../reading/back-link.tsx';
import { SignedInOnly } from '../session/signed-in-only.tsx';
import './earnings.css';

interface EarningPageProps {
  title: string;
  /** Text for visitors who are not logged in. */
  why: string;
  children: (user: { id: string; name: string }) => ReactNode;
}

/**
 * The layout of the earning pages: at most 600 px wide (specification §2), only for their owner (§6), with figures
 * grouped in the Indian way, ₹1,00,000.00, in both languages.
 */
export function EarningPage({ title, why, children }: EarningPageProps) {
  return (
    <IndianFigures>
      <div className="mx-auto min-h-svh w-full max-w-column px-4 py-4 sm:py-8">
        <SignedInOnly title={title} why={why}>
          {({ _id: id, name, email }) => (
            <>
              <div className="earning-title flex items-center gap-1">
                <BackLink />
                <h1 className="text-3xl sm:text-4xl">{title}</h1>
              </div>
              {id ? children({ id, name: name ?? email }) : <UnknownPerson />}
            </>
          )}
        </SignedInOnly>
      </div>
    </IndianFigures>
  );
}

/** The layout of a public earning page. */
export function OpenEarningPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <IndianFigures>
      <div className="mx-auto min-h-svh w-full max-w-column px-4 py-4 sm:py-8">
        <div className="earning-title flex items-center gap-1">
          <BackLink />
          <h1 className="text-3xl sm:text-4xl">{title}</h1>
        </div>
        {children}
      </div>
    </IndianFigures>
  );
}

/** Shown if the server sent no id of the person (specification §3, §6), so that no earnings can be loaded. */
function UnknownPerson() {
  return <p className="mt-6 text-soft">{useText()('earnings.unknown')}</p>;
}

function IndianFigures({ children }: { children: ReactNode }) {
  const { i18n } = useLingui();
  const indian = useMemo(
    () =>
      newI18n({
        locale: i18n.locale,
        locales: `${i18n.locale}-IN`,
        messages: { [i18n.locale]: i18n.messages },
      }),
    [i18n],
  );
  return <TextProvider i18n={indian}>{children}</TextProvider>;
}
