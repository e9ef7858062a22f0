import { ArrowLeft } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { useText } from '#web/text.tsx';

/** A link to the previous page of this visit, or to another one, Home by default, if there is none. */
export function BackLink({ to = '/' }: { to?: string }) {
  const text = useText();
  const goBack = useGoBack();
  return (
    <Link
      to={to}
      aria-label={text('player.back')}
      title={text('player.back')}
      onClick={(event) => goBack() && event.preventDefault()}
      className="-ml-2.5 grid size-11 shrink-0 place-items-center rounded-full hover:bg-sunken"
    >
      <ArrowLeft aria-hidden className="size-6" />
    </Link>
  );
}

/** Goes to the previous page of this visit; returns false if there is none. */
export function useGoBack(): () => boolean {
  const navigate = useNavigate();
  return () => {
    // React Router counts the pages of this visit; before the first one there is no page of this site.
    if (!(window.history.state?.idx > 0)) return false;
    void navigate(-1);
    return true;
  };
}
