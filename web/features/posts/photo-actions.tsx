import { Heart, type LucideIcon, MessageCircle, Share2 } from 'lucide-react';
import { useState } from 'react';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import { useSite } from '../chrome/use-site.ts';
import { fetchedPart } from '../offline/fetched-part.tsx';
import { ReportButton } from '../reports/report-button.tsx';
import { sendLink } from '../share/send-link.ts';
import type { ShownPost } from './posts.ts';

const DownloadAppDialog = fetchedPart(() => import('../download-app/download-app-dialog.tsx'));
const ShareDialog = fetchedPart(() => import('../share/share-dialog.tsx'));

/** Like and comment lead to the app (decisions §1); the link of the page can be sent from here. */
export function PhotoActions({ post }: { post: ShownPost }) {
  const text = useText();
  const { origin } = useSite();
  const [opened, setOpened] = useState<'post.likeInApp' | 'post.commentInApp' | 'share'>();
  const close = () => setOpened(undefined);
  const address = `${origin}/post/${post._id}`;
  const share = async () => {
    const end = await sendLink(address);
    if (end === 'copied') notify('success', text('share.copied'));
    if (end === 'refused') setOpened('share');
  };
  return (
    <div className="needs-script -mx-2.5 flex">
      <Action
        icon={Heart}
        name="post.like"
        count={post.likeCount}
        onClick={() => setOpened('post.likeInApp')}
      />
      <Action icon={MessageCircle} name="post.comment" onClick={() => setOpened('post.commentInApp')} />
      <Action icon={Share2} name="post.share" onClick={() => void share()} />
      <ReportButton kind="post" id={post._id} ownerId={post.userId} className="ml-auto" />
      {opened === 'share' && <ShareDialog address={address} onClose={close} />}
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
