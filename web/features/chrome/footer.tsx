import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { Mark } from './mark.tsx';
import { footerLinks, mainLinks, moreLinks } from './site-links.ts';

export function Footer() {
  const text = useText();
  return (
    <footer className="mt-16 border-t border-line pb-(--foot)">
      <div className="wrap-page flex flex-wrap items-start justify-between gap-x-12 gap-y-6 py-8">
        <div>
          {/* Two lines are reserved: in the fallback font the text may need only one. */}
          <p className="flex min-h-[2lh] max-w-sm items-center gap-3 text-soft">
            <Mark className="size-10 shrink-0" />
            {text('footer.line')}
          </p>
          <LanguageSwitch className="-ml-3 mt-2" />
        </div>
        <nav aria-label={text('footer.links')} className="max-w-column">
          <ul className="flex flex-wrap gap-x-6">
            {[...mainLinks, ...moreLinks, ...footerLinks].map(({ to, label }) => (
              <li key={to}>
                <Link
                  prefetch="intent"
                  to={to}
                  className="inline-flex min-h-11 items-center underline-offset-4 hover:underline"
                >
                  {text(label)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
