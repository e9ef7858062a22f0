import { Link } from 'react-router';
import { useText } from '../text.tsx';
import { buttonLook } from '../ui/button.tsx';
import { EmptyState } from '../ui/quiet-state.tsx';

/** Shown for addresses without a page. */
export function NotFound() {
  const text = useText();
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <title>{text('notFound.pageTitle')}</title>
      <EmptyState
        drawing="missing"
        wholePage
        title={text('notFound.title')}
        text={text('notFound.text')}
        action={
          <Link to="/" className={buttonLook('primary')}>
            {text('notFound.home')}
          </Link>
        }
      />
    </div>
  );
}
