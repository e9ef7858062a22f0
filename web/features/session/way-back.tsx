import { ArrowLeft } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { useText } from '#web/text.tsx';
import { buttonLook } from '#web/ui/button.tsx';

/**
 * The page that led to the login. It is carried in navigation state through login and sign-up to /UserProfile, where
 * both end (specification §4).
 */
export interface WayBack {
  from?: string;
  /** What the visitor wanted to do there: its time, by which that page knows it again (on-site/responses.ts). */
  wish?: number;
}

/** The page to go back to. Only paths of this site are accepted. */
export function useWayBack(): WayBack {
  const { state } = useLocation();
  const { from, wish }: { from?: unknown; wish?: unknown } = state ?? {};
  if (typeof from !== 'string' || !isOwnPath(from)) return {};
  return typeof wish === 'number' ? { from, wish } : { from };
}

/** Whether an address is a path of this site. Browsers read `//host` and `/\\\\host` as other hosts. */
export function isOwnPath(address: string): boolean {
  const base = 'https://this.site';
  return address.startsWith('/') && URL.parse(address, base)?.origin === base;
}

/** A link back to the page that led to the login. */
export function WayBackLink() {
  const text = useText();
  const { from } = useWayBack();
  if (!from) return null;
  return (
    <p className="mb-4">
      <Link to={from} className={buttonLook('primary')}>
        <ArrowLeft aria-hidden className="size-5 shrink-0" />
        {text('account.wayBack')}
      </Link>
    </p>
  );
}
