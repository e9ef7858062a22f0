import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';

/** Figures given by the owner (specification §2, stats strip). */
const stats: { figure: string; label: MessageId }[] = [
  { figure: '2.5k+', label: 'home.stats.videos' },
  { figure: '1.8K+', label: 'home.stats.posts' },
  { figure: '40+', label: 'home.stats.categories' },
  { figure: '10k+', label: 'home.stats.users' },
];

export function Figures() {
  const text = useText();
  return (
    <dl
      aria-label={text('home.stats')}
      className="on-night flex justify-between gap-2 rounded-panel bg-night-raised px-5 py-2 text-night-text sm:justify-around sm:px-8 sm:py-3"
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
  );
}
