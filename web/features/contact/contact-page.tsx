import './contact.css';
import type { ReactNode } from 'react';

interface ContactPageProps {
  title: string;
  lead: string;
  /** Further content below the lead. */
  beside: ReactNode;
  children: ReactNode;
}

/** Text on the left on a dark background, the form on the right; on a phone one above the other. */
export function ContactPage({ title, lead, beside, children }: ContactPageProps) {
  return (
    <div className="wrap-page max-w-form py-4 sm:py-8">
      <div className="grid overflow-hidden rounded-panel border border-line bg-surface shadow-raised lg:grid-cols-[5fr_7fr]">
        <div className="on-night message-night grid content-start gap-3 py-7 pr-12 pl-6 text-night-text sm:px-10 sm:py-12">
          <h1 className="text-3xl sm:text-4xl">{title}</h1>
          <p className="max-w-[40ch] text-night-soft sm:text-lg">{lead}</p>
          <div className="mt-2 grid max-w-[27ch] gap-2 text-night-text">{beside}</div>
        </div>
        <div className="px-6 py-7 sm:px-10 sm:py-12">{children}</div>
      </div>
    </div>
  );
}
