import type { ReactNode } from 'react';
import type { SessionUser } from '#web/features/session/session.ts';
import { SignedInOnly } from '#web/features/session/signed-in-only.tsx';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';

await loadPart('upload');

interface UploadPageProps {
  title: string;
  lead: string;
  /** A link to another way of publishing. */
  beside?: ReactNode;
  /** Shown to visitors who are not logged in: the reason to log in. */
  why: string;
  /** Cards of what was published since the page was opened, newest first. */
  published: ReactNode[];
  children: (user: SessionUser) => ReactNode;
}

/** The layout of all pages that publish something; they require a login. */
export function UploadPage({ title, lead, beside, why, published, children }: UploadPageProps) {
  const text = useText();
  return (
    <div className="wrap-page min-h-svh max-w-form py-6 short:py-2">
      <SignedInOnly title={title} why={why} shape="form">
        {(user) => (
          <>
            <div className="mb-6 short:mb-1 short:flex short:flex-wrap short:items-baseline short:gap-x-6">
              <h1 className="text-3xl short:text-2xl">{title}</h1>
              <p className="mt-1 text-soft short:hidden">{lead}</p>
              {beside}
            </div>
            {published.length > 0 && (
              <ul aria-label={text('upload.published')} className="mb-8 grid gap-3">
                {published}
              </ul>
            )}
            {children(user)}
          </>
        )}
      </SignedInOnly>
    </div>
  );
}
