import { useText } from '#web/text.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useSite } from '../chrome/use-site.ts';
import { ShareLink } from './share-link.tsx';

/** Ways to share a page of the site. */
export default function ShareDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const text = useText();
  const { origin } = useSite();
  return (
    <Dialog open onClose={onClose} title={text('post.share')} closeLabel={text('dialog.close')}>
      <ShareLink address={origin + path} label={text('share.page')} />
    </Dialog>
  );
}
