import { Clapperboard, IndianRupee, LayoutGrid, Upload } from 'lucide-react';
import { useEffect } from 'react';
import { TeamList } from '../features/about/team-list.tsx';
import { headOf } from '../features/chrome/head.ts';
import { useSite } from '../features/chrome/use-site.ts';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/about';

await loadPart('about');

/** 'Why choose us': the four items of specification §2. */
const reasons = [
  { icon: Clapperboard, title: 'about.watch.title', text: 'about.watch.text' },
  { icon: Upload, title: 'about.upload.title', text: 'about.upload.text' },
  { icon: IndianRupee, title: 'about.withdraw.title', text: 'about.withdraw.text' },
  { icon: LayoutGrid, title: 'about.category.title', text: 'about.category.text' },
] as const;

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('about.pageTitle'),
    description: i18n._('about.lead'),
    site,
    path: '/About',
  });
}

export default function About() {
  const text = useText();
  const { rates, team } = useSite();
  const least = rates.minimumWithdrawalPaise / 100;
  // The page always opens at its top (specification §2).
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  return (
    <div className="wrap-page max-w-grid py-6 sm:py-10">
      <div className="grid items-center gap-6 lg:grid-cols-2 lg:gap-12">
        <div>
          <h1 className="text-3xl sm:text-5xl">{text('about.title')}</h1>
          <p className="mt-3 max-w-[48ch] text-pretty sm:text-xl">{text('about.lead')}</p>
          <p className="mt-4 max-w-[60ch] text-pretty text-soft">{text('about.paragraph')}</p>
        </div>
        <img
          src="/slides/glimpse.svg"
          alt={text('about.picture')}
          width={480}
          height={320}
          className="h-auto w-full rounded-panel bg-night p-4 sm:p-8"
        />
      </div>

      <h2 className="mb-4 mt-12 text-2xl sm:text-3xl">{text('about.why')}</h2>
      <ul className="grid gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-4">
        {reasons.map(({ icon: Icon, title, text: words }) => (
          <li key={title} className="rounded-panel border border-line bg-surface p-5">
            <span className="mb-4 grid size-12 place-items-center rounded-control bg-night text-marigold">
              <Icon aria-hidden className="size-6" />
            </span>
            <h3 className="text-xl">{text(title, { least })}</h3>
            <p className="mt-1.5 text-pretty text-soft">{text(words, { least })}</p>
          </li>
        ))}
      </ul>

      <h2 className="mb-4 mt-12 text-2xl sm:text-3xl">{text('about.team')}</h2>
      <TeamList team={team} />
    </div>
  );
}
