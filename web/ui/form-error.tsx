import { useEffect, useRef } from 'react';

/** The page of a decision, to which the refusal of a login leads. */
const decisionPage = /(\/report\/[\da-f-]{36})/;

/** The error message of a whole form; it is scrolled into view. */
export function FormError({ message }: { message: string | undefined }) {
  const ref = useRef<HTMLParagraphElement>(null);
  const [before, address, after] = message?.split(decisionPage) ?? [];
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
      {before}
      {address && (
        <a href={address} className="underline underline-offset-4 wrap-anywhere">
          {address}
        </a>
      )}
      {after}
    </p>
  );
}
