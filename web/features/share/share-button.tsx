import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { useText } from '#web/text.tsx';
import { Button, IconButton } from '#web/ui/button.tsx';
import { fetchedPart } from '../offline/fetched-part.tsx';

export const ShareDialog = fetchedPart(() => import('./share-dialog.tsx'));

interface ShareButtonProps {
  path: string;
  /** With the word beside the icon. */
  isWide?: boolean;
}

/** Opens the dialog that shares a page of the site. */
export function ShareButton({ path, isWide = false }: ShareButtonProps) {
  const text = useText();
  const [open, setOpen] = useState(false);
  return (
    <>
      {isWide ? (
        <Button onClick={() => setOpen(true)} className="needs-script px-4!">
          <Share2 aria-hidden className="size-5" />
          {text('post.share')}
        </Button>
      ) : (
        <IconButton
          label={text('post.share')}
          onClick={() => setOpen(true)}
          className="needs-script text-soft"
        >
          <Share2 aria-hidden className="size-5" />
        </IconButton>
      )}
      {open && <ShareDialog path={path} onClose={() => setOpen(false)} />}
    </>
  );
}
