import { Copy } from 'lucide-react';
import { useState } from 'react';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { notify } from '#web/ui/notices.ts';
import { useSite } from '../chrome/use-site.ts';
import { copyText } from './send-link.ts';
import { ShareButton, ShareDialog } from './share-button.tsx';
import { WhatsAppLink } from './whatsapp-link.tsx';

await loadPart('share');

/** Sends or copies the URL of a page by one press. The last button has the other ways. */
export default function ShareAtOnce({ path }: { path: string }) {
  const text = useText();
  const { origin } = useSite();
  const [byHand, setByHand] = useState(false);
  const address = origin + path;

  async function copy() {
    if (await copyText(address)) notify('success', text('share.link.copied'));
    else setByHand(true);
  }
  return (
    <>
      <WhatsAppLink address={address} />
      <Button onClick={() => void copy()}>
        <Copy aria-hidden className="size-5" />
        {text('share.link.copy')}
      </Button>
      <ShareButton path={path} />
      {byHand && <ShareDialog path={path} onClose={() => setByHand(false)} />}
    </>
  );
}
