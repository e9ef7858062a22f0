import { useText } from '#web/text.tsx';
import { useSite } from '../chrome/use-site.ts';
import Comments from '../comments/comments.tsx';
import DownloadAppDialog from '../download-app/download-app-dialog.tsx';
import type { FeedReel } from '../feed/feed.ts';
import { ShareLink } from '../share/share-link.tsx';
import type { AppAction } from './actions.tsx';

interface AppPopupProps {
  reel: FeedReel;
  action: AppAction;
  onClose: () => void;
}

/** The app's popup about an action on a reel, with what the site shows of it (decisions §3). */
export default function AppPopup({ reel, action, onClose }: AppPopupProps) {
  const text = useText();
  const { origin } = useSite();
  const parts = {
    like: undefined,
    comment: (
      <section className="mt-6">
        <h3 className="mb-4 text-lg">{text('player.comments', { count: reel.commentCount })}</h3>
        <Comments reelId={reel._id} />
      </section>
    ),
    share: (
      <div className="mt-5 [@media(height<30rem)]:mt-3">
        <ShareLink
          address={`${origin}/videoplayer?reel=${reel._id}`}
          label={text('share.link')}
          reel={reel}
        />
      </div>
    ),
    view: <Counts reel={reel} />,
  };
  const values = { count: reel.views + 1, date: new Date(reel.createdAt) };
  return (
    <DownloadAppDialog why={text(`player.inApp.${action}`, values)} onClose={onClose}>
      {parts[action]}
    </DownloadAppDialog>
  );
}

function Counts({ reel: { likeCount, commentCount, shareviews } }: { reel: FeedReel }) {
  const text = useText();
  return (
    <ul className="figures mt-5 flex flex-wrap gap-x-6 gap-y-2 font-semibold">
      <li>{text('player.likes', { count: likeCount })}</li>
      <li>{text('player.comments', { count: commentCount })}</li>
      <li>{text('player.shares', { count: shareviews })}</li>
    </ul>
  );
}
