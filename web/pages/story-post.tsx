import { useState } from 'react';
import { Link } from 'react-router';
import type { Copy } from '#contract/copies.ts';
import { limits } from '#contract/limits.ts';
import type { Story } from '#contract/stories.ts';
import { headOf } from '../features/chrome/head.ts';
import { CopyNote } from '../features/earnings/copy-note.tsx';
import { PublicNow, PublishedCard } from '../features/upload/form/published-card.tsx';
import { StoryForm } from '../features/upload/form/story-form.tsx';
import { UploadPage } from '../features/upload/form/upload-page.tsx';
import { UploadQueueForms } from '../features/upload/form/upload-queue-forms.tsx';
import { photo } from '../features/upload/media/photo.ts';
import { i18nOf } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import type { Route } from './+types/story-post';

const hours = limits.storyHours;

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('storyPost.pageTitle'),
    description: i18n._('storyPost.lead', { hours }),
    site,
    path: '/StoryPost',
    personal: true,
  });
}

function SeeIt({ userId }: { userId: string }) {
  const text = useText();
  return (
    <Link to={`/story/${userId}`} className={buttonLook('secondary')}>
      {text('storyPost.see')}
    </Link>
  );
}

export default function StoryPost() {
  const text = useText();
  const [published, setPublished] = useState<{ story: Story; copy: Copy | null }[]>([]);
  return (
    <UploadPage
      title={text('storyPost.title')}
      lead={text('storyPost.lead', { hours })}
      why={text('storyPost.logIn')}
      published={published.map(({ story, copy }) => (
        <PublishedCard
          key={story._id}
          picture={story.renditions[0]?.url ?? story.imageurl}
          title={story.statustext || text('storyPost.untitled')}
          duplicate={story.duplicate}
          copy={copy && <CopyNote kind="story" id={story._id} copy={copy} />}
        >
          {story.takenDown === null && (
            <PublicNow
              words={text('storyPost.public', { hours })}
              link={<SeeIt userId={story.userId} />}
              path={`/story/${story.userId}`}
              work={story}
            />
          )}
        </PublishedCard>
      ))}
    >
      {(user) => (
        <UploadQueueForms media={photo}>
          {(slot) => (
            <StoryForm
              user={user}
              slot={slot}
              onSent={(story, copy) => setPublished((before) => [{ story, copy }, ...before])}
            />
          )}
        </UploadQueueForms>
      )}
    </UploadPage>
  );
}
