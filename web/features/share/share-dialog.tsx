import { useText } from '#web/text.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LinkField } from './link-field.tsx';

/** The link of a page, for browsers that neither share nor copy it. */
export default function ShareDialog({ address, onClose }: { address: string; onClose: () => void }) {
  const text = useText();
  return (
    <Dialog open onClose={onClose} title={text('post.share')} closeLabel={text('dialog.close')}>
      <LinkField address={address} label={text('photo.link')} />
    </Dialog>
  );
}
