import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Carousel } from '../carousel/carousel.tsx';
import { FollowUs } from './follow-us.tsx';

/** Figures given by the owner (specification §2, stats strip). */
const stats: { figure: string; label: MessageId }[] = [
  { figure: '2.5k+', label: 'home.stats.videos' },
  { figure: '1.8K+', label: 'home.stats.posts' },
  { figure: '40+', label: 'home.stats.categories' },
  { figure: '10k+', label: 'home.stats.users' },
];

/** The top of Home: the banner and the figures. */
export function Intro() {
  const text = useText();
  return (
    <div className="mb-4 sm:mb-8">
      <h1 className="sr-only">{text('site.title')}</h1>
      <Carousel />
      <div className="on-night flex flex-wrap items-center justify-between gap-x-10 gap-y-1 rounded-b-panel bg-night-raised px-5 py-2.5 text-night-text sm:px-9 lg:px-14">
        <dl
          aria-label={text('home.stats')}
          className="flex w-full justify-between gap-2 sm:w-auto sm:justify-start sm:gap-10"
        >
          {stats.map(({ figure, label }) => (
            <div
              key={label}
              className="flex flex-col-reverse justify-end whitespace-nowrap sm:flex-row-reverse sm:items-baseline sm:gap-2"
            >
              <dt className="text-[0.8125rem] leading-tight text-night-soft sm:text-[0.9375rem]">
                {text(label)}
              </dt>
              <dd className="figures text-[0.9375rem] font-semibold leading-tight sm:text-[1.0625rem]">
                {figure}
              </dd>
            </div>
          ))}
        </dl>
        <FollowUs />
      </div>
    </div>
  );
}
