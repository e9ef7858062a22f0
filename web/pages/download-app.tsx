import { Check } from 'lucide-react';
import { headOf } from '../features/chrome/head.ts';
import { screens } from '../features/download-app/screens.ts';
import { StoreCode } from '../features/download-app/store-code.tsx';
import { StoreLinks } from '../features/download-app/store-links.tsx';
import { controls } from '../features/interactions/controls.ts';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import type { Route } from './+types/download-app';

await loadPart('download');

const inApp = ['download.like', 'download.follow', 'download.categories', 'download.edit'] as const;

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('download.pageTitle'),
    description: i18n._('download.lead'),
    site,
    path: '/DownloadApp',
  });
}

export default function DownloadApp() {
  const { InstallPage = AboutTheApp } = controls;
  return <InstallPage />;
}

function AboutTheApp() {
  const text = useText();
  return (
    <div className="wrap-page max-w-grid py-4 sm:py-8">
      <section className="on-night banner-night grid gap-8 rounded-panel px-6 py-8 text-night-text sm:px-10 sm:py-12 lg:grid-cols-[1fr_auto] lg:items-end">
        <div>
          <h1 className="max-w-[16ch] text-3xl font-extrabold sm:text-5xl">{text('download.title')}</h1>
          <p className="mt-3 max-w-[26ch] text-night-soft sm:max-w-[48ch] sm:text-lg">
            {text('download.lead')}
          </p>
          <ul className="mt-5 grid max-w-[27ch] gap-2 sm:max-w-none">
            {inApp.map((what) => (
              <li key={what} className="flex items-baseline gap-3">
                <Check aria-hidden className="size-4 shrink-0 translate-y-0.5 text-marigold" />
                {text(what)}
              </li>
            ))}
          </ul>
          <div className="mt-7 flex flex-wrap gap-3">
            <StoreLinks />
          </div>
        </div>
        <StoreCode className="hidden max-w-sm text-text sm:flex" />
      </section>

      <h2 className="mb-4 mt-10 text-2xl sm:text-3xl">{text('download.screens')}</h2>
      <section aria-label={text('download.screens')}>
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a strip that scrolls sideways is scrolled by keys, too
          tabIndex={0}
          className="screens -mx-3 flex snap-x gap-4 overflow-x-auto px-3 pb-4 sm:mx-0 sm:grid sm:grid-cols-3 sm:overflow-visible sm:px-0 lg:grid-cols-4 lg:gap-6"
        >
          {screens.map(({ name }) => (
            <li key={name} className="w-56 shrink-0 snap-center sm:w-auto">
              <figure>
                {/* A thin line inside separates dark screens from the frame. */}
                <div className="rounded-[2rem] bg-night p-[7px] shadow-raised ring-1 ring-line-strong">
                  <img
                    src={`/screens/${name}.webp`}
                    alt={text(`screens.${name}.alt`)}
                    width={390}
                    height={844}
                    loading="lazy"
                    decoding="async"
                    className="h-auto w-full rounded-[1.6rem] ring-1 ring-night-soft/45"
                  />
                </div>
                <figcaption className="mt-3 text-center text-pretty text-soft">
                  {text(`screens.${name}`)}
                </figcaption>
              </figure>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
