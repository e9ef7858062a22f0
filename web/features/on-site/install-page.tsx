import { useSyncExternalStore } from 'react';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { useSite } from '../chrome/use-site.ts';
import { LinkCode } from '../share/link-code.tsx';
import { install, installOffered } from './install-prompt.ts';

const why = ['onsite.install.icon', 'onsite.install.screen', 'onsite.install.notices'] as const;
const ways = ['android', 'ios', 'desktop'] as const;
const unknown = () => false;

/** In place of the page about the app: how a browser puts the site on the home screen. */
export function InstallPage() {
  const text = useText();
  const { origin } = useSite();
  const isOffered = useSyncExternalStore(installOffered.subscribe, installOffered.now, unknown);
  return (
    <div className="wrap-page max-w-grid py-4 sm:py-8">
      <section className="on-night banner-night grid gap-8 rounded-panel px-6 py-8 text-night-text sm:px-10 sm:py-12 lg:grid-cols-[1fr_auto] lg:items-end">
        <div>
          <h1 className="max-w-[16ch] text-3xl font-extrabold sm:text-5xl">{text('onsite.install.title')}</h1>
          <p className="mt-3 max-w-[26ch] text-night-soft sm:max-w-[48ch] sm:text-lg">
            {text('download.lead')}
          </p>
          <ul className="mt-5 grid max-w-[27ch] list-disc gap-2 pl-5 marker:text-marigold sm:max-w-none">
            {why.map((what) => (
              <li key={what}>{text(what)}</li>
            ))}
          </ul>
          {isOffered && (
            <Button kind="primary" className="mt-7 min-h-12" onClick={install}>
              {text('onsite.install.now')}
            </Button>
          )}
        </div>
        <LinkCode
          address={origin}
          label={text('onsite.install.qrLabel')}
          caption={text('onsite.install.qr')}
          className="hidden max-w-sm text-text sm:flex"
        />
      </section>
      <ul className="mt-8 grid gap-4 sm:grid-cols-3">
        {ways.map((way) => (
          <li key={way} className="rounded-panel border border-line bg-surface p-5">
            <h2 className="text-xl">{text(`onsite.install.on.${way}`)}</h2>
            <p className="mt-2 text-pretty text-soft">{text(`onsite.install.how.${way}`)}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
