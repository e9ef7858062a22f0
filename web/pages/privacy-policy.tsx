import { Fragment } from 'react';
import { Link } from 'react-router';
import { limits } from '#contract/limits.ts';
import { headOf } from '../features/chrome/head.ts';
import { StoredData } from '../features/reading/stored-data.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { T, useText } from '../text.tsx';
import type { Route } from './+types/privacy-policy';

await loadPart('privacy');

/** The 9 sections of specification §2. They describe what the code does, so they change together. */
const sections = [
  { id: 'who', paragraphs: ['privacy.who.1', 'privacy.who.2'] },
  {
    id: 'collect',
    paragraphs: [
      'privacy.collect.1',
      'privacy.collect.2',
      'privacy.collect.3',
      'privacy.collect.4',
      'privacy.collect.5',
      'privacy.collect.6',
      'privacy.collect.7',
    ],
  },
  { id: 'use', paragraphs: ['privacy.use.1', 'privacy.use.2'] },
  { id: 'device', paragraphs: ['privacy.device.1', 'privacy.device.2'] },
  { id: 'share', paragraphs: ['privacy.share.1', 'privacy.share.2', 'privacy.share.3'] },
  { id: 'keep', paragraphs: ['privacy.keep.1', 'privacy.keep.2'] },
  { id: 'choices', paragraphs: ['privacy.choices.1', 'privacy.choices.2', 'privacy.choices.3'] },
  { id: 'children', paragraphs: ['privacy.children.1'] },
  { id: 'contact', paragraphs: ['privacy.contact.1'] },
] as const;
const figures = { age: limits.minimumAge, hours: limits.storyHours, days: limits.sessionDays };
const updated = new Date('2025-08-01T00:00:00+05:30');

/** The date of the section that is made from settings and code: the current day. */
export const loader = () => ({ asOf: new Date().toISOString() });
export const clientLoader = () => ({ asOf: new Date().toISOString() });

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('privacy.pageTitle'),
    description: i18n._('privacy.lead'),
    site,
    path: '/PrivacyPolicy',
  });
}

export default function PrivacyPolicy({ loaderData: { asOf } }: Route.ComponentProps) {
  const text = useText();
  const links = {
    contact: <Link to="/Contact" className="text-link" />,
    stored: <Link to="#stored" className="text-link" />,
    profile: <Link to="/UserProfile" className="text-link" />,
  };
  return (
    <div className="wrap-page grid max-w-form gap-8 py-6 sm:py-10 lg:grid-cols-[16rem_minmax(0,44rem)] lg:gap-16">
      <header className="lg:col-start-2">
        <h1 className="text-3xl sm:text-5xl">{text('privacy.title')}</h1>
        <p className="mt-2 text-soft">{text('privacy.updated', { date: updated })}</p>
        <p className="mt-4 text-pretty sm:text-xl">{text('privacy.lead')}</p>
      </header>
      <nav
        aria-label={text('privacy.contents')}
        className="rounded-panel border border-line bg-surface p-3 lg:sticky lg:top-24 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:self-start"
      >
        <ol>
          {sections.map(({ id }, place) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className="flex min-h-11 items-center gap-2 rounded-control px-3 leading-tight hover:bg-sunken"
              >
                <span className="figures w-5 text-soft">{text('privacy.number', { number: place + 1 })}</span>
                {text(`privacy.${id}.title`)}
              </a>
            </li>
          ))}
        </ol>
        {/* It is made from settings and code, and is none of the 9 sections. */}
        <a
          href="#stored"
          className="mt-2 flex min-h-11 items-center border-t border-line px-3 pt-2 leading-tight hover:bg-sunken"
        >
          {text('privacy.stored.title')}
        </a>
      </nav>
      <div className="grid gap-8 lg:col-start-2">
        {sections.map(({ id, paragraphs }, place) => (
          <section key={id} id={id} aria-labelledby={`${id}-title`} className="scroll-mt-24">
            <h2 id={`${id}-title`} className="mb-2 text-2xl">
              {text('privacy.number', { number: place + 1 })} {text(`privacy.${id}.title`)}
            </h2>
            <div className="grid gap-3 text-pretty">
              {paragraphs.map((paragraph) => (
                <Fragment key={paragraph}>
                  <p>
                    <T id={paragraph} values={figures} parts={links} />
                  </p>
                </Fragment>
              ))}
            </div>
          </section>
        ))}
        <StoredData asOf={asOf} />
      </div>
    </div>
  );
}
