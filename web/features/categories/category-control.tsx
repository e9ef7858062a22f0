import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { controls } from '../interactions/controls.ts';
import { fetchedPart } from '../offline/fetched-part.tsx';

const DownloadAppDialog = fetchedPart(() => import('../download-app/download-app-dialog.tsx'));

interface CategoryControlProps {
  /** In the language of the page. */
  name: string;
  className: string;
  children: ReactNode;
}

/** Opens the app's popup about a category (specification §1); on a site without an app, it leads to the category's reels. */
export function CategoryControl({ name, className, children }: CategoryControlProps) {
  const text = useText();
  const [isOpen, setIsOpen] = useState(false);
  const path = controls.categoryPath?.(name);
  if (path)
    return (
      <Link to={path} className={className}>
        {children}
      </Link>
    );
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)} className={className}>
        {children}
      </button>
      {isOpen && (
        <DownloadAppDialog why={text('category.inApp', { name })} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}
