import { useText } from '#web/text.tsx';
import { useSite } from '../chrome/use-site.ts';
import Comments from '../comments/comments.tsx';
import DownloadAppDialog from '../download-app/download-app-dialog.tsx';
import type { ActionDialogProps } from '../interactions/controls.ts';
import { ShareLink } from '../share/share-link.tsx';
import { Counts } from './counts.tsx';

/** The app's popup about an action on a reel, with what the site shows of it (decisions §3). */
export default function AppPopup({ reel, action, onClose }: ActionDialogProps) {
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
      <div className="mt-5 short:mt-3">
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
