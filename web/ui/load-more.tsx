import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { buttonLook } from './button.tsx';

interface LoadMoreProps {
  /** Address of the page that begins where this one ends: what the link is before any script runs. */
  to: string;
  busy: boolean;
  /** The last try failed: wait for a press instead of trying by itself. */
  failed: boolean;
  onMore: () => void;
  words: { more: string; loading: string; failed: string; retry: string };
}

/** More comes by itself while scrolling near the end; before any script runs it is a link to the next page. */
export function LoadMore({ to, busy, failed, onMore, words }: LoadMoreProps) {
  const ref = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const end = ref.current;
    if (!end || busy || failed) return;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), {
      rootMargin: '0px 0px 1200px 0px',
    });
    watch.observe(end);
    return () => watch.disconnect();
  }, [busy, failed, onMore]);

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
