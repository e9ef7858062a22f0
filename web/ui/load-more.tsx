import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { buttonLook } from './button.tsx';

interface LoadMoreProps {
  /** The URL of the next page, used by the link before hydration. */
  to: string;
  busy: boolean;
  /** The last attempt failed: the next one starts only on a click. */
  failed: boolean;
  /** The next page is loaded only on a click. */
  byClick?: boolean;
  onMore: () => void;
  words: { more: string; loading: string; failed: string; retry: string };
}

/** Loads more when it is scrolled near the viewport; before hydration it is a link to the next page. */
export function LoadMore({ to, busy, failed, byClick = false, onMore, words }: LoadMoreProps) {
  const ref = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const end = ref.current;
    if (!end || busy || failed || byClick) return;
    // A busy browser reports several changes at once, the newest last.
    const watch = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && onMore(), {
      rootMargin: '0px 0px 1200px 0px',
    });
    watch.observe(end);
    return () => watch.disconnect();
  }, [busy, failed, byClick, onMore]);

  return (
    <div ref={ref} className="mt-8 grid justify-items-center gap-3">
      {failed && (
        <p role="alert" className="text-alert">
          {words.failed}
        </p>
      )}
      <Link
        to={to}
        onClick={(event) => {
          event.preventDefault();
          if (!busy) onMore();
        }}
        className={buttonLook('secondary', busy ? 'busy' : undefined)}
      >
        {busy ? words.loading : failed ? words.retry : words.more}
      </Link>
    </div>
  );
}
