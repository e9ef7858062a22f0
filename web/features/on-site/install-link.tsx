import { Link } from 'react-router';
import { useText } from '#web/text.tsx';

/** In place of the links to both stores. */
export function InstallLink() {
  const text = useText();
  return (
    <Link
      to="/DownloadApp"
      className="flex min-h-11 items-center pt-0.5 text-[0.9375rem] font-medium text-night-soft underline-offset-4 hover:text-night-text hover:underline"
    >
      {text('nav.downloadApp')}
    </Link>
  );
}
