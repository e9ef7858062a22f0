import { useState } from 'react';
import { headOf } from '../features/chrome/head.ts';
import { LinkReelForm } from '../features/imports/link-reel-form.tsx';
import { fetchedPart } from '../features/offline/fetched-part.tsx';
import { UploadPage } from '../features/upload/form/upload-page.tsx';
import type { SentReel } from '../features/upload/form/use-send-reel.ts';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/reel-post-by-link';

await loadPart('link');

/** Shown after sending. */
const Published = fetchedPart<{ sent: SentReel; onClose: () => void }>(
  () => import('../features/upload/form/published.tsx'),
);

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('link.pageTitle'),
    description: i18n._('link.lead'),
    site,
    path: '/ReelPostByLink',
    personal: true,
  });
}

export default function ReelPostByLink() {
  const text = useText();
  const [published, setPublished] = useState<SentReel[]>([]);
  return (
    <UploadPage
      title={text('link.title')}
      lead={text('link.lead')}
      why={text('link.logIn')}
      published={published.map((sent) => (
        <Published
          key={sent.reel._id}
          sent={sent}
          onClose={() => setPublished((before) => before.filter((one) => one !== sent))}
        />
      ))}
    >
      {(user) => <LinkReelForm user={user} onSent={(sent) => setPublished((before) => [sent, ...before])} />}
    </UploadPage>
  );
}
