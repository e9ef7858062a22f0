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
    <section className="lit-night mb-8 overflow-hidden rounded-panel px-5 py-7 text-night-text sm:px-9 sm:py-10">
      <h1 className="max-w-[11ch] text-[2.25rem] font-extrabold sm:text-[3.25rem]">{text('home.title')}</h1>
      <p className="mt-3 max-w-[30ch] text-lg leading-snug text-night-soft">{text('home.lead')}</p>
      <dl aria-label={text('home.stats')} className="mt-7 flex flex-wrap gap-x-8 gap-y-3 sm:gap-x-12">
        {stats.map(({ figure, label }) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="text-[0.9375rem] leading-tight text-night-soft">{text(label)}</dt>
            <dd className="figures text-2xl font-bold leading-tight">{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
