import { useState } from 'react';
import { Link } from 'react-router';
import type { Copy } from '#contract/copies.ts';
import type { Post } from '#contract/posts.ts';
import { headOf } from '../features/chrome/head.ts';
import { CopyNote } from '../features/earnings/copy-note.tsx';
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
  const [published, setPublished] = useState<{ post: Post; copy: Copy | null }[]>([]);
  const add = (post: Post, copy: Copy | null) => {
    setPublished((before) => [{ post, copy }, ...before]);
    postsChanged();
  };
  return (
    <UploadPage
      title={text('photoPost.title')}
      lead={text('photoPost.lead')}
      why={text('photoPost.logIn')}
      published={published.map(({ post, copy }) => (
        <PublishedCard
          key={post._id}
          picture={post.renditions[0]?.url ?? post.imageurl}
          title={post.caption || text('photoPost.untitled')}
          duplicate={post.duplicate}
          copy={copy && <CopyNote kind="post" id={post._id} copy={copy} />}
        >
          {post.takenDown === null && (
            <PublicNow
              words={text('upload.public')}
              path={`/post/${post._id}`}
              work={post}
              link={
                <Link to={`/post/${post._id}`} className={buttonLook('secondary')}>
                  {text('photoPost.see')}
                </Link>
              }
            />
          )}
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
