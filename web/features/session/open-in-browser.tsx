import { useText } from '#web/text.tsx';
import { CopyField } from '../share/copy-field.tsx';

/** Says that Google login does not work inside another app, and how to open this page in the browser. */
export function OpenInBrowser() {
  const text = useText();
  const { origin, pathname, search } = location;
  return (
    <div role="note" className="rounded-control bg-sunken p-4">
      <p className="font-semibold">{text('account.inApp.title')}</p>
      <p className="mt-1 text-pretty text-soft">{text('account.inApp.text')}</p>
      <div className="mt-5">
        <CopyField what="link" label={text('account.inApp.link')} value={`${origin}${pathname}${search}`} />
      </div>
    </div>
  );
}
