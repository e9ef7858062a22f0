import { Code } from 'lucide-react';
import { embedCode, embedSize } from '#contract/embed-code.ts';
import { useText } from '#web/text.tsx';
import { buttonLook } from '#web/ui/button.tsx';
import { useSite } from '../chrome/use-site.ts';
import type { FeedReel } from '../feed/feed.ts';
import { CopyField } from './copy-field.tsx';
import { LinkCode } from './link-code.tsx';
import { WhatsAppLink } from './whatsapp-link.tsx';

interface ShareLinkProps {
  address: string;
  label: string;
  /** What the page is about, if other sites may embed it. */
  reel?: FeedReel;
  /** Called when somebody has sent or copied it. */
  onShared?: () => void;
}

/**
 * Ways to share a URL: WhatsApp, the clipboard, the device's share dialog, and where there is a mouse a QR code and the code that embeds a
 * reel.
 */
export function ShareLink({ address, label, reel, onShared }: ShareLinkProps) {
  const text = useText();
  return (
    <div className="grid gap-3">
      <CopyField what="link" value={address} label={label} onShared={onShared}>
        <WhatsAppLink address={address} onShared={onShared} />
      </CopyField>
      {reel && <Embed reel={reel} />}
      <LinkCode
        address={address}
        label={text('share.qr')}
        caption={text('share.scan')}
        className="hidden sm:pointer-fine:flex"
      />
    </div>
  );
}

/** The code with which another site shows a reel. Nobody edits such a site on a phone. */
function Embed({ reel }: { reel: FeedReel }) {
  const text = useText();
  const { origin, lang } = useSite();
  return (
    <details className="hidden sm:pointer-fine:block">
      <summary className={buttonLook('quiet', 'cursor-pointer -ml-5')}>
        <Code aria-hidden className="size-5" />
        {text('share.embed')}
      </summary>
      <CopyField
        what="code"
        value={embedCode(origin, reel, embedSize(reel), lang)}
        label={text('share.code.label')}
      />
    </details>
  );
}
