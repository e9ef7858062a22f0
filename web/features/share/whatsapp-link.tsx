import { MessageCircle } from 'lucide-react';
import { useText } from '#web/text.tsx';
import { buttonLook } from '#web/ui/button.tsx';

/** Opens WhatsApp with a URL to send. The words are of the part `share`. */
export function WhatsAppLink({
  address,
  onShared,
}: {
  address: string;
  onShared?: (() => void) | undefined;
}) {
  const text = useText();
  return (
    <a
      href={`https://wa.me/?text=${encodeURIComponent(address)}`}
      target="_blank"
      rel="noreferrer"
      onClick={onShared}
      className={buttonLook('secondary')}
    >
      <MessageCircle aria-hidden className="size-5" />
      {text('share.whatsApp')}
    </a>
  );
}
