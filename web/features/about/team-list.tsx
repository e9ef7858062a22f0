import { AtSign, BriefcaseBusiness, Camera } from 'lucide-react';
import { useText } from '#web/text.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import type { Site } from '../chrome/use-site.ts';

const networks = {
  professional: { icon: BriefcaseBusiness, name: 'about.professional' },
  posts: { icon: AtSign, name: 'about.posts' },
  photos: { icon: Camera, name: 'about.photos' },
} as const;

/** The founder first, then contributors. Links are shown only if there are any (specification §2, /About). */
export function TeamList({ team }: Pick<Site, 'team'>) {
  const text = useText();
  return (
    <ul className="grid gap-3 sm:grid-cols-3 sm:gap-4">
      {team.map(({ name, links }, place) => (
        <li
          key={name}
          className="flex items-center gap-4 rounded-panel border border-line bg-surface p-5 sm:flex-col sm:text-center"
        >
          <Avatar src={undefined} name={name} className="size-16 text-3xl sm:size-24 sm:text-4xl" />
          <div className="min-w-0">
            <h3 className="text-xl">{name}</h3>
            <p className="text-soft">{text(place === 0 ? 'about.founder' : 'about.contributor')}</p>
            {links.length > 0 && (
              <ul className="-ml-3 mt-1 flex sm:ml-0 sm:justify-center">
                {links.map(({ network, url }) => {
                  const { icon: Icon, name: called } = networks[network];
                  const label = text('about.link', { name, network: text(called) });
                  return (
                    <li key={network}>
                      <a
                        href={url}
                        target="_blank"
                        rel="noreferrer"
                        aria-label={label}
                        title={label}
                        className="grid size-11 place-items-center rounded-full hover:bg-sunken"
                      >
                        <Icon aria-hidden className="size-5" />
                      </a>
                    </li>
                  );
                })}
              </ul>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
