import { ArrowLeft } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { useText } from '#web/text.tsx';

/** A link to the previous page, or to Home if there is none. */
export function BackLink() {
  const text = useText();
  const navigate = useNavigate();
  return (
    <Link
      to="/"
      aria-label={text('player.back')}
      title={text('player.back')}
      onClick={(event) => {
        // React Router counts the pages of this visit; before the first one there is no page of this site.
        if (!(window.history.state?.idx > 0)) return;
        event.preventDefault();
        void navigate(-1);
      }}
      className="-ml-2.5 grid size-11 shrink-0 place-items-center rounded-full hover:bg-sunken"
    >
      <ArrowLeft aria-hidden className="size-6" />
    </Link>
  );
}
