import { useEffect, useRef } from 'react';

/** The error message of a whole form; it is scrolled into view. */
export function FormError({ message }: { message: string | undefined }) {
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (message) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [message]);
  return (
    <p
      ref={ref}
      role="alert"
      className={
        message ? 'scroll-m-24 rounded-control bg-alert-ground px-4 py-3 font-medium text-alert' : 'sr-only'
      }
    >
      {message}
    </p>
  );
}
