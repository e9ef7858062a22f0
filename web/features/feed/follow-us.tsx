import { AtSign, Camera, type LucideIcon, SquarePlay } from 'lucide-react';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { useSite } from '../chrome/use-site.ts';
import { controls } from '../interactions/controls.ts';

const networks: { name: 'instagram' | 'youtube' | 'x'; icon: LucideIcon; label: MessageId }[] = [
  { name: 'instagram', icon: Camera, label: 'follow.instagram' },
  { name: 'youtube', icon: SquarePlay, label: 'follow.youtube' },
  { name: 'x', icon: AtSign, label: 'follow.x' },
];

/** Links to the site's other channels and its app (specification §2, Home). */
export function FollowUs() {
  const text = useText();
  const { follow, stores } = useSite();
  const { InstallLink } = controls;
  return (
    <div className="on-night flex flex-wrap items-center gap-x-5 rounded-panel bg-night-raised px-5 py-1 sm:px-8 lg:px-14">
      <span id="follow-us" className="pt-0.5 text-[0.9375rem] font-medium text-night-text">
        {text('follow.label')}
      </span>
      <ul aria-labelledby="follow-us" className="-mx-2.5 flex">
        {networks.map(({ name, icon: Icon, label }) => (
          <li key={name}>
            <a
              href={follow[name]}
              target="_blank"
              rel="noreferrer"
              aria-label={text(label)}
              title={text(label)}
              className="grid size-11 place-items-center rounded-full text-night-soft hover:text-night-text"
            >
              <Icon aria-hidden className="size-5" />
            </a>
          </li>
        ))}
      </ul>
      {InstallLink ? (
        <InstallLink />
      ) : (
        <ul aria-label={text('follow.stores')} className="flex gap-x-5">
          {(['android', 'ios'] as const).map((store) => (
            <li key={store}>
              <a
                href={stores[store]}
                target="_blank"
                rel="noreferrer"
                className="flex min-h-11 items-center pt-0.5 text-[0.9375rem] font-medium text-night-soft underline-offset-4 hover:text-night-text hover:underline"
              >
                {text(store === 'android' ? 'follow.android' : 'follow.ios')}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
