import { useState } from 'react';
import { Link } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { headOf } from '../features/chrome/head.ts';
import { postsChanged } from '../features/posts/posts.ts';
import { PostForm } from '../features/upload/form/post-form.tsx';
import { PublicNow, PublishedCard } from '../features/upload/form/published-card.tsx';
import { UploadPage } from '../features/upload/form/upload-page.tsx';
import { UploadQueueForms } from '../features/upload/form/upload-queue-forms.tsx';
import { photo } from '../features/upload/media/photo.ts';
import { i18nOf } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import type { Route } from './+types/photo-post';

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('photoPost.pageTitle'),
    description: i18n._('photoPost.lead'),
    site,
    path: '/PhotoPost',
    personal: true,
  });
}

export default function PhotoPost() {
  const text = useText();
  const [published, setPublished] = useState<Post[]>([]);
  const add = (post: Post) => {
    setPublished((before) => [post, ...before]);
    void postsChanged();
  };
  const link = (
    <Link to="/ShowPosts" className={buttonLook('secondary')}>
      {text('photoPost.see')}
    </Link>
  );
  return (
    <UploadPage
      title={text('photoPost.title')}
      lead={text('photoPost.lead')}
      why={text('photoPost.logIn')}
      published={published.map((post) => (
        <PublishedCard
          key={post._id}
          picture={post.renditions[0]?.url ?? post.imageurl}
          title={post.caption || text('photoPost.untitled')}
          duplicate={post.duplicate}
        >
          <PublicNow words={text('upload.public')} link={link} />
        </PublishedCard>
      ))}
    >
      {(user) => (
        <UploadQueueForms media={photo} shared="image">
          {(slot) => <PostForm user={user} slot={slot} onSent={add} />}
        </UploadQueueForms>
      )}
    </UploadPage>
  );
}
