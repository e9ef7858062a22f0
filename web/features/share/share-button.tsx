import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { useText } from '#web/text.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { fetchedPart } from '../offline/fetched-part.tsx';

export const ShareDialog = fetchedPart(() => import('./share-dialog.tsx'));

/** Opens the dialog that shares a page of the site. */
export function ShareButton({ path }: { path: string }) {
  const text = useText();
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton label={text('post.share')} onClick={() => setOpen(true)} className="needs-script text-soft">
        <Share2 aria-hidden className="size-5" />
      </IconButton>
      {open && <ShareDialog path={path} onClose={() => setOpen(false)} />}
    </>
  );
}
