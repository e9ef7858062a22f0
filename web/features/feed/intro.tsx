import type { MessageId } from '../../messages/catalogues.ts';
import { useText } from '../../text.tsx';

/** The four figures are the owner's (specification §2, stats strip). */
const stats: { figure: string; label: MessageId }[] = [
  { figure: '2.5k+', label: 'home.stats.videos' },
  { figure: '1.8K+', label: 'home.stats.posts' },
  { figure: '40+', label: 'home.stats.categories' },
  { figure: '10k+', label: 'home.stats.users' },
];

export function Intro() {
  const text = useText();
  return (
    <section className="mb-6 overflow-hidden rounded-panel bg-night text-night-text sm:mb-8">
      <div className="lit-night px-5 py-6 sm:px-9 sm:py-9">
        <h1 className="max-w-[10ch] text-[clamp(1.75rem,8.7vw,2.125rem)] font-extrabold sm:max-w-none sm:text-4xl lg:text-[2.75rem]">
          {text('home.title')}
        </h1>
        <p className="mt-2 max-w-[19ch] leading-snug text-night-soft sm:max-w-[34rem] sm:text-lg">
          {text('home.lead')}
        </p>
      </div>
      <dl
        aria-label={text('home.stats')}
        className="grid grid-cols-4 gap-2 bg-night-raised px-5 py-3 sm:flex sm:gap-12 sm:px-9"
      >
        {stats.map(({ figure, label }) => (
          <div key={label} className="flex flex-col-reverse sm:flex-row-reverse sm:items-baseline sm:gap-2">
            <dt className="text-[0.8125rem] leading-tight text-night-soft sm:text-[1.0625rem]">
              {text(label)}
            </dt>
            <dd className="figures text-xl font-bold leading-tight sm:text-2xl">{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
