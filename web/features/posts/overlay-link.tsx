import type { ComponentProps } from 'react';
import { Link } from 'react-router';

interface OverlayLinkProps extends ComponentProps<typeof Link> {
  onOpen: () => void;
}

/** A link to a page, of which a plain click shows the content in an overlay. Without a script, or in a new tab, it is the page. */
export function OverlayLink({ onOpen, ...link }: OverlayLinkProps) {
  return (
    <Link
      {...link}
      aria-haspopup="dialog"
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onOpen();
      }}
    />
  );
}
