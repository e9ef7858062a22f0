import { Logo } from '../features/chrome/mark.tsx';
import { useNonce } from '../nonce.ts';
import type { PageHandle } from '../root.tsx';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { EmptyState } from '../ui/quiet-state.tsx';

/** Shown by the service worker at any address if the network is away. */
export const handle: PageHandle = { fullScreen: true, isStatic: true };

const reloadWhenOnline = `addEventListener('online',()=>location.reload())`;

export default function Offline() {
  const text = useText();
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr] justify-items-center">
      <title>{text('offline.pageTitle')}</title>
      <meta name="robots" content="noindex" />
      {/* For what no browser reports, such as a site that was away. */}
      <meta httpEquiv="refresh" content="10" />
      <script
        nonce={useNonce()}
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours; the page loads no other script
        dangerouslySetInnerHTML={{ __html: reloadWhenOnline }}
      />
      <header className="wrap-page flex h-16 items-center">
        <a href="/" aria-label={text('nav.home')}>
          <Logo />
        </a>
      </header>
      <EmptyState
        drawing="offline"
        wholePage
        title={text('offline.title')}
        text={text('offline.text')}
        action={
          // biome-ignore lint/a11y/useValidAnchor: the empty address reloads the requested page
          <a href="" className={buttonLook('primary')}>
            {text('list.retry')}
          </a>
        }
      />
    </div>
  );
}
