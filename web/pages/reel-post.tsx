import { useState } from 'react';
import { headOf } from '../features/chrome/head.ts';
import { SignedInOnly } from '../features/session/signed-in-only.tsx';
import { Published } from '../features/upload/published.tsx';
import { ReelForm } from '../features/upload/reel-form.tsx';
import type { Sent } from '../features/upload/use-send.ts';
import { i18nOf } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/reel-post';

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('upload.pageTitle'),
    description: i18n._('upload.lead'),
    site,
    path: '/ReelPost',
    personal: true,
  });
}

export default function ReelPost() {
  const text = useText();
  const [published, setPublished] = useState<Sent[]>([]);
  return (
    <div className="wrap-page min-h-svh max-w-5xl py-6">
      <SignedInOnly title={text('upload.title')} why={text('upload.logIn')}>
        {(user) => (
          <>
            <h1 className="text-3xl">{text('upload.title')}</h1>
            <p className="mb-6 mt-1 text-soft">{text('upload.lead')}</p>
            {published.length > 0 && (
              <ul aria-label={text('upload.published')} className="mb-8 grid gap-3">
                {published.map((sent) => (
                  <Published key={sent.reel._id} sent={sent} />
                ))}
              </ul>
            )}
            <ReelForm user={user} onSent={(sent) => setPublished((before) => [sent, ...before])} />
          </>
        )}
      </SignedInOnly>
    </div>
  );
}
