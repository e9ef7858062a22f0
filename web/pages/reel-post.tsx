import { useState } from 'react';
import { Link } from 'react-router';
import { headOf } from '../features/chrome/head.ts';
import { fetchedPart } from '../features/offline/fetched-part.tsx';
import { ReelForm } from '../features/upload/form/reel-form.tsx';
import { UploadPage } from '../features/upload/form/upload-page.tsx';
import { UploadQueueForms } from '../features/upload/form/upload-queue-forms.tsx';
import type { SentReel } from '../features/upload/form/use-send-reel.ts';
import { video } from '../features/upload/media/video.ts';
import { i18nOf } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/reel-post';

/** Shown after sending. */
const Published = fetchedPart<{ sent: SentReel; onClose: () => void }>(
  () => import('../features/upload/form/published.tsx'),
);

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
  const [published, setPublished] = useState<SentReel[]>([]);
  return (
    <UploadPage
      title={text('upload.title')}
      lead={text('upload.lead')}
      beside={
        <Link
          to="/ReelPostByLink"
          className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
        >
          {text('link.fromLink')}
        </Link>
      }
      why={text('upload.logIn')}
      published={published.map((sent) => (
        <Published
          key={sent.reel._id}
          sent={sent}
          onClose={() => setPublished((before) => before.filter((one) => one !== sent))}
        />
      ))}
    >
      {(user) => (
        <UploadQueueForms media={video} shared="video">
          {(slot) => (
            <ReelForm
              user={user}
              slot={slot}
              onSent={(sent) => setPublished((before) => [sent, ...before])}
            />
          )}
        </UploadQueueForms>
      )}
    </UploadPage>
  );
}
