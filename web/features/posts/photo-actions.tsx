import { Heart, type LucideIcon, MessageCircle, Share2 } from 'lucide-react';
import { useState } from 'react';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { fetchedPart } from '../offline/fetched-part.tsx';
import { ReportButton } from '../reports/report-button.tsx';
import { ShareDialog } from '../share/share-button.tsx';
import type { ShownPost } from './posts.ts';

const DownloadAppDialog = fetchedPart(() => import('../download-app/download-app-dialog.tsx'));

/** Like and comment lead to the app (decisions §1); the page can be shared from here. */
export function PhotoActions({ post }: { post: ShownPost }) {
  const text = useText();
  const [opened, setOpened] = useState<'post.likeInApp' | 'post.commentInApp' | 'share'>();
  const close = () => setOpened(undefined);
  return (
    <div className="needs-script -mx-2.5 flex">
      <Action
        icon={Heart}
        name="post.like"
        count={post.likeCount}
        onClick={() => setOpened('post.likeInApp')}
      />
      <Action icon={MessageCircle} name="post.comment" onClick={() => setOpened('post.commentInApp')} />
      <Action icon={Share2} name="post.share" onClick={() => setOpened('share')} />
      <ReportButton kind="post" id={post._id} ownerId={post.userId} className="ml-auto" />
      {opened === 'share' && <ShareDialog path={`/post/${post._id}`} onClose={close} />}
      {opened && opened !== 'share' && <DownloadAppDialog why={text(opened)} onClose={close} />}
    </div>
  );
}

interface ActionProps {
  icon: LucideIcon;
  name: MessageId;
  count?: number;
  onClick: () => void;
}

function Action({ icon: Icon, name, count, onClick }: ActionProps) {
  const text = useText();
  const label = text(name, { count });
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="flex min-h-11 min-w-11 items-center justify-center gap-1.5 rounded-control px-2.5 hover:bg-sunken"
    >
      <Icon aria-hidden className="size-6" />
      {count !== undefined && (
        <span aria-hidden className="figures pt-0.5 font-semibold">
          {text('count', { count })}
        </span>
      )}
    </button>
  );
}
