import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { buttonLook } from '../../ui/button.tsx';

interface LoadMoreProps {
  cursor: string;
  busy: boolean;
  /** The last try failed: wait for a press instead of trying by itself. */
  failed: boolean;
  onMore: () => void;
}

/** More comes by itself while scrolling near the end; before any script runs it is a link to the next page. */
export function LoadMore({ cursor, busy, failed, onMore }: LoadMoreProps) {
  const text = useText();
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
          {text('home.error.title')}
        </p>
      )}
      <Link
        to={`/?cursor=${encodeURIComponent(cursor)}`}
        onClick={(event) => {
          event.preventDefault();
          if (!busy) onMore();
        }}
        className={buttonLook('secondary', busy ? 'busy' : undefined)}
      >
        {text(busy ? 'home.loadingMore' : failed ? 'home.retry' : 'home.more')}
      </Link>
    </div>
  );
}
